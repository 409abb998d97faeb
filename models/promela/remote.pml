/* What others are doing. */
byte n;
active [2] proctype P() { byte mine; do :: mine < 2 -> mine++; inside: n++; n-- :: else -> break od }
ltl never_both { []!(P[0]@inside && P[1]@inside) }
ltl counted { [](P[0]:mine <= 2) }
ltl comes { <>(P[1]@inside) }
