//! Random models as `.lwm` text: small state spaces with every construct of the
//! language.
//!
//! Three propositions, `p0` to `p2`, are declared, so that random formulas over
//! three atoms fit. Now and then an update leaves the range of its variable.

use lwaa::testbench::Random;
use std::fmt::Write;

/// The text of a random model.
#[allow(dead_code, reason = "not all tests need it")]
pub(crate) fn random_model(random: &mut Random) -> String {
    model(random, false).0
}

/// The text of a random model that may declare fairness, and atoms about its
/// processes and actions: `taken(worker(0))`, `enabled(move0)`.
#[allow(dead_code, reason = "not all tests need it")]
pub(crate) fn random_fair_model(random: &mut Random) -> (String, Vec<String>) {
    let (text, movers) = model(random, true);
    let about = |word: &str| movers.iter().map(|mover| format!("{word}({mover})")).collect();
    let atoms: [Vec<String>; 2] = [about("taken"), about("enabled")];
    (text, atoms.concat())
}

/// The text of a model and its processes and actions, as formulas name them.
fn model(random: &mut Random, fair: bool) -> (String, Vec<String>) {
    let mut movers = Vec::new();
    let mut text = String::from("const K = 2;\ntype Color = { red, green, blue };\n");
    let initial = pick(random, &["false", "true", "any"]);
    let _ = writeln!(text, "var a: bool = {initial};");
    let initial = pick(random, &["0", "K", "1", "any"]);
    let _ = writeln!(text, "var b: 0..K = {initial};");
    let initial = pick(random, &["false", "[true, false]", "[i == 1 for i in 0..1]"]);
    let _ = writeln!(text, "var c[2]: bool = {initial};");
    let _ = writeln!(text, "var d: Color = {};", color(random));
    let n_workers = 1 + random.below(2);
    text.push_str(fairness(random, fair));
    let _ = writeln!(text, "process worker(i in 0..{}) {{", n_workers - 1);
    let _ = writeln!(text, "    var x: -1..1;");
    for number in 0..=random.below(3) {
        text.push_str(fairness(random, fair));
        let name = format!("work{number}");
        action(&mut text, random, &name, true);
        movers.push(format!("worker(0).{name}"));
    }
    text.push_str("}\n");
    if random.coin() {
        for number in 0..=random.below(2) {
            text.push_str(fairness(random, fair));
            let name = format!("move{number}");
            action(&mut text, random, &name, false);
            movers.push(name);
        }
    }
    movers.extend((0..n_workers).map(|number| format!("worker({number})")));
    movers.extend(["worker", "worker.work0"].map(str::to_owned));
    if fair && random.chance(0.3) {
        let mover = pick(random, &["worker(0)", "worker.work0", "worker"]);
        let _ = writeln!(text, "{}{mover};", pick(random, &["weak fair ", "strong fair "]));
    }
    for number in 0..3 {
        let condition = condition(random, false, 2);
        let _ = writeln!(text, "prop p{number} = {condition};");
    }
    (text, movers)
}

/// What stands in front of a declaration that may be fair.
fn fairness(random: &mut Random, fair: bool) -> &'static str {
    if fair { pick(random, &["", "", "", "weak fair ", "strong fair "]) } else { "" }
}

fn pick<'a>(random: &mut Random, words: &[&'a str]) -> &'a str {
    words[random.below(words.len())]
}

fn color(random: &mut Random) -> &'static str {
    pick(random, &["red", "green", "blue"])
}

fn action(text: &mut String, random: &mut Random, name: &str, local: bool) {
    let _ = write!(text, "    action {name}");
    let parameter = random.chance(0.2);
    if parameter {
        text.push_str("(k in 0..1)");
    }
    let choice = random.chance(0.3);
    if choice {
        text.push_str(" with n in 0..2");
    }
    if random.chance(0.9) {
        let _ = write!(text, " when {}", condition(random, local, 2));
    }
    text.push_str(" do ");
    let mut targets: Vec<&str> = vec!["a", "b", "d", "c[0]", "c[1]"];
    if local {
        targets.push("x");
    }
    for number in 0..=random.below(3) {
        let target = targets.swap_remove(random.below(targets.len()));
        let separator = if number == 0 { "" } else { ", " };
        let value = match target {
            "b" => number_value(random, choice, parameter),
            "x" => pick(random, &["0", "1", "-1", "-x", "if a then 1 else 0", "x * x"]).to_owned(),
            "d" if random.coin() => "if a then d else red".to_owned(),
            "d" => color(random).to_owned(),
            _ => condition(random, local, 1),
        };
        let _ = write!(text, "{separator}{target}' = {value}");
    }
    if random.chance(0.05) {
        let _ = write!(text, ", assert {}", condition(random, local, 1));
    }
    text.push_str(";\n");
}

fn number_value(random: &mut Random, choice: bool, parameter: bool) -> String {
    match random.below(7) {
        0 if choice => "n".to_owned(),
        1 if parameter => "k + 1".to_owned(),
        2 => "(b + 1) % 3".to_owned(),
        3 => "K - b".to_owned(),
        4 => "sum(m in 0..1: if c[m] then 1 else 0)".to_owned(),
        5 if random.chance(0.2) => "b + 1".to_owned(),
        _ => random.below(3).to_string(),
    }
}

fn condition(random: &mut Random, local: bool, depth: usize) -> String {
    let kind = if depth == 0 { random.below(6) } else { random.below(10) };
    match kind {
        0 => "a".to_owned(),
        1 => format!("b {} {}", pick(random, &["==", "!=", "<", "<=", ">", ">="]), random.below(3)),
        2 => format!("c[{}]", if local { "i" } else { "0" }),
        3 => format!("d {} {}", pick(random, &["==", "!="]), color(random)),
        4 if local => format!("x == {}", pick(random, &["-1", "0", "1"])),
        4 => "worker(0).x == 1".to_owned(),
        5 => format!("({} j in 0..1: c[j])", pick(random, &["exists", "forall"])),
        6 => format!("!({})", condition(random, local, depth - 1)),
        kind => {
            let operator = ["&&", "||", "->"][kind - 7];
            let (left, right) =
                (condition(random, local, depth - 1), condition(random, local, depth - 1));
            format!("({left} {operator} {right})")
        }
    }
}
