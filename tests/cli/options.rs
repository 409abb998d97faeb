//! Every option of every command does something: there is a case in which it
//! changes what is printed or written, or in which it is refused.
//!
//! Commands and options are taken from the help texts of the program, so an
//! option without a case fails the test, and so does a case without an option.

use crate::program::{Folder, command, lwaa};
use regex_lite::Regex;
use std::collections::{BTreeMap, BTreeSet};
use std::path::Path;

/// An option, a command line without it and one with it.
///
/// They are as typed in a shell behind the name of the command, with `'…'` around
/// words that have spaces and `[…]` around formulas; variables of the environment may
/// come first. The files of [`folder`] are where the command runs. What the file `out` contains
/// in the end counts as output.
struct Case(&'static str, &'static str, &'static str);

/// How a command asks for a model of a formula: what comes before and behind it.
type Frame = (&'static str, &'static str);

/// A command, how it asks for a model of a formula, and its options.
type Row = (&'static str, Frame, &'static [&'static [Case]]);

/// What all commands have.
const COMMON: &[Case] = &[
    Case("--help", "--help --color always", "--help"),
    Case("--color", "--help", "--help --color always"),
];

const ALL: &[Row] = &[
    ("sat", ("'", "'"), &[QUESTION, FILE, SAT]),
    ("valid", ("'!(", ")'"), &[QUESTION, FILE]),
    ("implies", ("'", "' false"), &[QUESTION]),
    ("equiv", ("'", "' false"), &[QUESTION]),
    ("check", ("-f '!(", ")'"), &[CHECK, CHECK_LOGIC]),
    ("explore", ("", ""), &[EXPLORE]),
    ("mcc", ("", ""), &[MCC]),
    ("simulate", ("", ""), &[SIMULATE]),
    ("replay", ("", ""), &[REPLAY]),
    ("requirements", ("", ""), &[REQUIREMENTS]),
    ("translate", ("'", "'"), &[TRANSLATE, FILE]),
    ("cross", ("", ""), &[CROSS]),
    ("bench", ("", ""), &[BENCH]),
    ("formula", ("", ""), &[FORMULA]),
    ("random formula", ("", ""), &[RANDOM_FORMULA]),
    ("random kripke", ("", ""), &[RANDOM_KRIPKE]),
    ("completions", ("", ""), &[]),
    ("man", ("", ""), &[]),
];

const QUESTION: &[Case] = &[
    Case("--json", "[p]", "[p] --json"),
    Case("--stats", "[p]", "[p] --stats"),
    Case("--finite", "[!X true]", "[!X true] --finite"),
    Case("--engine", "[p U q] --stats", "[p U q] --stats --engine gpvw"),
    Case(
        "--labels",
        "[LOOPS] --stats --engine lwaa-pure",
        "[LOOPS] --stats --engine lwaa-pure --labels simple",
    ),
    Case("--labels", "[p] --engine gpvw", "[p] --engine gpvw --labels exact"),
    Case("--successors", "[LOOPS] --stats --successors sat", "[LOOPS] --stats --successors direct"),
    Case("--successors", "[p] --engine gpvw", "[p] --engine gpvw --successors sat"),
    Case("--strategy", "[p U q] --stats", "[p U q] --stats --strategy bounded"),
    Case("--strategy", "[p] --engine gpvw", "[p] --engine gpvw --strategy auto"),
    Case("--syntax", "[GFp]", "[GFp] --syntax spot"),
    Case("--cache-size", "[AGAIN] --stats --strategy explicit", "[AGAIN] --stats --cache-size 1"),
    Case("--cache-size", "[p] --engine gpvw", "[p] --engine gpvw --cache-size 1"),
    Case("--time", "[LOOPS]", "[LOOPS] --time 0s"),
    Case("--memory", "[LOOPS]", "[LOOPS] --memory 1"),
    Case("--states", "[LOOPS]", "[LOOPS] --states 0"),
];

const FILE: &[Case] = &[Case("--file", "[false]", "--file formula.txt")];

const SAT: &[Case] = &[
    Case("--batch", "p", "--batch table.tsv"),
    Case("--jobs", "p", "p --jobs 1"),
    Case(
        "--jobs",
        "LWAA_LOG=info --batch table.tsv --jobs 1",
        "LWAA_LOG=info --batch table.tsv --jobs 2",
    ),
    Case("--csv", "--batch table.tsv", "--batch table.tsv --csv out"),
    Case("--csv", "p", "p --csv out"),
    Case("--core", "'p & !p'", "'p & !p' --core"),
    Case("--html", "p", "p --html out"),
    Case("--html", "p", "p --html -"),
    Case("--html", "--batch table.tsv", "--batch table.tsv --html out"),
    Case("--explain", "'F p'", "'F p' --explain"),
    Case("--explain", "p --json", "p --json --explain"),
    Case("--finite", "--batch table.tsv", "--batch table.tsv --finite"),
    Case("--json", "--batch table.tsv", "--batch table.tsv --json"),
    Case("--stats", "--batch table.tsv", "--batch table.tsv --stats"),
    Case("--engine", "--batch table.tsv --csv out", "--batch table.tsv --csv out --engine gpvw"),
    Case(
        "--strategy",
        "--batch table.tsv --csv out",
        "--batch table.tsv --csv out --strategy bounded",
    ),
    Case("--syntax", "--batch table.tsv", "--batch table.tsv --syntax spot"),
    Case("--time", "--batch table.tsv", "--batch table.tsv --time 0s"),
    Case("--memory", "--batch table.tsv", "--batch table.tsv --memory 1"),
    Case("--states", "--batch table.tsv", "--batch table.tsv --states 0"),
    Case("--stats", "'p & !p' --core", "'p & !p' --core --stats"),
    Case("--strategy", "'p & !p' --core", "'p & !p' --core --strategy proof"),
    Case("--strategy", "'p & !p' --core", "'p & !p' --core --strategy bounded"),
    Case("--time", "'p & G !p' --core", "'p & G !p' --core --time 0s"),
    Case("--memory", "'p & G !p' --core", "'p & G !p' --core --memory 1"),
    Case("--states", "'p & X q & G !q' --core", "'p & X q & G !q' --core --states 0"),
];

const CHECK: &[Case] = &[
    Case("--language", "turns.lwm", "turns.lwm --language dve"),
    Case("-D", "turns.lwm --stats", "turns.lwm --stats -D N=3"),
    Case("--formula", "turns.lwm", "turns.lwm --formula 'G F turn == 0'"),
    Case("--file", "turns.lwm", "turns.lwm --file formula.txt"),
    Case("--prop", "turns.lwm", "turns.lwm --prop alone"),
    Case("--nonprogress", "turns.lwm", "loop.pml --nonprogress"),
    Case("--nonprogress", "loop.pml -f true", "loop.pml --nonprogress"),
    Case("--exists", "turns.lwm", "turns.lwm --exists"),
    Case("--fair", "free.lwm", "free.lwm --fair weak"),
    Case(
        "--search",
        "turns.lwm --engine gpvw --stats",
        "turns.lwm --engine gpvw --stats --search scc",
    ),
    Case("--search", "turns.lwm", "turns.lwm --search nested"),
    Case("--knowledge", "turns.lwm", "turns.lwm --knowledge on"),
    Case("--knowledge", "turns --stats", "turns --stats --knowledge off"),
    Case("--reductions", "turns.lwm", "turns.lwm --reductions all"),
    Case("--reductions", "turns", "turns --reductions parallel-places,others"),
    Case("--order", "free.lwm -f 'F false'", "free.lwm -f 'F false' --order random:2"),
    Case(
        "--shortest",
        "turns.lwm --prop served --stats",
        "turns.lwm --prop served --stats --shortest",
    ),
    Case("--deadlock", "stop.lwm -f 'F x == 1'", "stop.lwm -f 'F x == 1' --deadlock report"),
    Case("--deadlock", "stop.lwm -f 'F x == 2'", "stop.lwm -f 'F x == 2' --deadlock ignore"),
    Case("--deadlock", "loop.pml --nonprogress", "loop.pml --nonprogress --deadlock report"),
    Case("--errors", "wrong.lwm -f 'F x == 1'", "wrong.lwm -f 'F x == 1' --errors ignore"),
    Case("--errors", "wrong.lwm -f 'G x < 2'", "wrong.lwm -f 'G x < 2' --errors stop"),
    Case("--trace", "turns.lwm --prop served", "turns.lwm --prop served --trace out"),
    Case("--html", "turns.lwm", "turns.lwm --html out"),
    Case("--html", "turns.lwm", "turns.lwm --html -"),
    Case("--chart", "turns.lwm --prop alone", "turns.lwm --prop alone --chart chart.svg"),
    Case("--chart", "turns.lwm --prop served", "turns.lwm --prop served --chart out"),
    Case("--explain", "turns.lwm", "turns.lwm --explain"),
    Case("--explain", "turns.lwm --json", "turns.lwm --json --explain"),
    Case("--json", "turns.lwm", "turns.lwm --json"),
    Case("--stats", "turns.lwm", "turns.lwm --stats"),
    Case("--reduce", "turns.lwm --stats", "turns.lwm --stats --reduce off"),
    Case("--store", "turns.lwm -D N=9 --stats", "turns.lwm -D N=9 --stats --store tree"),
    Case("--store", "turns.lwm", "turns.lwm --store bitstate"),
    Case("--time", "turns.lwm --prop alone", "turns.lwm --prop alone --time 0s"),
    Case("--memory", "turns.lwm", "turns.lwm --memory 1"),
    Case("--states", "turns.lwm", "turns.lwm --states 1"),
];

const CHECK_LOGIC: &[Case] = &[
    Case("--engine", "turns.lwm --stats", "turns.lwm --stats --engine gastin-oddoux"),
    Case(
        "--labels",
        "atoms.kripke [LOOPS] --stats",
        "atoms.kripke [LOOPS] --stats --labels simple",
    ),
    Case("--labels", "turns.lwm --engine gpvw", "turns.lwm --engine gpvw --labels exact"),
    Case("--successors", "turns.lwm --engine gpvw", "turns.lwm --engine gpvw --successors bdd"),
    Case(
        "--successors",
        "atoms.kripke [LOOPS] --stats",
        "atoms.kripke [LOOPS] --stats --successors direct",
    ),
    Case("--strategy", "turns.lwm", "turns.lwm --strategy auto"),
    Case("--syntax", "atoms.kripke [GFp]", "atoms.kripke [GFp] --syntax spot"),
    Case("--cache-size", "turns.lwm --stats -D N=3", "turns.lwm --stats -D N=3 --cache-size 1"),
];

const EXPLORE: &[Case] = &[
    Case("--language", "turns.lwm", "turns.lwm --language dve"),
    Case("-D", "turns.lwm", "turns.lwm -D N=3"),
    Case("--deadlock", "stop.lwm", "stop.lwm --deadlock report"),
    Case("--errors", "wrong.lwm", "wrong.lwm --errors ignore"),
    Case("--errors", "wrong.lwm", "wrong.lwm --errors stop"),
    Case("--dot", "turns.lwm", "turns.lwm --dot out"),
    Case("--svg", "turns.lwm", "turns.lwm --svg out"),
    Case("--svg", "turns.lwm -D N=200", "turns.lwm -D N=200 --svg out"),
    Case("--label", "turns.lwm --dot out", "turns.lwm --dot out --label 'turn == 0'"),
    Case("--label", "turns.lwm", "turns.lwm --label 'turn == 0'"),
    Case("--trace", "turns.lwm --dot out", "turns.lwm --dot out --trace run.json"),
    Case("--json", "turns.lwm", "turns.lwm --json"),
    Case("--stats", "turns.lwm", "turns.lwm --stats"),
    Case("--reduce", "turns.lwm --stats", "turns.lwm --stats --reduce on"),
    Case("--store", "turns.lwm -D N=9 --stats", "turns.lwm -D N=9 --stats --store tree"),
    Case("--store", "turns.lwm", "turns.lwm --store hybrid"),
    Case("--time", "turns.lwm", "turns.lwm --time 0s"),
    Case("--memory", "turns.lwm", "turns.lwm --memory 1"),
    Case("--states", "turns.lwm", "turns.lwm --states 1"),
];

const MCC: &[Case] = &[
    Case(
        "--knowledge",
        "turns LTLCardinality --states 0",
        "turns LTLCardinality --states 0 --knowledge off",
    ),
    Case("--reductions", "turns StateSpace", "turns StateSpace --reductions none"),
    Case("--time", "turns LTLCardinality", "turns LTLCardinality --time 0s"),
    Case("--memory", "turns LTLCardinality", "turns LTLCardinality --memory 1"),
    Case("--states", "turns StateSpace", "turns StateSpace --states 1"),
];

const SIMULATE: &[Case] = &[
    Case("--language", "turns.lwm", "turns.lwm --language dve"),
    Case("-D", "turns.lwm", "turns.lwm -D N=3"),
    Case("--steps", "turns.lwm", "turns.lwm --steps 3"),
    Case("--seed", "turns.lwm", "turns.lwm --seed 1"),
    Case("--interactive", "turns.lwm", "turns.lwm --interactive"),
    Case("--trace", "turns.lwm", "turns.lwm --trace out"),
    Case("--html", "turns.lwm", "turns.lwm --html out"),
    Case("--chart", "turns.lwm", "turns.lwm --chart out"),
    Case("--time", "turns.lwm", "endless.pml --time 10ms"),
    Case("--time", "turns.lwm --interactive", "turns.lwm --interactive --time 1s"),
    Case("--memory", "turns.lwm --steps 100000", "turns.lwm --steps 100000 --memory 1"),
];

const REPLAY: &[Case] = &[
    Case("-D", "turns.lwm run.json", "turns.lwm run.json -D N=3"),
    Case("--language", "turns.lwm run.json", "turns.lwm run.json --language dve"),
    Case("--html", "turns.lwm run.json", "turns.lwm run.json --html out"),
    Case("--chart", "turns.lwm run.json", "turns.lwm run.json --chart out"),
    Case("--time", "turns.lwm run.json", "turns.lwm pipe --time 1ms"),
    Case("--memory", "turns.lwm run.json", "turns.lwm pipe --memory 1"),
];

const REQUIREMENTS: &[Case] = &[
    Case("--conflicts", "conflicts.txt", "conflicts.txt --conflicts 1"),
    Case("--json", "conflicts.txt", "conflicts.txt --json"),
    Case("--html", "conflicts.txt", "conflicts.txt --html out"),
    Case("--syntax", "words.txt", "words.txt --syntax spot"),
    Case("--time", "conflicts.txt", "conflicts.txt --time 0s"),
    Case("--memory", "conflicts.txt", "conflicts.txt --memory 1"),
    Case("--states", "conflicts.txt", "conflicts.txt --states 0"),
];

const TRANSLATE: &[Case] = &[
    Case("--to", "[p U q]", "[p U q] --to nba"),
    Case("--via", "[LOOPS] --to tgba", "[LOOPS] --to tgba --via gpvw"),
    Case("--via", "[p]", "[p] --via gpvw"),
    Case("--format", "[p U q]", "[p U q] --format dot"),
    Case("--raw", "[p & G p]", "[p & G p] --raw"),
    Case("--svg", "[p U q]", "[p U q] --svg out"),
    Case("--syntax", "[GFp]", "[GFp] --syntax spot"),
    Case("--time", "[p U q]", "[p U q] --time 0s"),
    Case("--memory", "[p U q]", "[p U q] --memory 1"),
    Case("--states", "[p U q]", "[p U q] --states 0"),
];

const CROSS: &[Case] = &[
    Case("--seed", "--json --rounds 1", "--json --rounds 1 --seed 1"),
    Case("--rounds", "--rounds 1", "--rounds 2"),
    Case(
        "--translator",
        "--rounds 1",
        "--rounds 1 --translator 'lwaa translate %f --to nba --format hoa'",
    ),
    Case("--builtin", "--rounds 1", "--rounds 1 --builtin lwaa"),
    Case(
        "--timeout",
        "--rounds 1 --translator 'sleep 0.2; echo %f'",
        "--rounds 1 --translator 'sleep 0.2; echo %f' --timeout 1ms",
    ),
    Case("--json", "--rounds 1", "--rounds 1 --json"),
    Case("--html", "--rounds 1", "--rounds 1 --html out"),
    Case("--stats", "--rounds 1", "--rounds 1 --stats"),
    Case("--size", "--json --rounds 1", "--json --rounds 1 --size 3"),
    Case("--atoms", "--json --rounds 1", "--json --rounds 1 --atoms 1"),
    Case("--priority", "--json --rounds 1", "--json --rounds 1 --priority U=100"),
    Case("--states", "WRONG", "WRONG --states 2"),
    Case("--density", "WRONG", "WRONG --density 1"),
    Case("--truth", "WRONG", "WRONG --truth 1"),
    Case("--time", "--rounds 1", "--rounds 1 --time 0s"),
    Case("--memory", "--rounds 1", "--rounds 1 --memory 1"),
    Case("--complement", "--rounds 2", "--rounds 2 --complement 0"),
];

const BENCH: &[Case] = &[
    Case("--html", "suite.toml", "suite.toml --html out"),
    Case("--csv", "suite.toml", "suite.toml --csv out"),
    Case("--plots", "suite.toml", "suite.toml --plots -"),
    Case("--time", "suite.toml", "suite.toml --time 0s"),
    Case("--memory", "suite.toml", "suite.toml --memory 1"),
    Case("--states", "suite.toml", "suite.toml --states 0"),
];

const FORMULA: &[Case] = &[
    Case("--list", "counter 1", "--list"),
    Case("--dialect", "counter 1", "counter 1 --dialect lbt"),
    Case("--time", "--list", "--list --time 0s"),
    Case("--memory", "--list", "--list --memory 1"),
    Case("--time", "sf-sat 1", "counter 20000 --time 0s"),
    Case("--memory", "sf-sat 1", "counter 20000 --memory 1"),
];

const RANDOM_FORMULA: &[Case] = &[
    Case("--seed", "", "--seed 1"),
    Case("--size", "", "--size 3"),
    Case("--atoms", "--size 30", "--size 30 --atoms 30"),
    Case("--count", "", "--count 2"),
    Case("--priority", "--size 30", "--size 30 --priority U=100"),
    Case("--dialect", "", "--dialect lbt"),
    Case("--time", "", "--size 1000 --count 1000000000 --time 30ms"),
    Case("--memory", "", "--size 1000 --count 1000000000 --memory 1"),
];

const RANDOM_KRIPKE: &[Case] = &[
    Case("--seed", "--states 5", "--states 5 --seed 1"),
    Case("--states", "", "--states 5"),
    Case("--atoms", "--states 5", "--states 5 --atoms 1"),
    Case("--density", "--states 5", "--states 5 --density 1"),
    Case("--truth", "--states 5", "--states 5 --truth 1"),
    Case("--time", "--states 5", "--states 30000 --time 0s"),
    Case("--memory", "--states 5", "--states 30000 --memory 1"),
];

/// What the words in capitals stand for: a formula whose steps depend on loops, one for
/// which edges are asked for again, and a translator that is wrong about almost everything.
const WORDS: [(&str, &str); 3] = [
    ("LOOPS", "(p U q) & (p0 U p1) & G (!q | !p1) & X G F (p & X p0) & F G (p1 -> X X !p1)"),
    ("AGAIN", "X G (X (((X p1 U p1 U p0) U p2 -> G !p1) M F !(G p2 U p2)) & p2)"),
    ("WRONG", "--json --rounds 1 --translator 'lwaa translate \"F (%f)\" --to nba --format hoa'"),
];

/// A folder with everything that the cases read.
fn folder() -> Folder {
    let folder = Folder::new("options");
    folder.file(
        "turns.lwm",
        "const N = 2;\nvar turn: 0..N-1 = 0;\nvar busy[N]: bool = false;\n\
         process worker(i in 0..N-1) {\n\
         action start when turn == i && !busy[i] do busy[i]' = true;\n\
         action stop when busy[i] do busy[i]' = false, turn' = (turn + 1) % N;\n\
         action skip when turn == i && !busy[i] do turn' = (turn + 1) % N;\n}\n\
         ltl alone: G !(busy[0] && busy[1]);\nltl served: G F busy[0];\n",
    );
    folder.file("stop.lwm", "var x: 0..2 = 0;\nprocess p { action a when x == 0 do x' = 1; }\n");
    folder.file("endless.pml", "int x; active proctype P() { d_step { do :: x = x + 1 od } }\n");
    folder.file(
        "wrong.lwm",
        "var x: 0..2 = 0;\nprocess p {\n    action a when x == 0 do assert false, x' = 1;\n    \
         action b when x == 0 do x' = 2;\n}\n",
    );
    folder.turns();
    folder.file("loop.pml", "byte x; active proctype P() { do :: x = 1 - x od }\n");
    folder.file("words.txt", "A: GFp\nB: G !p\n");
    folder.file(
        "free.lwm",
        "var x: bool = false;\nprocess a { action go do x' = true; }\n\
         process b { action idle do x' = x; }\nltl sometime: F x;\n",
    );
    folder.file("formula.txt", "F \"turn == 1\"\n");
    folder.file("table.tsv", "formula\nGFp\np & !p\nG X true\n(p U q) & F !q\n");
    folder.file("conflicts.txt", "A: G p\nB: F !p\nC: G q\nD: F !q\nE: G F (p & X !p)\n");
    folder.file(
        "suite.toml",
        "title = \"one\"\n[[pipeline]]\nname = \"ours\"\nlwaa = [\"sat\", \"--strategy\", \"explicit\"]\n\
         [[formulas]]\nfamily = \"counter\"\nn = [1]\n",
    );
    folder.file(
        "atoms.kripke",
        "atoms p q p0 p1 GFp\ninitial a\nstate a p p0 -> a b c\nstate b q -> a c\nstate c p1 p -> a b\n",
    );
    // Nothing ever comes out of it, so reading it takes for ever.
    let pipe = std::process::Command::new("mkfifo").arg(folder.path().join("pipe")).status();
    assert!(pipe.unwrap().success());
    let run = lwaa(&[
        "check",
        folder.path().join("turns.lwm").to_str().unwrap(),
        "--prop=served",
        "--trace",
        folder.path().join("run.json").to_str().unwrap(),
    ]);
    assert_eq!(run.code, Some(1), "{run:?}");
    folder
}

/// What a command prints and writes, without times and amounts of memory, and its exit code.
type Effect = (String, String, Option<String>, Option<i32>);

/// Runs commands, each command line once.
struct Runner {
    folder: Folder,
    times: Regex,
    known: BTreeMap<Vec<String>, Effect>,
}

impl Runner {
    fn new() -> Self {
        let times = [
            r#""(seconds|peak_bytes|states_per_second|resident_bytes)":[0-9.e-]+"#,
            r"[0-9]+(\.[0-9]+)? (s|ms|µs|KiB|MiB|GiB)\b",
            r"(time|peak memory|states per second) +[0-9.]+",
            r",[0-9]+\.[0-9]{3},|,[0-9]{7,}\b",
            r"[0-9]{4}-[0-9]{2}-[0-9]{2}T[0-9:.]+Z",
        ];
        Self {
            folder: folder(),
            times: Regex::new(&times.join("|")).unwrap(),
            known: BTreeMap::new(),
        }
    }

    fn effect(&mut self, words: &[String]) -> Effect {
        if let Some(effect) = self.known.get(words) {
            return effect.clone();
        }
        let effect = self.run(words);
        self.known.insert(words.to_vec(), effect.clone());
        effect
    }

    fn run(&self, words: &[String]) -> Effect {
        let is_variable = |word: &&String| word.starts_with("LWAA_LOG=");
        let (variables, words): (Vec<&String>, Vec<&String>) = words.iter().partition(is_variable);
        let words: Vec<&str> = words.into_iter().map(String::as_str).collect();
        let programs = Path::new(env!("CARGO_BIN_EXE_lwaa")).parent().unwrap();
        let path = format!("{}:{}", programs.display(), std::env::var("PATH").unwrap());
        let mut command = command(&words);
        command.current_dir(self.folder.path()).env("PATH", path);
        command.envs(variables.into_iter().filter_map(|variable| variable.split_once('=')));
        let output = command.stdin(std::process::Stdio::null()).output().unwrap();
        let text = |bytes: &[u8]| {
            self.times.replace_all(&String::from_utf8_lossy(bytes), "T").into_owned()
        };
        let out = self.folder.path().join("out");
        let written = std::fs::read(&out).ok().map(|bytes| text(&bytes));
        let _ = std::fs::remove_file(out);
        (text(&output.stdout), text(&output.stderr), written, output.status.code())
    }
}

/// The words of a line of a case.
fn words(command: &str, (before, behind): Frame, line: &str) -> Vec<String> {
    let mut line = line.replace('[', before).replace(']', behind);
    for (word, meaning) in WORDS {
        line = line.replace(word, meaning);
    }
    let mut words: Vec<String> = command.split(' ').map(str::to_owned).collect();
    for (number, part) in line.split('\'').enumerate() {
        if number % 2 == 0 {
            words.extend(part.split_whitespace().map(str::to_owned));
        } else {
            words.push(part.to_owned());
        }
    }
    words
}

/// The options that a help text lists, by their long names if they have one.
fn listed(help: &str) -> BTreeSet<String> {
    let option = Regex::new(r"(?m)^ +(?:-\w, )?(--[a-z][a-z-]*|-\w)\b").unwrap();
    option.captures_iter(help).map(|found| found[1].to_owned()).collect()
}

/// The commands that a help text lists.
fn commands(help: &str) -> Vec<String> {
    let behind = help.split_once("Commands:\n").map_or("", |(_, behind)| behind);
    let lines = behind.lines().take_while(|line| !line.is_empty());
    let names = lines.filter_map(|line| line.split_whitespace().next());
    names.filter(|name| *name != "help").map(str::to_owned).collect()
}

/// Every command of the program, those of `random` included, with its options.
fn all_listed() -> BTreeMap<String, BTreeSet<String>> {
    let mut found = BTreeMap::new();
    let mut open = commands(&lwaa(&["--help"]).stdout);
    while let Some(command) = open.pop() {
        let words: Vec<&str> = command.split(' ').chain(["--help"]).collect();
        let help = lwaa(&words).stdout;
        let below = commands(&help);
        if below.is_empty() {
            found.insert(command, listed(&help));
        } else {
            open.extend(below.into_iter().map(|name| format!("{command} {name}")));
        }
    }
    found
}

#[test]
fn every_option_has_a_case() {
    let cases = ALL.iter().map(|(command, _, cases)| {
        let options = cases.iter().flat_map(|cases| cases.iter().map(|case| case.0));
        let options = options.chain(COMMON.iter().map(|case| case.0)).map(str::to_owned);
        ((*command).to_owned(), options.collect())
    });
    let cases: BTreeMap<String, BTreeSet<String>> = cases.collect();
    assert_eq!(all_listed(), cases, "left: options of the program, right: options with a case");
}

#[test]
fn every_option_changes_something_or_is_refused() {
    let mut runner = Runner::new();
    let (mut wrong, mut bases) = (Vec::new(), BTreeSet::new());
    for &(command, frame, cases) in ALL {
        for &Case(option, without, with) in cases.iter().copied().flatten().chain(COMMON) {
            let (without, with) = (words(command, frame, without), words(command, frame, with));
            let first = runner.effect(&without);
            let second = runner.effect(&with);
            let is_refused = second.3 == Some(2);
            // A refusal names what it refuses, and does nothing else.
            let is_object = with.iter().any(|word| word == "--json")
                && second.0.starts_with("{\"schema\":1,\"verdict\":\"error\",");
            let is_silent = (second.0.is_empty() || is_object) && second.2.is_none();
            let is_clear = second.1.contains(option) && is_silent;
            // A limit that is kept says so; for `bench` it is a result like others.
            let is_limit = ["--time", "--memory"].contains(&option) && command != "bench";
            let is_kept = is_refused || !is_limit || second.3 == Some(3);
            if first.3 == Some(2) || first == second || (is_refused && !is_clear) || !is_kept {
                wrong.push(format!("{}\n{first:?}\n{second:?}\n", with.join(" ")));
            }
            bases.insert(without);
        }
    }
    assert!(
        wrong.is_empty(),
        "accepted and ignored, or refused without a word:\n{}",
        wrong.join("\n")
    );
    // What differs from run to run would make every option seem to change something.
    for words in bases {
        assert_eq!(runner.effect(&words), runner.run(&words), "{words:?}");
    }
}
