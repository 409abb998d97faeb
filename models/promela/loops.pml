/* Loops and choices that are short for others. */
byte a[3] = { 1, 2, 3 };
byte i, sum;
chan q = [3] of { byte };
active proctype Loop() {
	for (i : 1 .. 3) { sum = sum + i; q!i }
	for (i in a) { a[i] = a[i] + sum }
	select (i : 0 .. 2);
	sum = a[i];
	select (i : i .. 4)
}
