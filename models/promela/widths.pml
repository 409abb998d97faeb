/* Numbers that do not fit lose their upper bits. */
bit b; bool t; byte n = 250; short s = 32766; int i; unsigned u : 3;
active proctype Count() {
	do
	:: n < 5 || n >= 250 -> n++; s++; u++; b = b + 3; i = i - 7 * n; t = !t
	:: else -> break
	od
}
