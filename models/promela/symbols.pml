/* Symbols, and sets of them with names of their own. */
mtype = { red, green };
mtype:fruit = { apple, pear, plum };
mtype light = red;
mtype:fruit next = apple;
active proctype Change() {
	do
	:: light == red -> light = green
	:: light == green -> light = red; if :: next == plum -> break :: else -> next = next - 1 fi
	od
}
