/* What happens when nothing else can. */
chan q = [1] of { bit };
byte lost;
active proctype Send() { do :: q!1 :: timeout -> lost++; if :: lost == 3 -> break :: else fi od }
active proctype Drop() { byte n; do :: n < 2 -> q?1; n++ :: else -> break od }
