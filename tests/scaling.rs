//! Inputs of twice the size take about twice the work, in every language: nesting, length
//! and number are doubled, and what is counted is steps, allocations and bytes, not time.
//!
//! Steps are what [`lwaa::work`] counts in debug builds: tokens that are looked at again,
//! states that are compared, lists that are searched.

#![expect(clippy::unwrap_used, reason = "a test may panic")]

use allocation_counter::measure;
use lwaa::lang::compile::Compiled;
use lwaa::lang::{self, Demand, Model};
use lwaa::ltl::Syntax;
use lwaa::ltl::parse::parse;
use lwaa::system::{Cursor, TransitionSystem};
use lwaa::work::counted;

/// Twice the size may take so much more work. Inputs are doubled twice, because tables
/// that grow by doubling make jumps.
const MOST: f64 = 2.5 * 2.5;

/// The size from which an input is doubled.
const SIZE: usize = 400;

/// Counts the work for an input of [`SIZE`] and for one of four times that.
#[track_caller]
fn check(what: &str, work: impl Fn(usize)) {
    // What is made once for all inputs does not count.
    work(2);
    let count = |size: usize| {
        let mut steps = 0;
        let memory = measure(|| steps = counted(|| work(size)).1);
        [steps, memory.count_total, memory.bytes_total]
    };
    let (small, large) = (count(SIZE), count(4 * SIZE));
    for (number, name) in ["steps", "allocations", "bytes"].into_iter().enumerate() {
        let (small, large) = (to_float(small[number]), to_float(large[number]));
        // A handful is nothing to compare.
        assert!(large < 1000.0 || large < MOST * small, "{what}: {small} {name}, then {large}");
    }
}

fn to_float(number: u64) -> f64 {
    f64::from(u32::try_from(number).unwrap_or(u32::MAX))
}

#[track_caller]
fn read(language: &str, text: &str) -> Model {
    lang::read(language, text, &[]).unwrap_or_else(|error| {
        let start: String = text.chars().take(200).collect();
        panic!("{error} in {start}")
    })
}

/// A list of things with numbers.
fn each(size: usize, thing: impl Fn(usize) -> String, between: &str) -> String {
    (0..size).map(thing).collect::<Vec<_>>().join(between)
}

/// Takes all steps from the initial state.
fn successors(model: &Model) -> usize {
    let mut system = Compiled::new(&model.program, &[]);
    let initial = system.initial_states();
    let mut target = vec![0; system.n_words()];
    let mut cursor = Cursor::default();
    let mut n_successors = 0;
    while system.next(&initial[0], &mut cursor, &mut target).unwrap().is_some() {
        n_successors += 1;
    }
    n_successors
}

fn nested(size: usize, open: &str, inside: &str, close: &str) -> String {
    format!("{}{inside}{}", open.repeat(size), close.repeat(size))
}

#[test]
fn formulas() {
    let check = |what: &str, syntax: Syntax, text: &dyn Fn(usize) -> String| {
        check(&format!("{what} in {syntax:?}"), |size| drop(parse(&text(size), syntax).unwrap()));
    };
    for syntax in [Syntax::Lwaa, Syntax::Spot] {
        check("parentheses", syntax, &|size| nested(size, "(", "a", ")"));
        check("operators in front", syntax, &|size| nested(size, "X G ", "a", ""));
        check("chains", syntax, &|size| format!("{} a", "G".repeat(size)));
        check("conjunctions", syntax, &|size| each(size, |_| "a".to_owned(), " & "));
        check("untils", syntax, &|size| each(size, |number| format!("a{number}"), " U "));
        check("atoms", syntax, &|size| each(size, |number| format!("\"a {number}\""), " | "));
        check("a long atom", syntax, &|size| format!("\"{}\"", "a\\\\".repeat(size)));
    }
    check("nested", Syntax::Lbt, &|size| nested(size, "G ! ", "p", ""));
    check("conjunctions", Syntax::Lbt, &|size| nested(size, "& ", "p", " q"));
}

#[test]
fn requirements() {
    let check = |what: &str, line: &dyn Fn(usize) -> String| {
        check(what, |size| {
            let text = each(size, line, "\n");
            drop(lwaa::requirements::read::read(&text, Syntax::Lwaa).unwrap());
        });
    };
    check("names", &|number| format!("R{number}: G (a -> F b) # {number}"));
    check("formulas", &|number| format!("G a{number}"));
}

