/* A lost update. */
byte n;
active [2] proctype Add() { byte old; old = n; n = old + 1 }
active proctype Check() { _nr_pr == 3; n < 9; if :: n == 2 -> assert(n == 2) :: timeout -> assert(n == 2) fi }
