/* A rendezvous hands control over. */
chan q = [0] of { byte };
byte x;
active proctype A() { atomic { x = 1; q!1; x = 2; q!2; x = 3 } }
active proctype B() { byte n; atomic { q?n; x = 10 + n; x = 20 + n }; q?n; x = 30 + n }
active proctype C() { do :: x == 21 -> x = 5; break :: x == 3 -> break od }
