/* Labels that begin with `accept`: nobody must be there again and again. */
byte n;

active proctype Counter()
{
	do
	:: n < 3 -> n++
	:: n == 3 ->
accept_full:	n = 0
	:: n == 1 -> break
	od
}

active proctype Once()
{
accept_once:
	n == 2
}
