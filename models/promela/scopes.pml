/* Names in blocks. */
byte x;
active proctype P() {
	byte y = 1;
	{ byte z = y + 1; x = z };
	byte w = x + y;
	if :: byte v = w; x = v :: x = 0 fi;
	{ byte z; z = z + 3; x = x + z }
}
