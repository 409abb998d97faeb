/* Cycles with and without progress. */
bit busy; byte done;
active proctype Good() { do :: busy -> progress: done = 1 - done; busy = 0 od }
active proctype Maybe() { do :: !busy -> busy = 1 :: done -> skip od }
