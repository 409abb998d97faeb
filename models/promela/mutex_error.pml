mtype = {enter, leave, idle, trying, critical};
chan sem[2] = [0] of {mtype};
proctype Semaphore() { do :: true -> sem[1]?enter; sem[1]?leave od }
proctype User(byte real) { mtype at = idle;
 do :: at == idle -> at = trying
 :: sem[(at==trying && real)]!enter -> at = critical
 :: at == critical -> at = idle; sem[real]!leave
 od }
init { run Semaphore(); run User(0); run User(1) }
