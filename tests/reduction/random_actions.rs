//! Random `.lwm` models of processes that mostly mind their own business, so that many orders of
//! their steps lead to the same.

use crate::compare::Subject;
use lwaa::testbench::Random;
use std::fmt::Write;

const SHARED: &str = "var s0: 0..2 = 0;
var s1: 0..3 = 1;
var b: bool = false;
var n: 0..4 = 2;
var a[3]: 0..2 = 0;
var k[2]: 0..2 = [1, 2];
var q[2]: 0..2 = 0;
var head: 0..1 = 0;
var full: 0..2 = 0;
var d[3]: -1..1 = [-1, 0, 1];
var u: 0..2 = 0;
var v[2]: 0..2 = 1;
var w: 1..3 = any;
";

/// Guards about shared variables.
const SHARED_GUARDS: &[&str] = &[
    "s0 == 0",
    "s0 == 1",
    "s0 < 2",
    "s0 == x",
    "s1 != 1",
    "s1 <= 2",
    "n > 0",
    "n == 2",
    "a[0] == 0",
    "a[1] != 2",
    "a[x] == 1",
    "a[s0] == 0",
    "b",
    "!b",
    "full > 0",
    "full < 2",
    "head == 0",
    "(b || s0 == 1)",
    "(x == 0 || a[1] == 0)",
    "!(s0 == 2 && b)",
    "(exists i in 0..2: a[i] == 2)",
    "(forall i in 0..1: q[i] != 1)",
    "count(i in 0..2: a[i] == 1) < 2",
    "d[0] == -1",
    "d[x] < 1",
];

/// Updates of shared variables: guard, updates.
const SHARED_UPDATES: &[(&str, &str)] = &[
    ("", "s0' = 1"),
    ("", "s0' = x"),
    ("s0 < 2", "s0' = s0 + 1"),
    ("s0 == 0", "s0' = 2"),
    ("s0 == 1", "s0' = 0"),
    ("", "s1' = 2"),
    ("", "s1' = y"),
    ("", "b' = !b"),
    ("", "b' = true"),
    ("b", "b' = false"),
    ("n < 4", "n' = n + 1"),
    ("n < 4", "n' = n + 1"),
    ("n > 0", "n' = n - 1"),
    ("n > 0", "n' = n - 1"),
    ("n > 1", "n' = n - 2"),
    ("", "a[0]' = 1"),
    ("", "a[1]' = y"),
    ("", "a[2]' = 2"),
    ("", "a[x]' = 1"),
    ("", "a[s0]' = y"),
    ("a[0] < 2", "a[0]' = a[0] + 1"),
    ("a[x] < 2", "a[x]' = a[x] + 1"),
    ("full < 2", "q[(head + full) % 2]' = x, full' = full + 1"),
    ("full < 2", "q[(head + full) % 2]' = 1, full' = full + 1"),
    ("full > 0", "x' = q[head], head' = (head + 1) % 2, full' = full - 1"),
    ("full > 0 && q[head] == 1", "head' = (head + 1) % 2, full' = full - 1"),
    ("", "s0' = x, x' = s0"),
    ("", "a[0]' = a[1], s1' = a[0]"),
    ("", "d[x]' = x - 1"),
    ("d[0] > -1", "d[0]' = d[0] - 1"),
    ("d[2] == 1", "d[2]' = -1, n' = 1"),
    ("n == 1", "n' = 2"),
    ("n == 2", "n' = 1"),
    ("a[1] == 0", "a[1]' = 2, a[2]' = 0"),
];

/// What goes wrong in some states: guard, updates.
const WRONG: &[(&str, &str)] = &[
    ("", "n' = n + 1"),
    ("", "n' = n - 1"),
    ("", "a[s1]' = 1"),
    ("a[s1] == 1", "b' = true"),
    ("2 / s0 == 1", ""),
    ("2 / (s0 + x) == 1", ""),
    ("2 / (s0 + x) == 1 && b", ""),
    ("b && 2 / s0 == 2", "b' = false"),
    ("2 / a[0] == 1 && n == 3", ""),
    ("2 / a[0] == 3 && k[0] == 2", ""),
    ("", "assert s0 != 2"),
    ("", "assert !(s0 == 1 && b)"),
    ("b", "assert a[0] == a[1]"),
    ("", "assert n != 3, n' = 2"),
    ("", "x' = 2 / s0"),
    ("", "u' = u + 1"),
    ("", "v[w]' = 1"),
    ("", "assert u != 2"),
];

/// Updates of variables that mostly nothing depends on: guard, updates.
const UNSEEN: &[(&str, &str)] = &[
    ("", "u' = (u + 1) % 3"),
    ("", "u' = x"),
    ("x < 2", "u' = x, x' = x + 1"),
    ("", "v[x % 2]' = u"),
    ("", "v[u % 2]' = x"),
    ("", "v[0]' = v[1], v[1]' = v[0]"),
    ("", "w' = if u == 1 then v[0] + 1 else s0 + 1"),
    ("", "w' = u + 1, u' = w % 3"),
    ("", "u' = 2 / w, x' = 1"),
];

const LOCAL_GUARDS: &[&str] =
    &["x < 2", "x == 1", "x != 0", "y != 2", "x >= y", "t[0] == 1", "t[x % 2] == 0", "x + y < 3"];

