//! Random Promela texts of processes that work for themselves and pass on messages.

use crate::compare::Subject;
use lwaa::testbench::Random;
use std::fmt::Write;

const LOCAL: &[&str] = &[
    "x = (x + 1) % 3",
    "x = 1",
    "y = x",
    "y = (y + 1) % 2",
    "t[0] = 1",
    "t[x % 2] = y",
    "x = t[y % 2]",
    "skip",
    "x = (x + 2) % 3; y = 0",
    "t[1] = 1 - t[1]",
];

const LOCAL_GUARDS: &[&str] = &["x == 1", "x != 0", "y == 0", "t[0] == 1", "x > y", "true"];

const SHARED: &[&str] = &[
    "s0 = 1",
    "s0 = x",
    "s1 = 2",
    "b = !b",
    "b = true",
    "a[1] = x",
    "a[x] = 1",
    "a[0] = y",
    "x = a[1]",
    "x = s0 % 3",
    "c = (c + 1) % 4",
    "s1++",
    "atomic { s0 < 3 -> s0++ }",
    "atomic { s0 > 0 -> s0-- }",
    "d_step { s0 = x; x = s1 % 3 }",
    "d_step { b -> b = false; x = 0 }",
];

/// Statements about variables that mostly nothing depends on.
const UNSEEN: &[&str] = &[
    "u = (u + 1) % 3",
    "u = x",
    "v[x % 2] = u",
    "v[u % 2] = x",
    "w = v[1]",
    "w = (u -> v[0] : s0)",
    "atomic { u = 1; w = u }",
    "d_step { w = u; u = y }",
    "v[0] = (v[0] + x) % 3; v[1] = v[0]",
];

const SHARED_GUARDS: &[&str] =
    &["s0 == 1", "s0 < 2", "b", "!b", "a[1] == 1", "a[x] == 0", "s1 == 2", "c != 1"];

/// Statements about the channels `in` and `out` of a process, and about the rendezvous `r`.
const MESSAGES: &[&str] = &[
    "out!x,y",
    "out!x,y",
    "out!1,y",
    "out!2,1",
    "out!!x,1",
    "in?x,y",
    "in?x,y",
    "in?x,y",
    "in?1,y",
    "in?x,1",
    "in?eval(x),y",
    "in??1,y",
    "in??x,1",
    "in?<x,y>",
    "atomic { in?x,y; out!x,y }",
    "atomic { in?x,y; x = (x + 1) % 3; out!x,1 }",
    "d_step { nempty(in) -> in?x,y; y = 1 }",
    "r!x",
    "r?x",
    "r!1",
    "r?1",
    "timeout",
    "atomic { r?x; out!x,0 }",
    "atomic { in?x,_; r!x }",
    "h[x % 2]!x",
    "h[x % 2]?y",
    "h[0]!1",
    "h[1]?x",
    "g!in",
    "g?in",
    "atomic { _nr_pr < 6 -> run C(out, x) }",
    "atomic { _nr_pr < 6 -> run C(in, 1) }",
    "d_step { r?x; y = 0 }",
    "{ in?x,y } unless { b }",
    "{ out!x,y; x = 0 } unless { len(h[0]) == 1 }",
    "r?eval(x)",
    "out!x,s0",
    "select(x : 0 .. 2)",
    "for (y : 0 .. 1) { x = (x + y) % 3 }",
    "_nr_pr < 4",
    "atomic { do :: s0 > 0 -> s0-- od }",
    "atomic { do :: s0 < 3 -> s0++ od }",
    "atomic { do :: in?x,y :: x > 1 -> break od }",
    "atomic { s0 > 0 -> s0-- }",
    "atomic { s0 < 3 -> s0++ }",
];

const POLLS: &[&str] = &[
    "len(in) > 0",
    "nempty(in)",
    "empty(in)",
    "full(out)",
    "nfull(out)",
    "len(out) == 1",
    "in?[1,y]",
    "in??[x,1]",
];

/// What formulas may say about what all models have.
const ATOMS: &[&str] = &[
    "s0 == 1",
    "s0 < 2",
    "b",
    "a[1] == 1",
    "a[0] == a[2]",
    "s1 == 2",
    "_nr_pr == 2",
    "len(h[1]) == 1",
];

fn pick<T: Copy>(random: &mut Random, items: &[T]) -> T {
    items[random.below(items.len())]
}

/// How a model is.
struct Style {
    shared: f64,
    messages: f64,
    wrong: f64,
    unseen: f64,
}

