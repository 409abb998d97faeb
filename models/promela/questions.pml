/* Everything that may be asked of a channel. */
chan q = [2] of { byte };
byte seen;
active proctype Put() { q!4; q!5; q!4 }
active proctype Look() {
	byte n = 4;
	do
	:: q?[4] && nempty(q) -> q?<n>; seen = seen | 1; q?n
	:: atomic { q??[5] && !q?[5] -> seen = seen | 2; q??5 }
	:: q?5 -> seen = seen | 4
	:: full(q) -> seen = seen | 8; q?eval(n)
	:: len(q) == 1 && nfull(q) && seen > 2 -> seen = 16; break
	:: empty(q) && seen -> break
	od
}
