/* Processes from the beginning, in the order of the text. */
byte order[4];
byte at;
active [2] proctype First() { order[at] = _pid; at++ }
init { order[at] = 10 + _pid; at++ }
active proctype Last() { d_step { order[at] = 20 + _pid; at++ } }
