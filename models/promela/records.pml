/* Types with fields, arrays in them, and arrays of them. */
typedef Point { byte x; byte y[2] }
typedef Line { Point from, to; bool used }
Line line[2];
active [2] proctype Draw() {
	byte me = _pid;
	line[me].from.x = me + 1;
	line[me].to.y[1 - me] = line[1 - me].from.x;
	line[me].used = line[1 - me].used || line[me].to.y[0] > 0;
	line[1 - me].to.y[me] = line[me].from.y[0] + 3
}
