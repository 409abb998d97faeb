/* Processes that begin and end; the last to begin is the first to go. */
byte n = 3, last;
proctype Child(byte depth) {
	byte who;
	if :: depth > 0 && n > 0 -> n--; who = run Child(depth - 1); last = who :: else fi
}
init { run Child(2); run Child(1); _nr_pr == 1 -> n = 9 }
