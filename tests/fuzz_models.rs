//! Any text as a model gives a model or an error, never a panic, and what is
//! read can be run: 25,000 texts and more for each language from fixed seeds.
//!
//! The texts are mutations of the project's own models and, where it is present
//! beside the project, of the BEEM benchmark set. `LWAA_ROUNDS` and `LWAA_SEED`
//! make longer and other campaigns of it.

#![allow(
    clippy::unwrap_used,
    clippy::print_stdout,
    reason = "a failure here is a failed test, and shows the seed"
)]

#[path = "support/campaign.rs"]
mod campaign;

use lwaa::id::Id;
use lwaa::lang::execute::Interpreter;
use lwaa::lang::program::Span;
use lwaa::lang::{Definition, Model, SourceError, dve, esml, promela};
use lwaa::system::{Cursor, TransitionSystem};
use lwaa::testbench::Random;
use lwaa::word::AtomId;
use std::path::Path;

/// A language: how its texts are read, and pieces of them.
struct Language {
    read: fn(&str, &[Definition]) -> Result<Model, SourceError>,
    extension: &'static str,
    folders: &'static [&'static str],
    tokens: &'static [&'static str],
    /// What stands between the words of an expression.
    joints: &'static [&'static str],
}

const DVE: Language = Language {
    read: dve::read,
    extension: "dve",
    folders: &["models/dve", "../shared/data/beem"],
    tokens: &[
        "byte ",
        "int ",
        "const ",
        "channel ",
        "process ",
        "state ",
        "init ",
        "commit ",
        "accept ",
        "assert ",
        "trans ",
        "guard ",
        "sync ",
        "effect ",
        "system ",
        "async",
        "property ",
        "true",
        " and ",
        " or ",
        " not ",
        " imply ",
        "->",
        "=>",
        "==",
        "!=",
        "<=",
        "<<",
        ">>",
        "&&",
        "||",
        "{",
        "}",
        "(",
        ")",
        "[",
        "]",
        ";",
        ",",
        ":",
        ".",
        "!",
        "?",
        "=",
        "+",
        "-",
        "*",
        "/",
        "%",
        "&",
        "|",
        "^",
        "~",
        "0",
        "1",
        "255",
        "256",
        "32768",
        "99999999999",
        "x",
        "a",
        "P",
        "P.a",
        "//",
        "/*",
        "*/",
        "\\\n",
        "\n",
        "é",
        "\0",
        "channel {byte,int} c[2];",
        "buchi",
        "(((((",
        "byte x[3] = {1,2,3};",
        "c!{1,2}",
        "c?{x,y}",
    ],
    joints: &[".", "->", " + ", " == ", "[1] < ", " and ", " % ", "(", ") ", "[", "enabled("],
};

const PROMELA: Language = Language {
    read: |text, definitions| {
        promela::read(text, definitions, &mut |_| Err("there are no files".to_owned()))
    },
    extension: "pml",
    folders: &["models/promela"],
    tokens: &[
        "byte ",
        "chan ",
        "mtype ",
        "typedef ",
        "proctype ",
        "active ",
        "init ",
        "inline ",
        "run ",
        "atomic ",
        "d_step ",
        "unless ",
        "goto ",
        "break",
        "else",
        "timeout",
        "skip",
        "do ",
        "od",
        "if ",
        "fi",
        "::",
        "->",
        "for ",
        "select ",
        "ltl ",
        "never ",
        "never { do :: np_ :: else -> break od }",
        "trace { do :: q!1 :: q?_ od }",
        "notrace ",
        "accept: ",
        "progress: ",
        "np_",
        "_last",
        "enabled(",
        "pc_value(",
        "priority 3",
        "_priority",
        "set_priority(",
        "get_priority(",
        "D_proctype ",
        "hidden ",
        "xr ",
        "#define f(a) #a\n",
        "#define g(a, b) a##b\n",
        "f(x)",
        "g(x, y)",
        "STDIN",
        "#define ",
        "#if ",
        "#endif\n",
        "[0] of ",
        "!!",
        "??",
        "?[",
        "?<",
        "{",
        "}",
        "(",
        ")",
        "[",
        "]",
        ";",
        ",",
        ":",
        "@",
        "..",
        "++",
        "--",
        "=",
        "==",
        "255",
        "-1",
        "0",
        "/*",
        "*/",
    ],
    joints: &[" == ", " && ", " + ", "@", ":", "[", "]", "(", ")", "?[", " / "],
};

