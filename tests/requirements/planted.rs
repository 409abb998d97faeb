//! Contradictory sets of requirements whose minimal conflicts are known.
//!
//! A *core* is a contradiction by construction. For each of its members there is a
//! word on which all others hold. A *world* is such a word, over more atoms: features
//! of a system that are asked for things, answer, and depend on modes. What else is
//! required holds in every world, by the definition of truth and not by a search. So
//! whatever does not contain the whole of a core has a model, and cores are the only
//! minimal conflicts. With two cores there is a world for each pair of members.

use lwaa::ltl::{Formula, Term, semantics};
use lwaa::requirements::Requirement;
use lwaa::testbench::Random;
use lwaa::word::{Lasso, Letter};
use lwaa::{Options, Satisfiability, satisfiable};
use std::collections::BTreeSet;

/// A set and its minimal conflicts.
pub(crate) struct Planted {
    /// All requirements, in random order.
    pub(crate) requirements: Vec<Requirement>,
    /// Its only minimal conflicts: indices, in ascending order.
    pub(crate) cores: Vec<Vec<usize>>,
    /// What kind of contradictions they are.
    pub(crate) kinds: Vec<&'static str>,
}

/// The atoms that are true, position by position.
type World = Lasso<BTreeSet<String>>;

/// A contradiction of at most so many members, about atoms with this prefix, and
/// what it is called.
type Contradiction = fn(random: &mut Random, most: usize, prefix: &str) -> Vec<String>;

const KINDS: [(&str, Contradiction); 9] = [
    ("response", response),
    ("recurrence", recurrence),
    ("invariant", invariant),
    ("precedence", precedence),
    ("deadline", deadline),
    ("modes", modes),
    ("until", until),
    ("exclusion", exclusion),
    ("counter", counter),
];

/// A set of this size, at least 8 for each conflict. There are one or two of these, of 2
/// to 12 members.
pub(crate) fn planted(random: &mut Random, size: usize, n_cores: usize) -> Planted {
    let (mut kinds, mut cores) = (Vec::new(), Vec::new());
    for number in 0..n_cores {
        let (kind, contradiction) = KINDS[random.below(KINDS.len())];
        kinds.push(kind);
        // There is a world for each pair of members, so two cores are small ones.
        let most = if n_cores == 1 { 12 } else { 6 };
        cores.push(contradiction(random, most.min(size / n_cores - 2), ["c", "k"][number]));
    }
    let models: Vec<Vec<World>> = cores.iter().map(|core| words(core)).collect();
    let names = |line: &String| -> Vec<String> {
        parsed(line).atoms().iter().map(|(_, name)| name.to_owned()).collect()
    };
    let about: Vec<String> = cores.iter().flatten().flat_map(names).collect();
    let system = System::new(random, size);
    let mut worlds: Vec<World> = Vec::new();
    for one in &models[0] {
        match models.get(1) {
            None => worlds.push(system.world(random, &[one])),
            Some(others) => {
                worlds.extend(others.iter().map(|other| system.world(random, &[one, other])));
            }
        }
    }
    let mut lines: Vec<(String, usize)> = Vec::new();
    for (number, core) in cores.iter().enumerate() {
        lines.extend(core.iter().map(|line| (line.clone(), number)));
    }
    let mut said = BTreeSet::new();
    while lines.len() < size {
        let line = system.requirement(random, &about);
        let formula = parsed(&line);
        if !said.contains(&line) && worlds.iter().all(|world| holds(&formula, world)) {
            lines.insert(random.below(lines.len() + 1), (line.clone(), n_cores));
            said.insert(line);
        }
    }
    shuffle(random, &mut lines);
    let members = |core| (0..size).filter(|&index| lines[index].1 == core).collect();
    let cores = (0..n_cores).map(members).collect();
    let requirements = lines.iter().enumerate();
    let requirements = requirements
        .map(|(index, (line, _))| Requirement::new(format!("r{index}"), parsed(line)))
        .collect();
    Planted { requirements, cores, kinds }
}

/// A consistent set of this size: without one member of its conflict.
#[allow(dead_code, reason = "not everybody needs it")]
pub(crate) fn consistent(random: &mut Random, size: usize) -> Vec<Requirement> {
    let Planted { mut requirements, cores, .. } = planted(random, size + 1, 1);
    requirements.remove(cores[0][random.below(cores[0].len())]);
    requirements
}

