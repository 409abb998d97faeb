//! ESML models: formulas in files, traces, and what is wrong with them.

use crate::models::Models;
use insta::assert_snapshot;

const ALTERNATING_BIT: &str = include_str!("../../models/esml/alternating_bit.esml");
const PHILOSOPHERS: &str = include_str!("../../models/esml/philosophers.esml");

/// A sender that gives up after the first message.
const ONCE: &str = "\
MODEL Once;
TYPE mtype = {ping, pong};
VAR c, d: mtype;

PROCESS A(OUT c: mtype; IN d: mtype);
VAR got: BOOLEAN;
BEGIN
  IF c!ping → d?pong; got := TRUE
  [] TRUE → SKIP
  END
END A;

PROCESS B(IN c: mtype; OUT d: mtype);
BEGIN
  DO c?ping → d!pong END
END B;

BEGIN A(c, d); B(c, d) END Once.

DEFINITIONS
got : A.got
";

fn models(name: &str) -> Models {
    let models = Models::new(name);
    models.file("bit.esml", ALTERNATING_BIT);
    models.file("philosophers.esml", PHILOSOPHERS);
    models.file("once.esml", ONCE);
    models.file("acknowledged.ltl", "# listing 4.2\nG (p ⇒ F q)\n");
    models.file("gets.ltl", "# not always\nF got");
    models
}