/// A random model that reduces well.
pub(crate) fn random_pipelines(random: &mut Random) -> Subject {
    let style = Style {
        shared: pick(random, &[0.02, 0.1, 0.25]),
        messages: pick(random, &[0.15, 0.3, 0.5]),
        wrong: pick(random, &[0.0, 0.0, 0.1]),
        unseen: pick(random, &[0.0, 0.0, 0.1, 0.3]),
    };
    let n_processes = 2 + random.below(3);
    let is_ring = random.coin();
    let n_channels = if is_ring { n_processes } else { n_processes + 1 };
    let mut text =
        "byte s0, s1, c; bool b; byte a[3]; byte u, w, v[2];\nchan r = [0] of { byte };\n\
                    chan h[2] = [1] of { byte };\nchan g = [1] of { chan };\n\
                    proctype C(chan o; byte v) { byte w; w = v; o!w,1 }\n"
            .to_owned();
    let mut atoms: Vec<String> = ATOMS.iter().map(|&atom| atom.to_owned()).collect();
    for number in 0..n_channels {
        let capacity = 1 + random.below(3);
        let _ = writeln!(text, "chan q{number} = [{capacity}] of {{ byte, byte }};");
        for atom in ["len(q#) == 1", "len(q#) == 0", "len(q#) < 2", "q#?[1,1]"] {
            atoms.push(atom.replace('#', &number.to_string()));
        }
    }
    let is_run = random.chance(0.5);
    let n_types = if is_run { 1 + random.below(2) } else { n_processes };
    for number in 0..n_types {
        let (head, channels) = if is_run {
            (
                format!("proctype P{number}(chan in; chan out; byte x)"),
                ["in".to_owned(), "out".to_owned()],
            )
        } else {
            let next = (number + 1) % n_channels;
            (format!("active proctype P{number}()"), [format!("q{number}"), format!("q{next}")])
        };
        let body = named(&body(random, &style), &channels);
        let x = if is_run { "byte y; byte t[2];" } else { "byte x, y; byte t[2];" };
        let provided = if random.chance(0.05) { " provided (!b)" } else { "" };
        let _ = writeln!(text, "{head}{provided} {{ {x}\n{body}\n}}");
    }
    if is_run {
        text += &init(random, n_processes, n_types, n_channels);
    } else {
        if random.coin() {
            text = text.replace(
                "proctype P0() { byte x, y; byte t[2];\n",
                "proctype P0() { byte x, y; byte t[2];\nq0!1,1;\n",
            );
        }
        for number in 0..n_processes {
            atoms.push(format!("P{number}:x == {}", random.below(3)));
            atoms.push(format!("P{number}@middle"));
        }
    }
    Subject { language: "promela", text, atoms, wrong_atoms: Vec::new() }
}

/// The process that starts all others.
fn init(random: &mut Random, n_processes: usize, n_types: usize, n_channels: usize) -> String {
    let runs: Vec<String> = (0..n_processes)
        .map(|number| {
            let next = (number + 1) % n_channels;
            format!("run P{}(q{number}, q{next}, {})", number % n_types, random.below(3))
        })
        .collect();
    let runs = runs.join("; ");
    let first = pick(random, &["", "", "q0!1,1; "]);
    let last = pick(random, &["", "", "; s1 = 1", "; q0!2,1"]);
    let body = if random.coin() { format!("atomic {{ {runs} }}") } else { runs };
    format!("init {{ {first}{body}{last} }}\n")
}

/// Puts the names of channels in the place of `in` and `out`.
fn named(body: &str, [input, output]: &[String; 2]) -> String {
    let mut text = body.to_owned();
    for (word, name) in [("in", input), ("out", output)] {
        for (before, after) in
            [("", "?"), ("", "!"), ("(", ")"), ("(", ","), ("g!", ""), ("g?", "")]
        {
            text =
                text.replace(&format!("{before}{word}{after}"), &format!("{before}{name}{after}"));
        }
    }
    text
}

/// The body of a process: what it does once, and what it does for ever.
fn body(random: &mut Random, style: &Style) -> String {
    let n_first = random.below(3);
    let first: Vec<String> = (0..n_first).map(|_| statement(random, style, 1)).collect();
    let n_second = 1 + random.below(3);
    let second: Vec<String> = (0..n_second).map(|_| statement(random, style, 2)).collect();
    let first = if first.is_empty() { "skip".to_owned() } else { first.join(";\n") };
    let second = second.join(";\n");
    let end = pick(random, &["", "end: "]);
    match random.below(4) {
        0 => format!("{first};\nmiddle: {second}"),
        1 => format!("{first};\nmiddle: {end}{second};\ngoto middle"),
        2 => format!("{first};\nmiddle: skip;\n{end}do :: {second} od"),
        _ => format!(
            "{first};\nmiddle: skip;\n{end}do :: {second} :: {} -> break od",
            guard(random, style)
        ),
    }
}

fn guard(random: &mut Random, style: &Style) -> String {
    let list = match () {
        () if random.chance(style.shared) => SHARED_GUARDS,
        () if random.chance(style.messages / 2.0) => POLLS,
        () => LOCAL_GUARDS,
    };
    pick(random, list).to_owned()
}

fn statement(random: &mut Random, style: &Style, depth: usize) -> String {
    if random.chance(style.wrong) {
        let wrong = [
            "assert(x != 2)",
            "assert(s0 != 1 || !b)",
            "x = 2 / s0",
            "a[s1] = 1",
            "timeout",
            "2 / x == 1",
            "a[w] = 1",
            "assert(u != 1)",
        ];
        return pick(random, &wrong).to_owned();
    }
    if depth == 0 || random.chance(0.65) {
        let list = match () {
            () if random.chance(style.unseen) => UNSEEN,
            () if random.chance(style.shared) => SHARED,
            () if random.chance(style.messages) => MESSAGES,
            () => LOCAL,
        };
        return pick(random, list).to_owned();
    }
    let inner = |random: &mut Random| {
        let n_statements = 1 + random.below(2);
        let list: Vec<String> =
            (0..n_statements).map(|_| statement(random, style, depth - 1)).collect();
        list.join("; ")
    };
    match random.below(8) {
        0 | 1 => format!("atomic {{ {} }}", inner(random)),
        2 => format!("d_step {{ {}; {} }}", pick(random, LOCAL), pick(random, LOCAL)),
        3 => {
            let guard = guard(random, style);
            format!("if :: {guard} -> {} :: else -> {} fi", inner(random), inner(random))
        }
        4 => format!("if :: {} :: {} fi", inner(random), inner(random)),
        5 => format!("if :: {} -> {} :: {} fi", guard(random, style), inner(random), inner(random)),
        6 => format!("do :: {} :: {} -> break od", inner(random), guard(random, style)),
        _ => {
            let first = guard(random, style);
            format!("do :: {first} -> {}; break :: else -> {} od", inner(random), inner(random))
        }
    }
}
