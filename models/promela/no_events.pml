/* A trace that must not be: the first event that does not fit ends it. */
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

notrace {
	q!data(0);
	do
	:: q?data(_)
	:: q!data(_) -> break
	od;
	q!stop(1)
}
