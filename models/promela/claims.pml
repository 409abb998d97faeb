/* Never claims: each says how a run must not be. */
byte x;
bool ready;

active proctype Ring() { do :: x = (x + 1) % 4 od }

active proctype Flag()
{
	do
	:: ready -> ready = false
	:: !ready ->
progress_flag:	ready = true
	od
}

/* It ends when `x` is three, and ending is what must not be. */
never {
	do
	:: x < 3
	:: x == 3 -> break
	od
}

/* From some moment on nobody touches the flag. */
never untouched {
	do
	:: true
	:: ready -> goto accept
	od;
accept:	do
	:: ready
	od
}

/* Statements of one state. */
never at_once {
	do
	:: true
	:: atomic { x == 2 -> x == 3 } -> break
	od
}

never asserted {
	do
	:: true
	:: d_step { x == 2 -> assert(!ready || x != 2) }
	od
}

/* Without labels, and without an end. */
never nothing { do :: true od }

never no_progress {
	do
	:: true
	:: np_ -> goto accept
	od;
accept:	do
	:: np_
	od
}

never one_by_one { x == 0; x == 1; x == 2; x == 3; x == 1 }

never otherwise {
	do
	:: x == 0
	:: x == 1
	:: else -> break
	od;
	Flag@progress_flag && Flag[1]@progress_flag
}
