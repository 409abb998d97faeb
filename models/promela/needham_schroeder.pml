/* The public-key protocol of Needham and Schröder, with an intruder.
 *
 * A opens a session with whom it likes, B answers whoever writes. The intruder
 * is a participant, too: it has a name, a key and a nonce of its own, it reads all
 * mail, keeps it, opens what is meant for it, and sends whatever it can make of
 * what it knows. A message is (whom it is encrypted for, what kind it is, two
 * fields). `agreed` says that a participant believes to have finished with its
 * partner.
 */
mtype = { alice, bob, intruder, nonce_a, nonce_b, nonce_i, first, second, third, none };

chan net = [0] of { mtype, mtype, mtype, mtype };	/* key, kind, two fields */

mtype partner_a, partner_b;
bool done_a, done_b;
bool knows_a, knows_b;	/* what the intruder has learnt */

active proctype Alice()
{	mtype nonce;
	atomic { if :: partner_a = bob :: partner_a = intruder fi };
	net!partner_a,first,alice,nonce_a;
	net?eval(alice),second,eval(nonce_a),nonce;
	net!partner_a,third,nonce,none;
	done_a = true
}

active proctype Bob()
{	mtype nonce, who;
	net?eval(bob),first,who,nonce;
	partner_b = who;
	net!partner_b,second,nonce,nonce_b;
	net?eval(bob),third,eval(nonce_b),none;
	done_b = true
}

active proctype Intruder()
{	mtype key, kind, one, two;
	mtype kept_key = none, kept_kind = none, kept_one = none, kept_two = none;
end:	do
	:: atomic {	/* reads a message; opens it or keeps it as it is */
		net?key,kind,one,two ->
		if
		:: key == intruder ->
			knows_a = knows_a || one == nonce_a || two == nonce_a;
			knows_b = knows_b || one == nonce_b || two == nonce_b
		:: else -> kept_key = key; kept_kind = kind; kept_one = one; kept_two = two
		fi;
		key = 0; kind = 0; one = 0; two = 0
	   }
	:: atomic { kept_key != none -> net!kept_key,kept_kind,kept_one,kept_two }
	:: net!bob,first,alice,nonce_i
	:: net!bob,first,intruder,nonce_i
	:: knows_a -> net!bob,first,alice,nonce_a
	:: knows_b -> net!bob,third,nonce_b,none
	:: knows_a -> net!alice,second,nonce_a,nonce_i
	:: knows_a && knows_b -> net!alice,second,nonce_a,nonce_b
	od
}

/* If Bob believes that he has talked to Alice, Alice has talked to him. */
ltl bob_is_right { [] (done_b && partner_b == alice -> partner_a == bob) }
ltl secret { [] (partner_b == alice && partner_a == bob -> !knows_b) }
ltl nobody_ever_finishes { [] !(done_a && done_b) }
