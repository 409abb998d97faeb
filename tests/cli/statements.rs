//! Statements in runs of Promela models: what macros and inlines expand to, the parts of
//! loops that are short for others, and what is no part of states.

use crate::models::Models;
use crate::program::lwaa_reading;
use insta::assert_snapshot;
use serde_json::Value;

const LOCKS: &str = "#define acquire(l) atomic { !l -> l = true }
inline bump(x) { x = x + 1 }
#define count(v) do :: v < 3 -> v++ :: else -> break od
bool a;
byte n, i, noted;
proctype Late(byte k) { byte own = 3; own = k; n = own }
active proctype P() {
  acquire(a);
  bump(n);
  count(n);
  for (i : 0 .. 0) { n = n + i }
  noted = 1;
  run Late(4);
  atomic { n = 0; a = false; n++ }
}
";

fn locks(name: &str) -> Models {
    let models = Models::new(name);
    models.file("locks.pml", LOCKS);
    models
}

#[test]
fn expanded_statements_have_their_lines_and_calls() {
    let models = locks("promela-macros");
    let asked = ["check", "locks.pml", "-f", "<> [] (i == 0)"];
    let run = models.lwaa(&asked);
    assert_snapshot!(run.stdout, @r#"
    violated
    prefix: 19 states
       0  (initial state)                      a = false, n = 0, i = 0
                                               pending: G F !"i==0"
       1  P: 1: !a (acquire(a), line 8)
          P: 1: a = true (acquire(a), line 8)  a = true
       2  P: 2: n = n + 1 (bump(n), line 9)    n = 1
       3  P: 3: n < 3 (count(n), line 10)      (nothing changes)
       4  P: 3: n++ (count(n), line 10)        n = 2
       5  P: 3: n < 3 (count(n), line 10)      (nothing changes)
       6  P: 3: n++ (count(n), line 10)        n = 3
       7  P: 3: else (count(n), line 10)       (nothing changes)
       8  P: 11: i = 0                         (nothing changes)
       9  P: 11: i <= 0                        (nothing changes)
      10  P: 11: n = n + i                     (nothing changes)
      11  P: 11: i++                           i = 1
      12  P: 11: else                          (nothing changes)
      13  P: 12: noted = 1                     (noted is never read: no part of the state)
      14  P: 13: run Late(4)                   Late:k = 4, Late:own = 3
      15  Late: 6: own = k                     Late:own = 4
      16  P: 14: n = 0                         n = 0
          P: 14: a = false                     a = false
          P: 14: n++                           n = 1
      17  Late: 6: n = own                     n = 4
      18  Late: 6: }                           (nothing changes)
    cycle: 1 state, repeated for ever
      19  P: 15: }                             (nothing changes)
                                               pending: G F !"i==0"
          (the end: every process is where it may stop, so the run stays here for ever)
    After P: 11: i++ (step 11), `i==0` is false and stays false.
    "#);
    let run = models.lwaa(&[&asked[..], &["--json"]].concat());
    let object: Value = serde_json::from_str(&run.stdout).unwrap();
    let first = &object["results"][0]["lasso"]["prefix"][0];
    let statements = first["statements"].to_string();
    assert_snapshot!(statements, @r#"[{"process":"P","line":1,"text":"!a","calls":[{"line":8,"text":"acquire(a)"}]},{"process":"P","line":1,"text":"a = true","calls":[{"line":8,"text":"acquire(a)"}]}]"#);
    assert_eq!(first["state"].to_string(), r#"{"a":false,"n":0,"i":0}"#);
    assert_eq!(first["action"], "1: !a");
    let unread = &object["results"][0]["lasso"]["prefix"][12]["statements"][0]["unread"];
    assert_eq!(unread.to_string(), r#"["noted"]"#);
}

#[test]
fn a_menu_shows_all_statements_of_a_step() {
    let models = locks("promela-menu");
    let model = models.path("locks.pml");
    let run = lwaa_reading(&["simulate", &model, "--interactive"], b"q\n");
    assert_snapshot!(run.stdout, @r"
        0  (initial state)     a = false, n = 0, i = 0, noted = 0
           1)  P: 1: !a (acquire(a), line 8)
               P: 1: a = true (acquire(a), line 8)  a = true
    ");
}
