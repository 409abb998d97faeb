/* Peterson's algorithm. */
bool want[2]; bit turn; byte critical;
active [2] proctype P() {
	do
	::	want[_pid] = true; turn = 1 - _pid;
		!want[1 - _pid] || turn == _pid;
cs:		critical++; critical--;
		want[_pid] = false
	od
}
ltl exclusion { [](critical < 2) }
ltl first_enters { []<>(P[0]@cs) }
ltl somebody { []<>(P[0]@cs || P[1]@cs) }
