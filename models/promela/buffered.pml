/* A channel with room for two messages. */
chan q = [2] of { byte, bit };
active proctype Producer() { byte n; do :: n < 3 -> q!n,n%2; n++ :: else -> break od }
active proctype Consumer() { byte n; bit parity; do :: q?n,parity -> assert(parity == n % 2) od }
