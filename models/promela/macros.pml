/* Directives, macros and inlines. */
#define N 2
#define max(a, b) ((a > b) -> a : b)
#if N > 1 && defined(max)
#define LIMIT (N * 2)
#else
#error "not here"
#endif
byte high[N];
inline raise(who, by) { high[who] = max(high[who], by); by++ }
active [N] proctype Climb() { byte n; do :: n < LIMIT -> raise(_pid, n) :: else -> break od }
