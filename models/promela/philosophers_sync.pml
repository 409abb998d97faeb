mtype = {take, down, thinking, hungry, eating};
chan fork[3] = [0] of {mtype};
proctype Fork(byte i) { do :: fork[i]?take -> fork[i]?down od }
proctype Phil(byte i) { mtype at = thinking;
 do :: at == thinking -> at = hungry; fork[i]!take; fork[(i+1)%3]!take; at = eating
 :: at == eating -> at = thinking; fork[i]!down; fork[(i+1)%3]!down od }
init { run Fork(0); run Fork(1); run Fork(2); run Phil(0); run Phil(1); run Phil(2) }
