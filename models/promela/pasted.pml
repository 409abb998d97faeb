/* Macros that make texts and names of their arguments. */
#define SAY(x)		printf(#x)
#define VARIABLE(x, n)	x ## n
#define DOUBLE(name)	byte name##_1, name##_2

DOUBLE(value);

active proctype P()
{
	VARIABLE(value, _1) = 1;
	SAY(value_1 + "two");
	if
	:: VARIABLE(value_, 1) == 1 -> value_2 = 2
	:: else
	fi
}
