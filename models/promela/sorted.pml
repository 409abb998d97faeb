/* Sorted sending, receiving from the middle. */
chan q = [3] of { byte, byte };
active proctype Put() { q!!3,1; q!!1,2; q!!2,2; q!!1,1 }
active proctype Take() { byte a, b; q??2,a; q??a,eval(a); q?b,a; q?a,b }
