/* A loop over the messages of a channel. */
typedef Item { byte what; bit flag }
chan q = [3] of { Item };
byte sum;
active proctype Walk() {
	Item item;
	item.what = 2; q!item;
	item.what = 5; item.flag = 1; q!item;
	for (item in q) { sum = sum + item.what + item.flag };
	q?item
}
