mtype = {data, stop, ack, timeo};
chan send[2] = [0] of {mtype, byte, byte}; chan arrive[2] = [0] of {mtype, byte, byte}; chan back = [0] of {mtype, byte};
proctype Sender() { byte next; bit b, got; bool ok;
 next = 0;
 do :: next <= 2 -> ok = false;
   do :: !ok -> send[1]!data(next%2, next);
       if :: back?ack(got) -> if :: got == b -> ok = true :: got != b -> skip fi
          :: back?timeo(0) fi
   :: else -> break od;
   b = 1-b; next = next+1
 :: else -> break od;
 send[1]!stop(0,0); false }
proctype Line() { bit b; byte v; bool is_open, lost;
 is_open = true;
 do :: send[is_open]?data(b,v) -> if :: true -> arrive[1]!data(b,v) :: true -> lost = true; back!timeo(0); lost = false fi
 :: send[is_open]?stop(0,0) -> arrive[1]!stop(0,0); is_open = false
 :: !is_open -> break od; false }
proctype Receiver() { bit b, expected; byte v, sum; bool is_done;
 do :: arrive[!is_done]?data(b,v) -> if :: b == expected -> sum = sum+v; expected = 1-expected :: b != expected -> skip fi; back!ack(b)
 :: arrive[!is_done]?stop(0,0) -> is_done = true
 :: is_done -> break od; false }
init { run Sender(); run Line(); run Receiver() }
