/* Priorities: only those may move that have the highest one of all who could. */
byte n, go;
chan c = [2] of { byte };

proctype Late(byte k) { n = k; n = 0 }

active proctype High() priority 10 { c?1; n++; c?2; n++; set_priority(_pid, 1); n = 7; n = 0 }

active [2] proctype Low() priority 2
{
	byte k;
	atomic { n < 5; n++; c!1; n = n + 3; n = n - 3 };
	k = 1;
	c!2;
	d_step { k = 0; n = n + get_priority(0) }
}

active proctype Boss() provided (go == 0)
{
	n = _priority;
	_priority = 3;
	run Late(5) priority 4;
	run Late(6)
}

active proctype Last() { timeout; go = 1 }
