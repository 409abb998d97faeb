/* Jumps, labels, and jumps with labels. */
byte n;
active proctype Jump() {
start:	if
	:: n < 3 -> goto more
	:: goto start
	:: else
	fi;
	goto done;
more:	n++;
again:	goto start;
done:	skip;
end:	n == 7
}
active proctype Reset() { do :: n > 1 -> n = 0; break :: n == 1 -> break od }
