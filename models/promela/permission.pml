/* A process that may move only sometimes. */
byte turn, n;
active proctype Zero() provided (turn == 0) { do :: n < 5 -> n++; turn = 1 :: else -> break od }
active proctype One() provided (turn == 1 || n > 3) { do :: n < 5 -> n++; turn = 0 :: else -> break od }
