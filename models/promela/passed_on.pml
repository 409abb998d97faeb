/* Channels in messages and as parameters. */
chan desk = [1] of { chan, byte };
byte done;
proctype Client(byte n; chan ask) {
	chan answer = [0] of { byte };
	ask!answer,n; answer?n; done = done + n
}
active proctype Server() { chan who; byte n; end: do :: desk?who,n -> who!n * n od }
init { atomic { run Client(2, desk); run Client(3, desk) } }