#[test]
fn kripke_structures() {
    let check = |what: &str, text: &dyn Fn(usize) -> String| {
        check(what, |size| {
            successors(&read("kripke", &text(size)));
        });
    };
    check("states", &|size| {
        let states = each(size, |at| format!("state s{at} p -> s{}", (at + 1) % size), "\n");
        format!("atoms p initial s0 {states}")
    });
    check("edges", &|size| {
        let targets = each(size, |at| format!("s{at}"), " ");
        let states = each(size - 1, |at| format!("state s{} -> s0", at + 1), "\n");
        format!("atoms p initial s0 state s0 -> {targets}\n{states}")
    });
    check("atoms", &|size| {
        let atoms = each(size, |at| format!("p{at}"), " ");
        format!("atoms {atoms} initial s0 state s0 {atoms} -> s0")
    });
}

#[test]
fn guarded_actions() {
    let check = |what: &str, text: &dyn Fn(usize) -> String| {
        check(what, |size| {
            successors(&read("lwm", &text(size)));
        });
    };
    check("variables", &|size| {
        format!("{}; action a do x0' = 1;", each(size, |at| format!("var x{at}: 0..3 = 0"), ";\n"))
    });
    check("actions", &|size| {
        let actions =
            each(size, |at| format!("action a{at} when x == {} do x' = 1;", at % 4), "\n");
        format!("var x: 0..3 = 0; {actions}")
    });
    check("processes that cannot move", &|size| {
        format!(
            "process p(i in 0..{}) {{ var x: bool = true; action a when !x do x' = true; }}",
            size - 1
        )
    });
    check("an array", &|size| {
        format!("var x[{size}]: bool; action a(i in 0..{}) when x[i] do x[i]' = true;", size - 1)
    });
    check("updates", &|size| {
        let updates = each(size, |at| format!("x[{at}]' = true"), ", ");
        format!("var x[{size}]: bool; action a do {updates};")
    });
    check("a sum", &|size| {
        let sum = each(size, |_| "x".to_owned(), " + ");
        format!("var x: 0..3 = 0; action a when {sum} == 7 do x' = 1;")
    });
    check("properties", &|size| {
        let properties = each(size, |at| format!("ltl p{at}: G x < 3;"), "\n");
        format!("var x: 0..3 = 0; action a do x' = 1;\n{properties}")
    });
    check("propositions about each other", &|size| {
        let propositions = each(size, |at| format!("prop p{} = !p{at};", at + 1), "\n");
        format!("var x: 0..3 = 0; action a do x' = 1; prop p0 = x == 1;\n{propositions}")
    });
}

/// Of a thousand processes each step changes one. To look at all steps is no copy of the
/// state for each of them.
#[test]
fn one_successor_of_many() {
    check("processes that can move", |size| {
        let text = format!(
            "process p(i in 0..{}) {{ var x: 0..1000 = 0; action a when x == 0 do x' = 1; }}",
            size - 1
        );
        let model = read("lwm", &text);
        let mut system = Compiled::new(&model.program, &[]);
        let initial = system.initial_states();
        let mut successors = system.successors(&initial[0]);
        let mut n_successors = 0;
        while successors.advance().unwrap().is_some() {
            n_successors += 1;
        }
        assert_eq!(n_successors, size);
    });
}

#[test]
fn dve() {
    let process = |inside: &str| {
        format!(
            "byte x; process P {{ state a; init a; trans a -> a {{ {inside} }}; }} system async;"
        )
    };
    let check = |what: &str, text: &dyn Fn(usize) -> String| {
        check(what, |size| {
            successors(&read("dve", &text(size)));
        });
    };
    check("parentheses", &|size| process(&format!("effect x = {};", nested(size, "(", "1", ")"))));
    check("a sum", &|size| process(&format!("guard {} > 7;", each(size, |_| "x".to_owned(), "+"))));
    check("effects", &|size| {
        process(&format!("effect {};", each(size, |_| "x = 1".to_owned(), ",")))
    });
    check("variables", &|size| {
        let variables = each(size, |at| format!("byte x{at};"), "\n");
        format!("{variables} {}", process("effect x = 1;"))
    });
    check("states", &|size| {
        let states = each(size, |at| format!("s{at}"), ", ");
        let edges = each(size, |at| format!("s{at} -> s{} {{ }}", (at + 1) % size), ", ");
        format!("process P {{ state {states}; init s0; trans {edges}; }} system async;")
    });
    check("processes", &|size| {
        let process =
            |at| format!("process P{at} {{ state a; init a; trans a -> a {{ guard false; }}; }}");
        format!("{} system async;", each(size, process, "\n"))
    });
}

