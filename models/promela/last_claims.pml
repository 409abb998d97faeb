/* What only claims may ask: who moved, who could move, and where somebody is. */
byte n;

active proctype Low()
{
	n == 1;
	n = 2
}

active proctype High()
{
	n = 1;
	n == 2;
accept:	n = 3;
	do
	:: n == 3
	od
}

never moved { do :: _last == 0 :: _last == 1 && n == 1 -> break od; _last == 0; _last == 1; _last == 1 }

never low_first { do :: !enabled(0) && n == 0 :: enabled(0) && !enabled(1) -> break od }

never both_can { do :: !(enabled(0) && enabled(1)) :: enabled(0) && enabled(1) -> break od }

never elsewhere { do :: pc_value(0) == pc_value(1) :: else -> break od }

/* The label of a process counts for claims, too. */
never labelled { do :: n < 3 od }
