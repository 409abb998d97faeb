/* Dekker's algorithm, step by step as in models/lwm/dekker.lwm. */
byte at[2];
byte turn;
bool wants[2];

#define p  (at[0] == 1)
#define q  (at[0] == 7)
#define m0 (_last == 0)
#define m1 (_last == 1)

active [2] proctype dekker() {
	do
	:: d_step { at[_pid] == 0 -> at[_pid] = 1 }
	:: d_step { at[_pid] == 1 -> wants[_pid] = true; at[_pid] = 2 }
	:: d_step { at[_pid] == 2 && wants[1 - _pid] -> at[_pid] = 3 }
	:: d_step { at[_pid] == 2 && !wants[1 - _pid] -> at[_pid] = 7 }
	:: d_step { at[_pid] == 3 && turn == _pid -> at[_pid] = 2 }
	:: d_step { at[_pid] == 3 && turn != _pid -> at[_pid] = 4 }
	:: d_step { at[_pid] == 4 -> wants[_pid] = false; at[_pid] = 5 }
	:: d_step { at[_pid] == 5 && turn == _pid -> at[_pid] = 1 }
	:: d_step { at[_pid] == 5 && turn != _pid -> at[_pid] = 5 }
	:: d_step { at[_pid] == 7 -> turn = 1 - _pid; at[_pid] = 8 }
	:: d_step { at[_pid] == 8 -> wants[_pid] = false; at[_pid] = 0 }
	od
}
