/* A trace assertion: messages are sent and received in this order. */
mtype = { data, stop };
chan q = [2] of { mtype, byte };
chan r = [0] of { byte };

active proctype Sender()
{
	byte n;
	do
	:: n < 2 -> q!data(n); n++
	:: n == 2 -> break
	od;
	q!stop(n);
	r?_
}

active proctype Receiver()
{
	mtype m;
	byte n;
	do
	:: q?m(n) ->
		if
		:: m == stop -> break
		:: else
		fi
	od;
	r!n
}

trace {
	do
	:: q!data(_)
	:: q?data(_)
	:: q!stop(2) -> break
	od;
	do
	:: q?data(_)
	:: q?stop(_) -> break
	od;
	r!2;
	r?2
}