/// The text of a file of requirements.
#[allow(dead_code, reason = "not everybody needs it")]
pub(crate) fn text(requirements: &[Requirement]) -> String {
    let lines: Vec<String> =
        requirements.iter().map(|one| format!("{}: {}", one.name, one.formula)).collect();
    lines.join("\n") + "\n"
}

fn parsed(line: &str) -> Formula {
    Formula::parse(line).unwrap_or_else(|error| panic!("{line}: {error}"))
}

fn shuffle<T>(random: &mut Random, list: &mut [T]) {
    for index in (1..list.len()).rev() {
        list.swap(index, random.below(index + 1));
    }
}

fn holds(formula: &Formula, world: &World) -> bool {
    let known = |letter: &BTreeSet<String>| -> Letter {
        let atoms = formula.atoms().iter().filter(|(_, name)| letter.contains(*name));
        atoms.map(|(atom, _)| atom).collect()
    };
    semantics::holds(formula, &world.map(known))
}

/// For each line of a core a word on which the others hold, and only these.
fn words(core: &[String]) -> Vec<World> {
    let formulas: Vec<Formula> = core.iter().map(|line| parsed(line)).collect();
    let without = |dropped: usize| {
        let others: Vec<&Formula> = (0..core.len())
            .filter(|&other| other != dropped)
            .map(|other| &formulas[other])
            .collect();
        let all = others.iter().fold(parsed("true"), |all, one| all.combined(Term::And, one));
        let answer = satisfiable(&all, &Options::default()).unwrap();
        let Satisfiability::Satisfiable(word) = answer.satisfiability else {
            panic!("without {} there is no model: {core:?}", core[dropped]);
        };
        let names = |letter: &Letter| -> BTreeSet<String> {
            letter.iter().map(|atom| all.atoms().name(atom).to_owned()).collect()
        };
        let word = word.map(names);
        assert!(others.iter().all(|one| holds(one, &word)) && !holds(&formulas[dropped], &word));
        word
    };
    (0..core.len()).map(without).collect()
}

/// How many links a chain has, so that there are at most `most` members, `ends` of them
/// no links.
fn links(random: &mut Random, most: usize, ends: usize) -> usize {
    1 + random.below(most - ends)
}

/// Something happens, leads to something else, and so on, up to what never happens.
fn response(random: &mut Random, most: usize, c: &str) -> Vec<String> {
    let n = links(random, most, 2);
    let operator = ["F", "X", "X X", "X F"][random.below(4)];
    let mut core = vec![format!("F {c}0"), format!("G !{c}{n}")];
    core.extend((0..n).map(|link| format!("G ({c}{link} -> {operator} {c}{})", link + 1)));
    core
}

/// The same again and again.
fn recurrence(random: &mut Random, most: usize, c: &str) -> Vec<String> {
    let n = links(random, most, 2);
    let mut core = vec![format!("G F {c}0"), format!("F G !{c}{n}")];
    core.extend((0..n).map(|link| match random.below(2) {
        0 => format!("G ({c}{link} -> F {c}{})", link + 1),
        _ => format!("G F {c}{link} -> G F {c}{}", link + 1),
    }));
    core
}

/// What always holds implies what must not hold when something happens.
fn invariant(random: &mut Random, most: usize, c: &str) -> Vec<String> {
    let n = links(random, most, 3);
    let mut core = vec![format!("G {c}0"), format!("G ({c}x -> !{c}{n})"), format!("F {c}x")];
    core.extend((0..n).map(|link| format!("G ({c}{link} -> {c}{})", link + 1)));
    core
}

/// What happens needs something else before it, and so on, up to what never happens.
fn precedence(random: &mut Random, most: usize, c: &str) -> Vec<String> {
    let n = links(random, most, 2);
    let mut core = vec![format!("F {c}0"), format!("G !{c}{n}")];
    core.extend((0..n).map(|link| format!("!{c}{link} W {c}{}", link + 1)));
    core
}

