/* Hidden variables that nobody looks at are no part of states; `show` and `local`
   change nothing. */
hidden byte rubbish;
local byte x;
show byte y;
chan q = [2] of { byte, byte };

active proctype Sender()
{
	xs q;
	do
	:: q!1,3
	:: q!2,4
	od
}

active proctype Receiver()
{
	xr q;
	do
	:: q?rubbish,x
	:: q?y,rubbish
	:: rubbish = x
	od
}
