/* Conditional expressions, negative numbers, bits. */
short x = -3; byte y;
active proctype P() {
	do
	:: x < 4 -> x = x + 1; y = (x < 0 -> 256 - x : x * x) & 15; y = (y << 1) ^ (y >> 2) | 1
	:: x >= 4 -> y = y % 7 + x / 3; break
	od
}
