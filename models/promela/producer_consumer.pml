#define N 2
mtype = {apple, pear};
chan put[2] = [0] of {mtype}; chan get[2] = [0] of {mtype};
proctype Producer() { do :: true -> put[1]!apple :: true -> put[1]!pear od }
proctype Buffer() { mtype items[N] = apple; byte first, next, n;
 do :: put[(n < N)]?items[next] -> next = (next+1)%N; n = n+1
 :: get[(n != 0)]!items[first] -> items[first] = apple; first = (first+1)%N; n = n-1 od }
proctype Consumer() { mtype what = apple; bool has;
 do :: true -> get[1]?what; has = true; has = false od }
init { run Producer(); run Buffer(); run Consumer() }