#[test]
fn esml() {
    let process = |variables: &str, body: &str| {
        format!("MODEL M; PROCESS P; VAR x: BOOLEAN; {variables} BEGIN {body} END; BEGIN P() END")
    };
    let check = |what: &str, text: &dyn Fn(usize) -> String| {
        check(what, |size| {
            successors(&read("esml", &text(size)));
        });
    };
    check("parentheses", &|size| process("", &format!("x := {}", nested(size, "(", "TRUE", ")"))));
    check("a conjunction", &|size| {
        process("", &format!("x := {}", each(size, |_| "x".to_owned(), " AND ")))
    });
    check("variables", &|size| {
        process(&each(size, |at| format!("x{at}: BOOLEAN;"), "\n"), "x := TRUE")
    });
    check("statements", &|size| process("", &each(size, |_| "x := TRUE".to_owned(), ";\n")));
    check("processes", &|size| {
        let process = |at| format!("PROCESS P{at}; VAR x: BOOLEAN; BEGIN x := TRUE END;");
        let activations = each(size, |at| format!("P{at}()"), "; ");
        format!("MODEL M; {} BEGIN {activations} END", each(size, process, " "))
    });
    check("activations of a process", &|size| {
        let activations = each(size, |_| "P()".to_owned(), "; ");
        format!("MODEL M; PROCESS P; BEGIN SKIP END; BEGIN {activations} END")
    });
}

/// A Promela model of one process.
fn promela_process(body: &str) -> String {
    format!("byte x; active proctype P() {{ {body} }}")
}

#[track_caller]
fn check_promela(what: &str, text: &dyn Fn(usize) -> String) {
    check(what, |size| {
        successors(&read("promela", &text(size)));
    });
}

#[test]
fn promela() {
    let (process, check) = (promela_process, check_promela);
    check("parentheses", &|size| process(&format!("x = {}", nested(size, "(", "1", ")"))));
    check("a sum", &|size| process(&format!("x = {}", each(size, |_| "x".to_owned(), "+"))));
    check("blocks", &|size| process(&nested(size, "{", "x = 1", "}")));
    check("selections", &|size| process(&nested(size, "if :: ", "x = 1", " fi")));
    check("parentheses in properties", &|size| {
        format!("{} ltl p {{ []{} }}", process("x = 1"), nested(size, "(", "x < 2", ")"))
    });
    check("operators and parentheses in properties", &|size| {
        format!("{} ltl p {{ {} }}", process("x = 1"), nested(size, "[] (", "x < 2", ")"))
    });
    check("properties", &|size| {
        let properties = each(size, |at| format!("ltl p{at} {{ [] (x < 2) }}"), "\n");
        format!("{}\n{properties}", process("x = 1"))
    });
    check("variables", &|size| {
        format!("{}\n{}", each(size, |at| format!("byte y{at};"), "\n"), process("x = 1"))
    });
    check("variables and statements", &|size| {
        let variables = each(size, |at| format!("byte y{at};"), "\n");
        format!("{variables}\n{}", process(&each(size, |at| format!("y{at} = x"), ";\n")))
    });
    check("macros", &|size| {
        let macros = each(size, |at| format!("#define A{at} {}", at % 200), "\n");
        format!("{macros}\n{}", process(&each(size, |at| format!("x = A{at}"), ";\n")))
    });
    check("a chain of macros", &|size| {
        let macros = each(size, |at| format!("#define A{} A{at}", at + 1), "\n");
        format!("#define A0 1\n{macros}\n{}", process(&format!("x = A{size}")))
    });
}

