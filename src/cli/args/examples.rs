//! Examples for the help, one for each command.
//!
//! The tests run them: what follows a line that starts with `$` is what the
//! command prints.

pub(in crate::cli) const ALL: &str = "\
Formulas:
  true false  p \"fork[1] == 0\"     constants, atoms
  ! X F G                          not, next, finally, globally
  U R W M                          until, release, weak until, strong release
  & ^ | -> <->                     and, exclusive or, or, implies, equivalent
Unary operators bind strongest, then U R W M, then & ^ |, then -> and <->. The
usual other spellings (&& /\\ and, [] <>, Unicode) are read as well.

Exit codes:
  0  satisfiable, valid, holds, a run exists, no disagreement
  1  unsatisfiable, not valid, violated, no run exists; not a run of the model;
     a wrong answer in a batch; a disagreement
  2  usage or input error
  3  unknown: a limit was reached, or somebody interrupted
  4  internal error
  5  the model itself is wrong
Of several verdicts on a model the worst counts, in the order 5, 1, 3, 0.

Environment:
  LWAA_LOG  what is logged to standard error, for example `info` or
            `lwaa=debug`";

pub(in crate::cli) const REQUIREMENTS: &str = "\
Example, with printer.txt:

    job: G (job -> F printed)
    again: G F job
    paper: G (printed -> paper)
    empty: F G !paper

  $ lwaa requirements printer.txt
  inconsistent
  conflict 1: 4 of 4 requirements
    job    G (job -> F printed)
    again  G F job
    paper  G (printed -> paper)
    empty  F G !paper
    without job, the rest of this conflict holds on:
      prefix: empty
      cycle: 1 letter, repeated for ever
        0  job
    without again, the rest of this conflict holds on:
      prefix: empty
      cycle: 1 letter, repeated for ever
        0  (all false)
    without paper, the rest of this conflict holds on:
      prefix: empty
      cycle: 1 letter, repeated for ever
        0  job, printed
    without empty, the rest of this conflict holds on:
      prefix: empty
      cycle: 1 letter, repeated for ever
        0  job, paper, printed
  consistent without: job
  consistent without: again
  consistent without: paper
  consistent without: empty
  of what is left without job:
  redundant: none
  vacuous: none";

pub(in crate::cli) const SAT: &str = "\
Examples:
  $ lwaa sat 'p & !q & X G (q & !p)'
  satisfiable
  prefix: 1 letter
    0  p
  cycle: 1 letter, repeated for ever
    1  q

  $ lwaa sat 'G F p & F G !p'
  unsatisfiable

  $ lwaa sat --batch formulas.tsv --time 10s --jobs 2
  fair/1  satisfiable  0.004 s
  fair/2  unsatisfiable  0.003 s
  solved 2 of 2, 0 wrong";

pub(in crate::cli) const VALID: &str = "\
Examples:
  $ lwaa valid 'G p -> F p'
  valid

  $ lwaa valid 'p -> X F p'
  not valid
  prefix: 1 letter
    0  p
  cycle: 1 letter, repeated for ever
    1  (all false)";

pub(in crate::cli) const IMPLIES: &str = "\
Example:
  $ lwaa implies 'F G p' 'G F p'
  valid";

pub(in crate::cli) const EQUIV: &str = "\
Example:
  $ lwaa equiv '!(p U q)' '!p R !q'
  valid";

pub(in crate::cli) const CHECK: &str = "\
Examples, with this model in turns.lwm:

    const N = 2;
    var turn: 0..N-1 = 0;
    var busy[N]: bool = false;
    process worker(i in 0..N-1) {
        action start when turn == i && !busy[i] do busy[i]' = true;
        action stop when busy[i] do busy[i]' = false, turn' = (turn + 1) % N;
        action skip when turn == i && !busy[i] do turn' = (turn + 1) % N;
    }
    ltl alone: G !(busy[0] && busy[1]);

  $ lwaa check turns.lwm
  holds

  $ lwaa check turns.lwm -f 'G F busy[0]' --trace run.json
  violated
  prefix: empty
  cycle: 3 states, repeated for ever
    0  (initial state)   turn = 0, busy = [false, false]
                         pending: F G !\"busy[0]\"
    1  worker(0): skip   turn = 1
    2  worker(1): start  busy[1] = true
    0  worker(1): stop   turn = 0, busy[1] = false
       (state 0 again)

  $ lwaa check turns.lwm -f 'G F enabled(worker(0).start) -> G F taken(worker(0))' --fair strong
  holds

  $ lwaa check turns.lwm -D N=3 -f 'G F busy[0]' --exists | head -n 1
  a run exists";

