/* Philosophers who deadlock. */
#define N 3
chan fork[N] = [1] of { bit };
byte eating;
active [N] proctype Philosopher() {
	bit b;
	fork[_pid]!1;
	do :: fork[_pid]?b -> fork[(_pid + 1) % N]?b -> eating++; eating--; fork[_pid]!b; fork[(_pid + 1) % N]!b od
}
ltl alone { [](eating < 2) }
ltl never_stuck { []<>(eating > 0) }