const ESML: Language = Language {
    read: esml::read,
    extension: "esml",
    folders: &["models/esml"],
    tokens: &[
        "MODEL ",
        "CONST ",
        "TYPE ",
        "VAR ",
        "ARRAY 2 OF ",
        "BOOLEAN",
        "PROCESS ",
        "IN ",
        "OUT ",
        "BEGIN ",
        " END ",
        "DO ",
        "IF ",
        "SKIP",
        "TRUE",
        "FALSE",
        " OR ",
        " DIV ",
        " MOD ",
        "DEFINITIONS ",
        "ASSERT ",
        "->",
        "→",
        "[]",
        ":=",
        "..",
        "<=",
        "#",
        "&",
        "~",
        "!",
        "?",
        "=",
        "<",
        ">",
        "+",
        "-",
        "*",
        "(",
        ")",
        "[",
        "]",
        "{",
        "}",
        ";",
        ",",
        ":",
        ".",
        "0",
        "1",
        "99999999999",
        "x",
        "s",
        "P",
        "P.x",
        "User[1].at",
        "(*",
        "*)",
        "\n",
        "é",
        "\0",
        "c!m(1, x)",
        "c[x]?m(1, x)",
        "0..9999999",
        "{red, blue(0..1)}",
        "DO TRUE -> IF",
        "(((((",
    ],
    joints: &[".", "[0].", " + ", " = ", "[1] < ", ") & (", " MOD ", "(", ") ", "[", "enabled("],
};

/// The texts of a language below the folders that are there, small ones first.
fn seeds(language: &Language) -> Vec<String> {
    let root = Path::new(env!("CARGO_MANIFEST_DIR"));
    let mut open: Vec<_> = language.folders.iter().map(|folder| root.join(folder)).collect();
    let mut texts = Vec::new();
    while let Some(path) = open.pop() {
        if path.is_dir() {
            open.extend(std::fs::read_dir(path).unwrap().map(|entry| entry.unwrap().path()));
        } else if path.extension().is_some_and(|extension| extension == language.extension) {
            texts.push(String::from_utf8_lossy(&std::fs::read(path).unwrap()).into_owned());
        }
    }
    texts.sort_by_key(|text| (text.len(), text.clone()));
    texts.truncate(40);
    texts
}

/// A mutation of one of `seeds`, small seeds more often than large ones.
fn input(seeds: &[String], tokens: &[&str], random: &mut Random) -> String {
    let bound = 1 + random.below(seeds.len());
    let mut bytes = seeds[random.below(bound)].clone().into_bytes();
    for _ in 0..=random.below(4) {
        match random.below(2) {
            0 => mutate(&mut bytes, tokens, random),
            _ => exchange(&mut bytes, random),
        }
    }
    String::from_utf8_lossy(&bytes).into_owned()
}

/// The words of a text: where each begins and ends.
fn words(bytes: &[u8]) -> Vec<(usize, usize)> {
    let is_word = |byte: &u8| byte.is_ascii_alphanumeric() || *byte == b'_';
    let mut words = Vec::new();
    let mut start = 0;
    for run in bytes.chunk_by(|one, other| is_word(one) == is_word(other)) {
        if is_word(&run[0]) {
            words.push((start, start + run.len()));
        }
        start += run.len();
    }
    words
}

/// Puts a copy of one word where another one is: much of it is a model still.
fn exchange(bytes: &mut Vec<u8>, random: &mut Random) {
    let words = words(bytes);
    if words.is_empty() {
        return;
    }
    let (from, to) = words[random.below(words.len())];
    let copy = bytes[from..to].to_vec();
    let is_number = |from: usize| bytes[from].is_ascii_digit();
    let alike: Vec<_> =
        words.iter().filter(|&&(other, _)| is_number(other) == is_number(from)).collect();
    let &(from, to) = alike[random.below(alike.len())];
    drop(bytes.splice(from..to, copy));
}

/// Something like an expression over the words of a model.
fn proposition(text: &str, joints: &[&str], random: &mut Random) -> String {
    let words = words(text.as_bytes());
    if random.chance(0.2) {
        let (from, to) = words[random.below(words.len())];
        return format!("taken({})", &text[from..to]);
    }
    let defined: Vec<&str> =
        text.lines().filter_map(|line| Some(line.split_once(" : ")?.1)).collect();
    if !defined.is_empty() && random.chance(0.3) {
        // What the model defines itself, with another word in it.
        let mut atom = defined[random.below(defined.len())].as_bytes().to_vec();
        exchange(&mut atom, random);
        return String::from_utf8_lossy(&atom).into_owned();
    }
    let mut atom = String::new();
    loop {
        if let Some(&(from, to)) = words.get(random.below(words.len() + 1)) {
            atom.push_str(&text[from..to]);
        }
        if random.coin() {
            return atom;
        }
        atom.push_str(joints[random.below(joints.len())]);
    }
}

