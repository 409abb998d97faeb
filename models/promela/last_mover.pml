/* Who moved last is part of the state, if somebody asks. */
byte n;
active [2] proctype Move() { do :: n < 4 -> n++ :: else -> break od }
ltl both { []((_last == 0) -> (n < 9)) }
