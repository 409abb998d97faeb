/* Messages with fields of their own. */
typedef Mail { byte to; byte body[2] }
chan post = [1] of { Mail, bit };
byte got;
active proctype Write() { Mail m; m.to = 1; m.body[0] = 3; post!m,1; m.to = 2; m.body[1] = 4; post!m,0 }
active proctype Read() { Mail m; bit b; do :: post?m,b -> got = got + m.to + m.body[0] + m.body[1] + b od }
