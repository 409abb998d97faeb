/* One step, however much is done in it; the first option that can be taken is taken. */
byte a[4], i, n;
active [2] proctype Sort() {
	do
	:: n < 3 -> d_step {
			i = 0;
			do
			:: i < 3 -> if :: a[i] <= a[i + 1] -> a[i] = a[i] + 1 :: a[i] > 0 -> a[i]-- fi; i++
			:: else -> break
			od;
			n++
		}
	:: d_step { n == 3; i = 0; n++ }
	:: n > 3 -> break
	od
}
