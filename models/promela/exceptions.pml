/* `unless`, one inside of another. */
byte x, alarm;
active proctype Work() {
	{
		{ do :: x < 4 -> x++ :: x > 0 -> x-- od } unless { alarm == 1 -> x = 10 };
		x = x + 1;
		x = x + 2
	} unless { alarm == 2; x = 20 }
}
active proctype Ring() { if :: alarm = 1; alarm = 2 :: alarm = 2 fi }
