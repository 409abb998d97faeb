/* Claims where nobody can move any more: they go on alone. */
byte x;
chan q = [1] of { byte };

active proctype A() { x = 1; q!1; x = 2; q!2; x = 3 }

never stays { do :: true :: x == 2 -> goto accept od; accept: do :: x == 2 od }

never leaves { do :: true :: x == 3 -> break od }

never waits { do :: !timeout :: timeout -> break od }

never rests { do :: true :: np_ -> goto accept od; accept: do :: np_ od }

never counts { x == 0; x == 1; x == 1; x == 2; x == 2; x == 2; x == 2 }