pub(in crate::cli) const EXPLORE: &str = "\
Examples, with the model of `lwaa check --help`:
  $ lwaa explore turns.lwm
  states 4 transitions 6 deadlocks 0

  $ lwaa explore turns.lwm -D N=20 --states 30
  unknown: limit of 30 states reached
  states 30 transitions 43 deadlocks 0 so far";

pub(in crate::cli) const SIMULATE: &str = "\
Examples, with the model of `lwaa check --help`:
  $ lwaa simulate turns.lwm --steps 3 --seed 1
  random run, seed 1
    0  (initial state)   turn = 0, busy = [false, false]
    1  worker(0): skip   turn = 1
    2  worker(1): skip   turn = 0
    3  worker(0): start  busy[0] = true

  $ echo 1 | lwaa simulate turns.lwm --interactive
      0  (initial state)   turn = 0, busy = [false, false]
         1)  worker(0): start  busy[0] = true
         2)  worker(0): skip   turn = 1
      1  worker(0): start  busy[0] = true
         1)  worker(0): stop   turn = 1, busy[0] = false";

pub(in crate::cli) const REPLAY: &str = "\
Example, with what `lwaa check --trace run.json` has written:
  $ lwaa replay turns.lwm run.json | head -n 1
  the trace is a run of the model";

pub(in crate::cli) const TRANSLATE: &str = "\
Examples:
  $ lwaa translate 'G F p' --to lwaa --format text
  atoms: p
  initial: #1
  #1  rank 2  release  G F p  δ = (p | #0) & #1
  #0  rank 1  until    F p    δ = p | #0

  $ lwaa translate 'F (p & \"x == 1\")' --to nba --format never
  #define atom_0 (x == 1)
  never { /* F (p & \"x == 1\") */
  T0_init:
    do
    :: (1) -> goto T0_init
    :: (p && atom_0) -> goto accept_all
    od;
  accept_all:
    skip
  }

  $ lwaa translate 'G F p & G F q' --to tgba --via gastin-oddoux --format hoa | grep Acceptance
  Acceptance: 2 Inf(0) & Inf(1)";

pub(in crate::cli) const CROSS: &str = "\
Examples:
  $ lwaa cross --rounds 20 --builtin lwaa,gpvw --seed 1 | head -n 1
  rounds 20, disagreements 0

  $ lwaa cross --rounds 20 --size 3..6 --priority X=0 --translator 'spin -f %s' | head -n 1
  rounds 20, disagreements 0";

pub(in crate::cli) const BENCH: &str = "\
Example, with this suite in fair.toml:

    title = \"Strong fairness\"
    time = \"10s\"
    [[pipeline]]
    name = \"lwaa\"
    lwaa = [\"sat\"]
    [[pipeline]]
    name = \"spin -f\"
    command = \"spin -f %s\"
    result = \"automaton\"
    [[formulas]]
    family = \"sf-sat\"
    n = [1, 2]

  $ lwaa bench fair.toml --html fair.html --csv fair.csv > fair.txt";

pub(in crate::cli) const FORMULA: &str = "\
Example:
  $ lwaa formula go-theta 2
  !(G F p1 & G F p2 -> G (q -> F r))";

pub(in crate::cli) const RANDOM: &str = "\
Examples:
  $ lwaa random formula --seed 5 --size 12 --atoms 3 --count 1
  G (!!p2 U ((false ^ p1) | p1 M p1))

  $ lwaa random kripke --seed 1 --states 3 --atoms 2
  # random, seed 1: 3 states, density 0.1, truth 0.5
  atoms p0 p1
  initial 0
  state 0 -> 1
  state 1 p0 -> 2
  state 2 p0 -> 2";

pub(in crate::cli) const RANDOM_KRIPKE: &str = "\
Example:
  $ lwaa random kripke --seed 1 --states 3 --atoms 2
  # random, seed 1: 3 states, density 0.1, truth 0.5
  atoms p0 p1
  initial 0
  state 0 -> 1
  state 1 p0 -> 2
  state 2 p0 -> 2";

pub(in crate::cli) const COMPLETIONS: &str = "\
Example:
  $ lwaa completions bash > ~/.local/share/bash-completion/completions/lwaa";

pub(in crate::cli) const MAN: &str = "\
Example:
  $ lwaa man > ~/.local/share/man/man1/lwaa.1";