#[test]
fn promela_statements() {
    let (process, check) = (promela_process, check_promela);
    check("statements", &|size| process(&each(size, |_| "x = 1".to_owned(), ";\n")));
    check("labels", &|size| process(&each(size, |at| format!("L{at}: x = 1"), ";\n")));
    check("options", &|size| {
        let options = each(size, |at| format!(":: x == {} -> x = 1", at % 200), "\n");
        process(&format!("do {options} :: else od"))
    });
    check("options of a deterministic step", &|size| {
        let options = each(size, |at| format!(":: x == {} -> x = 1", at % 200 + 1), "\n");
        process(&format!("d_step {{ do {options} :: else -> break od }}"))
    });
    check("options of a deterministic process", &|size| {
        let options = each(size, |at| format!(":: x == {} -> x = 1", at % 200 + 1), "\n");
        format!("byte x; active D_proctype P() {{ do {options} :: x == 0 -> x = 1 od }}")
    });
    check("selections with options", &|size| {
        process(&nested(size, "if :: x = 2 :: ", "x = 1", " fi"))
    });
    check("escapes", &|size| process(&nested(size, "{ ", "x = 1", " } unless { x == 5 }")));
    check("an atomic sequence", &|size| {
        process(&format!("int n; atomic {{ do :: n < {size} -> n++ :: else -> break od }}"))
    });
    check("a deterministic step", &|size| {
        process(&format!("int n; d_step {{ do :: n < {size} -> n++ :: else -> break od }}"))
    });
}

#[test]
fn promela_variables() {
    let (process, check) = (promela_process, check_promela);
    check("variables of a process", &|size| {
        process(&format!("{} x = 1", each(size, |at| format!("byte y{at};"), "\n")))
    });
    check("variables of a process with values", &|size| {
        let variables = each(size, |at| format!("byte y{at} = {};", at % 200), "\n");
        let sum = each(size, |at| format!("y{at}"), " + ");
        process(&format!("{variables} x = {sum}"))
    });
    check("variables that are read later", &|size| {
        let variables = each(size, |at| format!("byte y{at};"), "\n");
        let writes = each(size, |at| format!("y{at} = x"), ";\n");
        let reads = each(size, |at| format!("x = y{at}"), ";\n");
        process(&format!("{variables} {writes};\n{reads}"))
    });
    check("variables of options", &|size| {
        let variables = each(size, |at| format!("byte y{at};"), "\n");
        let options = each(size, |at| format!(":: y{at} == 1 -> y{at} = x"), "\n");
        process(&format!("{variables} do {options} od"))
    });
    check("variables of blocks", &|size| {
        let blocks = each(size, |at| format!("{{ byte y{at}; y{at} = x; x = y{at} }}"), ";\n");
        process(&blocks)
    });
}

/// An atomic sequence without end is found, however many states it goes through.
#[test]
fn endless_atomic_sequences_end() {
    let text = "active proctype P() { byte n; atomic { do :: n++ od } }";
    let model = read("promela", text);
    let mut system = Compiled::new(&model.program, &[]);
    let initial = system.initial_states();
    let mut target = vec![0; system.n_words()];
    let fault = system.next(&initial[0], &mut Cursor::default(), &mut target).unwrap_err();
    assert_eq!(fault.to_string(), "an atomic sequence never ends");
}

/// The atoms of a formula are read with the macros and names that the model has kept, and
/// the model is made for other questions from what was parsed: neither reads the text of
/// the model again.
#[test]
fn binding_atoms() {
    check("atoms of a Promela model", |size| {
        let macros = each(size, |at| format!("#define A{at} (x == {})", at % 200), "\n");
        let body = each(size, |at| format!("L{at}: x = 1"), ";\n");
        let model = read("promela", &format!("{macros}\nbyte x; active proctype P() {{ {body} }}"));
        let text = each(size, |at| format!("<> (A{at} && P@L{at})"), " && ");
        let formula = model.bindings.formula(&text).unwrap();
        let asked = std::slice::from_ref(&formula);
        let suited = model.bindings.remade(Demand::Formulas(asked)).unwrap().unwrap();
        let (_, atoms) = suited.bound(&formula).unwrap();
        assert_eq!(atoms.len(), size + size.min(200));
    });
}
