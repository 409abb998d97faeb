/* Who has the highest number in a ring: Dolev, Klawe and Rodeh. */
#define N 3
mtype = { one, two };
chan q[N] = [2] of { mtype, byte };
byte leaders;
proctype Node(chan in_, out; byte mine) {
	byte n, near, high = mine; bool relay;
	out!one(mine);
	do
	:: in_?one(n) -> if :: relay -> out!one(n) :: !relay && n != high -> out!two(n); near = n
			:: else -> leaders++; break fi
	:: in_?two(n) -> if :: relay -> out!two(n) :: !relay && near > n && near > high -> high = near; out!one(near)
			:: else -> relay = 1 fi
	od
}
init { byte i; atomic { for (i : 0 .. N - 1) { run Node(q[i], q[(i + 1) % N], (i * 2) % N + 1) } } }
ltl one_leader { [](leaders < 2) }
ltl eventually_one { <>(leaders == 1) }