fn mutate(bytes: &mut Vec<u8>, tokens: &[&str], random: &mut Random) {
    let place = random.below(bytes.len() + 1);
    let end = place + random.below(bytes.len() - place + 1).min(12);
    match random.below(7) {
        0 => drop(bytes.drain(place..end)),
        1 | 2 => drop(bytes.splice(place..place, tokens[random.below(tokens.len())].bytes())),
        3 => {
            let copy = bytes[place..end].to_vec();
            let to = random.below(bytes.len() + 1);
            drop(bytes.splice(to..to, copy));
        }
        4 => {
            if let Some(byte) = bytes.get_mut(place) {
                *byte ^= 1 << random.below(8);
            }
        }
        5 => drop(bytes.splice(place..end, tokens[random.below(tokens.len())].bytes())),
        // Rarely, or nothing would be left to read.
        _ if random.below(8) == 0 => bytes.truncate(place),
        _ => (),
    }
}

fn is_inside(span: Span, text: &str) -> bool {
    span.start <= span.end && text.is_char_boundary(span.start) && text.is_char_boundary(span.end)
}

/// Runs a model for some steps; it may go wrong, but must not panic.
fn run(model: &Model, random: &mut Random) {
    let mut program = model.program.clone();
    let names = model.bindings.claims().iter().flat_map(|claim| &claim.atoms);
    // What a claim asks was looked at when the model was read.
    let atoms: Vec<_> =
        names.map(|name| model.bindings.atom(&mut program, name).unwrap()).collect();
    let mut system = Interpreter::new(&program, &atoms);
    let mut state = system.initial_states().swap_remove(0);
    for _ in 0..10 {
        for atom in (0..atoms.len()).map(AtomId::new) {
            let _ = system.observe_atom(&state, atom);
        }
        let mut cursor = Cursor::starting_with(0);
        let mut target = vec![0; system.n_words()];
        let mut found = None;
        for _ in 0..=random.below(3) {
            match system.next(&state, &mut cursor, &mut target) {
                Ok(Some(_)) => found = Some(target.clone()),
                Ok(None) => break,
                Err(fault) => assert!(!fault.to_string().is_empty()),
            }
        }
        let Some(found) = found else { return };
        state = found.into_boxed_slice();
    }
}

fn any_text(language: &Language, seed: u64) {
    let (mut random, seed) = campaign::random(seed);
    println!("seed {seed}");
    let seeds = seeds(language);
    let (mut n_read, mut n_bound) = (0, 0);
    for round in 0..campaign::rounds(26_000) {
        let text = input(&seeds, language.tokens, &mut random);
        match (language.read)(&text, &[]) {
            Ok(mut model) => {
                n_read += 1;
                if round % 8 == 0 {
                    run(&model, &mut random);
                }
                let atom = proposition(&text, language.joints, &mut random);
                match model.bindings.atom(&mut model.program, &atom) {
                    Ok(_) => n_bound += 1,
                    Err(error) => assert!(is_inside(error.span, &atom), "{atom:?}: {error}"),
                }
                let formula = format!("é G (taken(A) -> {atom} \"{atom}\"");
                let start = random.below(2) * "é ".len();
                if let Err(error) = model.bindings.formula(&formula[start..]) {
                    let is_inside = is_inside(error.span, &formula[start..]);
                    assert!(is_inside, "{formula:?}: {error}");
                }
            }
            Err(error) => {
                assert!(is_inside(error.span, &text), "{error} in\n{text}");
                assert!(!error.message.is_empty());
            }
        }
    }
    println!("{n_read} texts were models, {n_bound} atoms were bound");
    assert!(2_000 < n_read && 100 < n_bound, "only {n_read} models and {n_bound} atoms");
}

#[test]
fn any_text_as_a_dve_model() {
    any_text(&DVE, 8_000);
}

#[test]
fn any_text_as_a_promela_model() {
    any_text(&PROMELA, 8_200);
}

#[test]
fn any_text_as_an_esml_model() {
    any_text(&ESML, 8_100);
}
