/* What is atomic is not interrupted unless it blocks. */
byte x, y;
chan q = [1] of { byte };
active proctype A() {
	do
	:: atomic { x < 3 -> x++; q!x; y = x; if :: y > 1 -> y = 0 :: y = 7 fi }
	:: atomic { x == 3; break }
	od;
	atomic { do :: x > 0 -> x-- :: x == 0 -> goto out od };
out:	skip
}
active proctype B() { byte n; do :: q?n :: y == 7 && x == 3 -> break od }