#[test]
fn a_formula_may_be_in_a_file() {
    let models = models("esml-files");
    models.check(&["explore", "bit.esml"], "states 29 transitions 42 deadlocks 0", 0);
    models.check(&["check", "bit.esml", "-F", "acknowledged.ltl"], "holds", 0);
    models.check(
        &["check", "bit.esml", "--file", "acknowledged.ltl", "--exists"],
        "a run exists",
        0,
    );
    let both = models.lwaa(&["check", "bit.esml", "-F", "acknowledged.ltl", "-f", "G p"]);
    let lines: Vec<&str> = both.stdout.lines().take(2).collect();
    assert_eq!((&lines[..], both.code), (&["G p: violated", "G (p ⇒ F q): holds"][..], Some(1)));
    models.file("wrong.ltl", "# one\nG (p -> F r)");
    assert_snapshot!(models.error(&["check", "bit.esml", "-F", "wrong.ltl"]), @r"
    error: wrong.ltl:2:11: there is no proposition `r`; there is `p`, `q`
      |
    2 | G (p -> F r)
      |           ^
    ");
    assert_snapshot!(models.error(&["check", "bit.esml", "-f", "G (p -> Fq)"]), @r"
    error: <formula>:1:9: there is no proposition `Fq`; write `F q`
      |
    1 | G (p -> Fq)
      |         ^^
    ");
    models.check(&["check", "bit.esml", "-f", "G(p -> Fq)", "--syntax", "spot"], "holds", 0);
    models.check(&["check", "bit.esml"], "holds", 0);
}

#[test]
fn a_run_shows_statements_and_their_places() {
    let models = models("esml-runs");
    let run =
        models.lwaa(&["check", "once.esml", "-F", "gets.ltl", "--shortest", "--trace", "run.json"]);
    assert_snapshot!(run.stdout, @r"
    violated
    prefix: 4 states
      0  (initial state)    Once = 18:7, A = inactive, A.got = FALSE, B = inactive
                            pending: G !got
      1  Once: 18: A(c, d)  Once = 18:16, A = 8:3
      2  Once: 18: B(c, d)  Once = end, B = 15:3
      3  A: 9: TRUE         A = 9:13
    cycle: 1 state, repeated for ever
      4  A: 9: SKIP         A = end
                            pending: G !got
         (a deadlock: no transition is enabled, so the run stays here for ever)
    `got` is never true.
    ");
    let replayed = models.lwaa(&["replay", "once.esml", "run.json"]);
    assert_eq!(
        (replayed.first_line(), replayed.code),
        ("the trace is a run of the model", Some(0))
    );
    let run = models.lwaa(&["simulate", "once.esml", "--steps", "5", "--seed", "2"]);
    assert_snapshot!(run.stdout, @r"
    random run, seed 2
      0  (initial state)          Once = 18:7, A = inactive, A.got = FALSE, B = inactive
      1  Once: 18: A(c, d)        Once = 18:16, A = 8:3
      2  A: 9: TRUE               A = 9:13
      3  A: 9: SKIP               A = end
      4  Once: 18: B(c, d)        Once = end, B = 15:3
         (a deadlock: no transition is enabled)
    ");
}

#[test]
fn a_deadlock_is_reported() {
    let models = models("esml-deadlocks");
    let run = models.lwaa(&["explore", "philosophers.esml", "--deadlock", "report"]);
    assert_eq!(run.code, Some(5));
    assert_snapshot!(run.stdout, @r"
    model error: deadlock: no transition is enabled
    states 358 transitions 924 deadlocks 1
    trace: 16 states
       0  (initial state)                       Philosophers = 32:3, Fork[0] = inactive, Fork[1] = inactive,
                                                Fork[2] = inactive, Philosopher[0] = inactive,
                                                Philosopher[0].at = thinking, Philosopher[1] = inactive,
                                                Philosopher[1].at = thinking, Philosopher[2] = inactive,
                                                Philosopher[2].at = thinking
       1  Philosophers: 32: Fork(fork[0])       Philosophers = 32:18, Fork[0] = 19:3
       2  Philosophers: 32: Fork(fork[1])       Philosophers = 32:33, Fork[1] = 19:3
       3  Philosophers: 32: Fork(fork[2])       Philosophers = 33:3, Fork[2] = 19:3
       4  Philosophers: 33: Philosopher(0, fork)  Philosophers = 34:3, Philosopher[0] = 26:3
       5  Philosophers: 34: Philosopher(1, fork)  Philosophers = 35:3, Philosopher[1] = 26:3
       6  Philosophers: 35: Philosopher(2, fork)  Philosophers = end, Philosopher[2] = 26:3
       7  Philosopher[0]: 26: at = thinking     Philosopher[0] = 26:22
       8  Philosopher[0]: 26: at := hungry      Philosopher[0] = 26:36, Philosopher[0].at = hungry
       9  Philosopher[0]: 26: fork[i]!take
          Fork[0]: 19: user?take                Fork[0] = 19:18, Philosopher[0] = 26:50
      10  Philosopher[1]: 26: at = thinking     Philosopher[1] = 26:22
      11  Philosopher[1]: 26: at := hungry      Philosopher[1] = 26:36, Philosopher[1].at = hungry
      12  Philosopher[1]: 26: fork[i]!take
          Fork[1]: 19: user?take                Fork[1] = 19:18, Philosopher[1] = 26:50
      13  Philosopher[2]: 26: at = thinking     Philosopher[2] = 26:22
      14  Philosopher[2]: 26: at := hungry      Philosopher[2] = 26:36, Philosopher[2].at = hungry
      15  Philosopher[2]: 26: fork[i]!take
          Fork[2]: 19: user?take                Fork[2] = 19:18, Philosopher[2] = 26:50
          (a deadlock: no transition is enabled)
    ");
}

#[test]
fn fairness_is_about_processes() {
    let models = models("esml-fairness");
    let formula = "G (hungry0 -> F eats0)";
    models.check(&["check", "philosophers.esml", "-f", formula], "violated", 1);
    let fair =
        ["check", "philosophers.esml", "-f", formula, "--fair", "strong", "--deadlock", "ignore"];
    models.check(&fair, "holds", 0);
}

#[test]
fn errors_have_a_place() {
    let models = models("esml-errors");
    models.file("wrong.esml", &ALTERNATING_BIT.replace("in?a1; s := 0", "in?a2; s := 0"));
    assert_snapshot!(models.error(&["explore", "wrong.esml"]), @r"
    error: wrong.esml:22:25: `a2` is not declared; did you mean `a0`?
       |
    22 |   [] s = 1 → out!d1; in?a2; s := 0
       |                         ^^
    ");
    models.file("range.esml", &ALTERNATING_BIT.replace("in?a1; s := 0", "in?a1; s := s + 1"));
    let run = models.lwaa(&["check", "range.esml", "-f", "G F p"]);
    assert_eq!(run.code, Some(5));
    assert_eq!(run.first_line(), "model error: value 2 is out of range: Sender.s holds 0 to 1");
    assert_snapshot!(run.stderr, @r"
    error: range.esml:22:29: value 2 is out of range: Sender.s holds 0 to 1
       |
    22 |   [] s = 1 → out!d1; in?a1; s := s + 1
       |                             ^^^^^^^^^^
    ");
}