/// Each step takes its time, and together they take too long.
fn deadline(random: &mut Random, most: usize, c: &str) -> Vec<String> {
    let n = links(random, most.min(7), 3);
    let mut delay = 0;
    let mut core = Vec::new();
    for link in 0..n {
        let step = 1 + random.below(2);
        delay += step;
        core.push(format!("G ({c}{link} -> {}{c}{})", "X ".repeat(step), link + 1));
    }
    core.push(format!("F ({c}0 & {c}x)"));
    core.push(format!("G ({c}x -> {}{c}y)", "X ".repeat(delay)));
    core.push(format!("G !({c}y & {c}{n})"));
    core
}

/// Modes follow each other around, and an error is in none of them.
fn modes(random: &mut Random, most: usize, c: &str) -> Vec<String> {
    let n = 1 + links(random, most, 4);
    let mut core = vec![format!("{c}0"), format!("F {c}error")];
    core.extend((0..n).map(|mode| format!("G ({c}{mode} -> X {c}{})", (mode + 1) % n)));
    let all: Vec<String> = (0..n).map(|mode| format!("!{c}{mode}")).collect();
    core.push(format!("G ({c}error -> {})", all.join(" & ")));
    core
}

/// Somebody waits for what does not come.
fn until(random: &mut Random, most: usize, c: &str) -> Vec<String> {
    if most < 3 || random.below(2) == 0 {
        return vec![format!("{c}0 U {c}1"), format!("G ({c}0 & !{c}1)")];
    }
    let promise = format!("F {c}0 & G ({c}0 -> {c}1 U {c}2)");
    vec![promise, format!("G ({c}2 -> {c}3)"), format!("G !{c}3")]
}

/// Two want the same at the same time.
fn exclusion(_: &mut Random, most: usize, c: &str) -> Vec<String> {
    let mut core = vec![format!("F {c}0"), format!("G !({c}1 & {c}2)")];
    if most < 4 {
        core.push(format!("G ({c}0 -> X ({c}1 & {c}2))"));
    } else {
        core.push(format!("G ({c}0 -> X {c}1)"));
        core.push(format!("G ({c}0 -> X {c}2)"));
    }
    core
}

/// A binary counter that must never be full.
fn counter(random: &mut Random, most: usize, c: &str) -> Vec<String> {
    let n = 1 + random.below(4.min(most - 1));
    let bits: Vec<String> = (0..n).map(|bit| format!("{c}{bit}")).collect();
    let mut core = vec![format!("G !({})", bits.join(" & "))];
    for (position, bit) in bits.iter().enumerate() {
        let carry = if position == 0 { "true".to_owned() } else { bits[..position].join(" & ") };
        core.push(format!("G (X {bit} <-> !({bit} <-> ({carry})))"));
    }
    core
}

/// Features that are asked and answer, in a system with modes.
struct System {
    /// After how many steps each feature answers.
    delays: Vec<usize>,
}

/// So many features share what only one of them can use at a time.
const SHARING: usize = 4;

const MODES: [&str; 3] = ["mode_off", "mode_on", "mode_safe"];

impl System {
    fn new(random: &mut Random, size: usize) -> Self {
        Self { delays: (0..2 + size / 12).map(|_| 1 + random.below(3)).collect() }
    }

    /// A word over the atoms of all, that is one of `words` at the same time.
    fn world(&self, random: &mut Random, words: &[&World]) -> World {
        let n_before = words.iter().map(|word| word.prefix().len()).max().unwrap_or(0);
        let n_before = n_before + 1 + random.below(3);
        let mut length: usize = words.iter().map(|word| word.cycle().len()).product();
        while length < 2 * SHARING {
            length *= 2;
        }
        let n_positions = n_before + length;
        let next =
            |position: usize| if position + 1 < n_positions { position + 1 } else { n_before };
        let mut letters: Vec<BTreeSet<String>> = (0..n_positions)
            .map(|at| words.iter().flat_map(|word| word.at(at)).cloned().collect())
            .collect();
        letters[0].insert("boot".to_owned());
        let modes: Vec<usize> = (0..n_positions)
            .map(|at| if at == n_before { 2 } else { random.below(MODES.len()) })
            .collect();
        for (at, &mode) in modes.iter().enumerate() {
            letters[at].insert(MODES[mode].to_owned());
            if modes[next(at)] != mode {
                letters[at].insert("switch".to_owned());
            }
        }
        let mut owners: Vec<usize> = Vec::new();
        for (feature, &delay) in self.delays.iter().enumerate() {
            if feature % SHARING == 0 {
                // Now and then nobody, and each of them at least once a round.
                owners = (0..n_positions).map(|_| random.below(SHARING + 2)).collect();
                let mut places: Vec<usize> = (n_before..n_positions).collect();
                shuffle(random, &mut places);
                (0..SHARING).for_each(|owner| owners[places[owner]] = owner);
            }
            let answers = |at: usize| owners[at] == feature % SHARING;
            for at in 0..n_positions {
                let name = |what: &str| format!("f{feature}_{what}");
                let answered = (0..delay).fold(at, |at, _| next(at));
                if answers(at) {
                    letters[at].insert(name("ack"));
                    if random.below(2) == 0 {
                        letters[at].insert(name("error"));
                    }
                } else {
                    letters[at].insert(name("busy"));
                }
                if answers(answered) && modes[at] != 2 && random.below(3) != 0 {
                    letters[at].insert(name("request"));
                }
            }
        }
        let cycle = letters.split_off(n_before);
        Lasso::new(letters, cycle).unwrap()
    }

