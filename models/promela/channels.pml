/* Arrays of channels; who is asked depends on what was said. */
#define N 3
chan to[N] = [1] of { byte };
active [N] proctype Ring() {
	byte n, next = (_pid + 1) % N;
	if :: _pid == 0 -> to[next]!1 :: else fi;
	do :: to[_pid]?n -> if :: n < 7 -> to[next]!n + 1 :: else -> break fi od
}
