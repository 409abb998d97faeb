/* A channel without room: both must be there. */
chan q = [0] of { byte };
byte sum;
active [2] proctype Send() { q!_pid + 1; q!2 }
active proctype Receive() { byte n; end: do :: q?n -> sum = sum + n :: q?2 -> sum = sum + 10 od }
