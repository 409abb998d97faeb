/* The alternating bit protocol of the thesis of van Wyk, figure 17. The same
 * in ESML: models/esml/alternating_bit.esml.
 *
 * The figure leaves out some semicolons and braces; they are here. The
 * property is that of listing 4.2: whenever the sender has sent d0, it gets
 * the acknowledgement a0.
 */

mtype = { a0, a1, d0, d1 };

proctype Sender(chan in, out)
{
	bit s;
	s = 0;
	do
	:: s == 0 -> out!d0; in?a0; s = 1
	:: s == 1 -> out!d1; in?a1; s = 0
	od
}

proctype Receiver(chan in, out)
{
	bit s;
	s = 0;
	do
	:: s == 0 -> in?d0; out!a0; s = 1
	:: s == 1 -> in?d1; out!a1; s = 0
	od
}

init
{
	chan rq = [0] of { mtype };
	chan sq = [0] of { mtype };

	run Sender(rq, sq);
	run Receiver(sq, rq)
}

#define p	(Sender:s == 0)
#define q	(Sender:s == 1)

ltl acknowledged { [] (p -> <> q) }