/// Updates of local variables: guard, updates.
const LOCAL_UPDATES: &[(&str, &str)] = &[
    ("", ""),
    ("", ""),
    ("", "x' = (x + 1) % 3"),
    ("", "x' = 1"),
    ("", "y' = x"),
    ("", "y' = 2"),
    ("x < 2", "x' = x + 1"),
    ("x > 0", "x' = x - 1"),
    ("y < 2", "y' = y + 1"),
    ("", "x' = y, y' = x"),
    ("", "t[0]' = 1"),
    ("", "t[x % 2]' = 1"),
    ("", "t[y % 2]' = 0, x' = 0"),
    ("", "y' = if x == 0 then 1 else 2"),
    ("", "x' = k[y % 2]"),
];

fn pick<T: Copy>(random: &mut Random, items: &[T]) -> T {
    items[random.below(items.len())]
}

/// How a model is.
struct Style {
    /// How often an action is about shared variables.
    shared: f64,
    /// How often what it does may go wrong.
    wrong: f64,
    /// How often what it does is about variables that nothing depends on.
    unseen: f64,
    /// How often there is a choice.
    choice: f64,
    /// Whether processes run in circles.
    is_endless: bool,
}

/// A random model that reduces well.
pub(crate) fn random_actions(random: &mut Random) -> Subject {
    let mut text = SHARED.to_owned();
    if random.chance(0.1) {
        text = text.replace("s0: 0..2 = 0", "s0: 0..2 = any");
    }
    let style = Style {
        shared: pick(random, &[0.1, 0.2, 0.3, 0.5]),
        wrong: pick(random, &[0.0, 0.0, 0.15, 0.4]),
        unseen: pick(random, &[0.0, 0.0, 0.1, 0.3]),
        choice: pick(random, &[0.0, 0.1]),
        is_endless: random.coin(),
    };
    let n_processes = 2 + random.below(3);
    let mut atoms: Vec<String> = SHARED_GUARDS
        .iter()
        .filter(|guard| !guard.contains('x'))
        .map(|guard| format!("\"{guard}\""))
        .collect();
    atoms.push("\"a[s0] == 1\"".to_owned());
    let wrong_atoms = ["\"2 / s0 == 1\"", "\"a[s1] == 1\""].map(str::to_owned).to_vec();
    for number in 0..n_processes {
        let last = 1 + random.below(if n_processes < 4 { 4 } else { 2 });
        let any = if random.chance(0.05) { "any" } else { "0" };
        let _ = write!(
            text,
            "process w{number} {{\n    var pc: 0..4 = 0;\n    var x: 0..2 = {any};\n    \
             var y: 0..2 = 1;\n    var t[2]: 0..1 = 0;\n"
        );
        for location in 0..=last {
            text += &actions(random, &style, location, last);
        }
        text += "}\n";
        for location in 0..=last {
            atoms.push(format!("w{number}.pc == {location}"));
        }
        atoms.push(format!("enabled(w{number})"));
        atoms.push(format!("w{number}.x == {}", random.below(3)));
        atoms.push(format!("w{number}.t[0] == w{number}.t[1]"));
    }
    Subject { language: "lwm", text, atoms, wrong_atoms }
}

/// The actions of a process that are at one location.
fn actions(random: &mut Random, style: &Style, location: usize, last: usize) -> String {
    let is_last = location == last;
    if is_last && !style.is_endless && random.chance(0.7) {
        return String::new();
    }
    let n_actions = 1 + usize::from(random.chance(0.3));
    let mut text = String::new();
    let condition = pick(random, LOCAL_GUARDS);
    let is_split = n_actions == 2 && random.coin();
    for number in 0..n_actions {
        let target = match () {
            () if is_last && random.chance(0.2) => location,
            () if is_last || random.chance(0.1) => random.below(last + 1),
            () => location + 1,
        };
        let mut guards = vec![format!("pc == {location}")];
        if is_split {
            guards.push(if number == 0 { condition.to_owned() } else { format!("!({condition})") });
        }
        let (guard, update) = body(random, style, &mut guards);
        if !guard.is_empty() {
            // What may go wrong is not always behind the condition on the location.
            let first = if random.chance(0.1) { 0 } else { guards.len() };
            guards.insert(first, guard.to_owned());
        }
        let mut steps = Vec::new();
        if !update.is_empty() {
            steps.push(update.to_owned());
        }
        let mut choices = "";
        if random.chance(style.choice) && !update.contains("y'") {
            choices = " with c in 0..2";
            steps.push("y' = c".to_owned());
            if random.coin() {
                guards.push("c != x".to_owned());
            }
        }
        if target != location || steps.is_empty() {
            steps.push(format!("pc' = {target}"));
        }
        let _ = writeln!(
            text,
            "    action l{location}_{number}{choices} when {} do {};",
            guards.join(" && "),
            steps.join(", ")
        );
    }
    text
}

/// What an action does, and under which condition beside those it adds.
fn body(
    random: &mut Random,
    style: &Style,
    guards: &mut Vec<String>,
) -> (&'static str, &'static str) {
    if random.chance(style.shared) {
        if random.chance(style.wrong) {
            return pick(random, WRONG);
        }
        if random.chance(0.4) {
            guards.push(pick(random, SHARED_GUARDS).to_owned());
            let (guard, update) = pick(random, LOCAL_UPDATES);
            return (guard, update);
        }
        return pick(random, SHARED_UPDATES);
    }
    if random.chance(0.15) {
        guards.push(pick(random, LOCAL_GUARDS).to_owned());
    }
    if random.chance(style.unseen) {
        return pick(random, UNSEEN);
    }
    pick(random, LOCAL_UPDATES)
}
