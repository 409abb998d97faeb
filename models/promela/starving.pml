/* Progress: whoever works makes progress, but somebody else may go on for ever
   instead, unless the model is fair. Who waits at the end does not go on. */
byte turn, done;

active proctype Worker()
{
	do
	:: done < 3 ->
progress:	done++
	:: done == 3 -> done = 0
	od
}

active proctype Idler()
{
	do
	:: turn = 1 - turn
	:: done == 2 -> break
	od
}
