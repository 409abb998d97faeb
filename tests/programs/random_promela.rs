//! Random Promela texts about processes that hold the model: `atomic`, `d_step`, `unless`,
//! rendezvous, `else`, `timeout`, and what blocks or goes wrong in between.
//!
//! Some texts break a rule of the language; the reader rejects them.

use lwaa::testbench::Random;
use std::fmt::Write;

const SIMPLE: &[&str] = &[
    "x = (x + 1) % 3",
    "y = (y + 1) % 2",
    "b = !b",
    "b = (x == y)",
    "x == 1",
    "y != x",
    "b",
    "skip",
    "c!x",
    "c?y",
    "c?1",
    "c!1",
    "d!y",
    "d?x",
    "d??1",
    "len(d) == 1",
    "timeout",
    "x = (x + 1) / y",
    "assert(x != 2 || y == 0)",
    "do :: y = 1 - y od",
    "do :: c!0 :: b -> break od",
];

const COMPOUND: &[&str] = &["atomic { $ }", "atomic { $ }", "d_step { $ }", "{ $ } unless { $ }"];

/// The text of a model with two or three processes.
pub(crate) fn random_promela(random: &mut Random) -> String {
    let mut text =
        "byte x, y; bool b;\nchan c = [0] of { byte };\nchan d = [1] of { byte };\n".to_owned();
    for number in 0..2 + random.below(2) {
        // Most processes go on for ever, so that there are states to compare.
        let (before, after) = if random.chance(0.7) { ("do :: ", " od") } else { ("", "") };
        let body = sequence(random, 3);
        let _ = writeln!(text, "active proctype P{number}() {{ {before}{body}{after} }}");
    }
    text
}

fn sequence(random: &mut Random, depth: usize) -> String {
    let n_statements = 1 + random.below(3);
    let statements: Vec<String> = (0..n_statements).map(|_| statement(random, depth)).collect();
    statements.join("; ")
}

fn statement(random: &mut Random, depth: usize) -> String {
    if depth == 0 || random.chance(0.4) {
        return SIMPLE[random.below(SIMPLE.len())].to_owned();
    }
    if random.chance(0.65) {
        let parts = COMPOUND[random.below(COMPOUND.len())].split('$');
        let parts: Vec<String> = parts.map(str::to_owned).collect();
        let mut text = parts[0].clone();
        for part in &parts[1..] {
            text += &sequence(random, depth - 1);
            text += part;
        }
        return text;
    }
    let mut options = String::new();
    for _ in 0..=random.below(2) {
        let _ = write!(options, " :: {}", sequence(random, depth - 1));
    }
    if random.chance(0.4) {
        let _ = write!(options, " :: else -> {}", sequence(random, depth - 1));
    }
    match random.below(3) {
        0 => format!("do{options} :: break od"),
        _ => format!("if{options} fi"),
    }
}