    /// Something that may be required. Some of these lines hold in all worlds by
    /// construction, others have to be tried out.
    fn requirement(&self, random: &mut Random, about: &[String]) -> String {
        let n_features = self.delays.len();
        let feature = random.below(n_features);
        let f = format!("f{feature}");
        // Mostly a neighbor.
        let other = if random.below(4) == 0 {
            random.below(n_features)
        } else {
            (feature + 1) % n_features
        };
        let g = format!("f{other}");
        let delay = self.delays[feature];
        let next = "X ".repeat(delay);
        let mode = MODES[random.below(MODES.len())];
        let another = MODES[random.below(MODES.len())];
        let sharing = feature / SHARING * SHARING;
        let h = format!("f{}", (sharing + random.below(SHARING)).min(n_features - 1));
        let c = &about[random.below(about.len())];
        let not = ["", "!"][random.below(2)];
        match random.below(32) {
            0 => format!("G ({f}_request -> F {f}_ack)"),
            1 => format!("G ({f}_request -> {next}{f}_ack)"),
            2 => {
                let window = (0..delay)
                    .fold(format!("{f}_ack"), |later, _| format!("({f}_ack | X {later})"));
                format!("G ({f}_request -> {window})")
            }
            3 => format!("G F {f}_ack"),
            4 => format!("G !({f}_busy & {f}_ack)"),
            5 => format!("G ({f}_busy | {f}_ack)"),
            6 => format!("!{f}_ack W boot"),
            7 => format!("G (mode_safe -> !{f}_request)"),
            8 => format!("G !({mode} & {another})"),
            9 => format!("G ({mode} & !switch -> X {mode})"),
            10 => format!("G ({mode} & switch -> X !{mode})"),
            11 => format!("G ({f}_ack -> F {g}_ack)"),
            12 => format!("G ({f}_request -> (!{f}_error U {f}_ack))"),
            13 => format!("G ({f}_error -> F mode_safe)"),
            14 => format!("G F {f}_request -> G F {g}_ack"),
            15 => format!("G ({not}{c} & {f}_request -> {next}{f}_ack)"),
            16 => format!("G ({not}{c} -> F {f}_ack)"),
            17 => format!("G ({f}_ack & {not}{c} -> F {g}_busy)"),
            18 => format!("F ({not}{c} | {f}_ack)"),
            19 => format!("{not}{c} | X F {g}_request"),
            20 => format!("G ({f}_error -> {f}_ack | {not}{c})"),
            21 => format!("({not}{c}) R ({f}_busy | {f}_ack)"),
            22 => format!("G ({mode} -> {not}{f}_busy | F {g}_ack)"),
            23 => format!("G ({f}_busy -> ({f}_busy W {f}_ack))"),
            24 => format!("F ({f}_request & {g}_busy)"),
            25 => format!("G ({f}_request & {g}_request -> F ({f}_ack & {g}_ack))"),
            26 => format!("G ({not}{c} & {mode} -> X ({f}_busy | {f}_ack))"),
            27..30 => format!("G !({f}_ack & {h}_ack)"),
            30 => format!("G ({f}_ack -> F ({h}_ack & !{f}_ack))"),
            _ => format!("G (mode_off | mode_on | mode_safe | {c} & {f}_busy)"),
        }
    }
}
