/* D_proctype: a process that never has a choice. */
byte x;

D_proctype Steps(byte n)
{
	do
	:: x < n -> x++
	:: x == n -> break
	:: else -> x = 0
	od
}

init { run Steps(3); run Steps(2) }
