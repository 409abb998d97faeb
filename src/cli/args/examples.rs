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
  0  satisfiable, valid
  1  unsatisfiable, not valid; a wrong answer in a batch
  2  usage or input error
  3  unknown: a limit was reached, or somebody interrupted
  4  internal error

Environment:
  LWAA_LOG  what is logged to standard error, for example `info` or
            `lwaa=debug`";

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

pub(in crate::cli) const TRANSLATE: &str = "\
Example:
  $ lwaa translate 'G F p' --to lwaa --format text
  atoms: p
  initial: #1
  #1  rank 2  release  G F p  δ = (p | #0) & #1
  #0  rank 1  until    F p    δ = p | #0";

pub(in crate::cli) const FORMULA: &str = "\
Example:
  $ lwaa formula go-theta 2
  !(G F p1 & G F p2 -> G (q -> F r))";

pub(in crate::cli) const RANDOM: &str = "\
Example:
  $ lwaa random formula --seed 5 --size 12 --atoms 3 --count 1
  G (!!p2 U ((false ^ p1) | p1 M p1))";

pub(in crate::cli) const COMPLETIONS: &str = "\
Example:
  $ lwaa completions bash > ~/.local/share/bash-completion/completions/lwaa";

pub(in crate::cli) const MAN: &str = "\
Example:
  $ lwaa man > ~/.local/share/man/man1/lwaa.1";

pub(in crate::cli) const CHECK: &str = "";

pub(in crate::cli) const EXPLORE: &str = "";

pub(in crate::cli) const SIMULATE: &str = "";

pub(in crate::cli) const REPLAY: &str = "";
