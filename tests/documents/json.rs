//! The reference of JSON is complete: each of its tables has exactly the fields that the
//! objects of its section have, taken together over commands that show all of them.

use crate::page::{Page, root};
use regex_lite::Regex;
use serde_json::Value;
use std::collections::{BTreeMap, BTreeSet};
use std::path::{Path, PathBuf};
use std::process::Command;

/// A model with runs of every kind: statements in macros, in another file, that print, that give
/// values to variables which are not read; channels; a rendezvous.
const WIDE: &str = "#include \"more.pml\"\n\
    #define SET(v) x = v\n\
    chan q = [1] of { byte };\nchan meet = [0] of { bit };\nbyte x, unused;\n\
    active proctype A() { byte y; SET(1); unused = 2; q!3; printf(\"sent\"); again(); meet!1; y = x }\n\
    active proctype B() { meet?1; assert(x < 9) }\n\
    ltl low { [] (x < 1) }\nltl quiet { [] <> (A:y == 7) }\n";

/// A model that goes wrong where the property is not concerned.
const WRONG: &str =
    "var x: 0..3 = 0; action up do x' = x + 1; ltl low: G x < 1; ltl high: F x > 0;";

/// A model whose error is met before the violation.
const BOTH: &str = "var x: 0..3 = 0; action bad when x == 0 do assert false; \
    action up when x < 3 do x' = x + 1; ltl low: G x < 3;";

/// A model with a violation that is far away for a search which is not guided.
const FAR: &str = "var x[5]: 0..9 = 0;
    process counter(i in 0..4) { action step do x[i]' = (x[i] + 1) % 10; }
    ltl far: G !(x[0] == 7 & x[1] == 2 & x[2] == 9 & x[3] == 4 & x[4] == 5);";

/// The files that the commands read.
const FILES: &[(&str, &str)] = &[
    ("wide.pml", WIDE),
    ("many.pml", "proctype P() { assert(_pid < 2) } init { run P(); run P() }\n"),
    ("more.pml", "inline again() { x = 2 }\n"),
    ("wrong.lwm", WRONG),
    ("both.lwm", BOTH),
    ("far.lwm", FAR),
    ("unseen.lwm", "var z: bool = false; action a when true do z' = !z;"),
    ("conflict.txt", "# why\na: G F p\nb: F G !p\nc: G q\nd: G (r -> q)\n"),
    ("fine.txt", "a: G F p\nb: G (q -> F p)\n"),
];

/// Paths to objects inside of an object, and the sections that describe them. In a path `*` is
/// every element.
type Parts = &'static [(&'static str, &'static str)];

/// The section that describes an object, the command that prints it, and what is inside of it.
const OBJECTS: &[(&str, &str, Parts)] = &[
    ("Formulas", "sat 'a U b'", FORMULA),
    ("Formulas", "sat --finite p", FORMULA),
    ("Formulas", "sat --time 0s 'G F a & F b'", FORMULA),
    ("Formulas", "sat --engine gpvw p", FORMULA),
    ("Formulas", "sat --engine gpvw --states 5000 \"$($LWAA formula sf-sat 8)\"", FORMULA),
    ("Cores", "sat --core p", &[]),
    ("Cores", "sat --core 'p & !p'", &[("core/*", "Members of conflicts")]),
    ("Cores", "sat --core --time 0s 'G F p & F q'", &[]),
    ("Check", "check wrong.lwm", CHECK),
    ("Check", "check wrong.lwm --prop low", CHECK),
    ("Check", "check wrong.lwm --prop high", CHECK),
    ("Check", "check both.lwm", CHECK),
    ("Check", "check far.lwm", CHECK),
    ("Check", "check wide.pml", CHECK),
    ("Check", "check wide.pml --prop quiet --engine gpvw", CHECK),
    ("Check", "check wide.pml --exists -f '<> (x == 2)'", CHECK),
    ("Check", "check models/lwm/dekker.lwm", CHECK),
    ("Check", "check models/lwm/dekker.lwm --states 3", CHECK),
    ("Check", "check models/pnml/buffer.pnml -f 'G F fireable(take2)' --reduce off", CHECK),
    ("Check", "check models/dve/mailbox.dve -f 'G false'", CHECK),
    ("Check", "check models/esml/mutex.esml -f 'G (t1 -> F c1)'", CHECK),
    ("Check", "check models/lwm/dekker.lwm --engine gpvw --store bitstate --prop exclusion", CHECK),
    ("Check", "check models/lwm/dekker.lwm --engine gpvw --store hybrid --prop exclusion", CHECK),
    ("Explore", "explore models/lwm/dekker.lwm --stats", EXPLORE),
    ("Explore", "explore wrong.lwm", EXPLORE),
    ("Explore", "explore unseen.lwm --reduce on --stats", EXPLORE),
    ("Explore", "explore wide.pml --deadlock report", EXPLORE),
    ("Explore", "explore many.pml", EXPLORE),
    ("Requirements", "requirements conflict.txt", REQUIREMENTS),
    ("Requirements", "requirements fine.txt", REQUIREMENTS),
    ("Requirements", "requirements fine.txt --time 0s", REQUIREMENTS),
    ("Cross", "cross --rounds 2 --builtin lwaa --translator 'false %f'", CROSS),
    (
        "Cross",
        "cross --rounds 9 --builtin lwaa --translator \"$LWAA translate --to nba '!('%f')'\"",
        CROSS,
    ),
    ("Errors", "sat 'a U'", &[]),
    ("Errors", "sat --absent p", &[]),
];
const FORMULA: Parts = &[("witness", "Words"), ("statistics", "Statistics")];
const CHECK: Parts = &[
    ("results/*", "Results"),
    ("results/*/statistics", "Statistics"),
    ("statistics", "Statistics"),
    ("results/*/lasso/prefix/*", "Steps"),
    ("results/*/lasso/cycle/*", "Steps"),
    ("results/*/trace/*", "Steps"),
    ("results/*/lasso/prefix/*/statements/*", "Statements"),
    ("results/*/trace/*/statements/*", "Statements"),
];
const EXPLORE: Parts = &[("trace/*", "Steps"), ("statistics", "Statistics")];
const REQUIREMENTS: Parts = &[("conflicts/*/*", "Members of conflicts")];
const CROSS: Parts = &[
    ("translators/*", "Translators"),
    ("failures/*", "Failures"),
    ("failures/*/witness", "Words"),
];
/// Commands that write a trace file.
const TRACES: &[&str] = &[
    "check wide.pml --prop low --trace run.json",
    "check models/lwm/dekker.lwm --prop response --trace run.json",
    "check wrong.lwm --prop high --trace run.json",
    "simulate wrong.lwm --trace run.json",
];

struct Folder(PathBuf);

impl Folder {
    fn new() -> Self {
        let path = std::env::temp_dir().join(format!("lwaa-{}-json", std::process::id()));
        std::fs::create_dir_all(&path).unwrap();
        for (name, text) in FILES {
            std::fs::write(path.join(name), text).unwrap();
        }
        Self(path)
    }

    fn run(&self, command: &str) -> String {
        let command = command.replace("models/", &format!("{}/models/", root().display()));
        let program = env!("CARGO_BIN_EXE_lwaa");
        let mut shell = Command::new("sh");
        shell.args(["-c", &format!("{program} {command}")]).env("LWAA", program);
        let run = shell.env_remove("LWAA_LOG").current_dir(&self.0).output().unwrap();
        let text = String::from_utf8(run.stdout).unwrap();
        assert_ne!(run.status.code(), Some(4), "{command}: {text}");
        text
    }
}

impl Drop for Folder {
    fn drop(&mut self) {
        let _ = std::fs::remove_dir_all(&self.0);
    }
}

/// The objects at a path.
fn find<'a>(value: &'a Value, path: &str) -> Vec<&'a Value> {
    let mut found = vec![value];
    for part in path.split('/').filter(|part| !part.is_empty()) {
        found = found
            .into_iter()
            .flat_map(|value| match part {
                "*" => value.as_array().into_iter().flatten().collect::<Vec<_>>(),
                name => value.get(name).into_iter().collect(),
            })
            .collect();
    }
    found
}

type Fields = BTreeMap<String, BTreeSet<String>>;

fn add(fields: &mut Fields, section: &str, object: &Value) {
    let names = object.as_object().unwrap().keys().cloned();
    fields.entry(section.to_owned()).or_default().extend(names);
}

/// The fields that objects have, by section.
fn printed() -> Fields {
    let folder = Folder::new();
    let mut fields = Fields::new();
    for (section, command, parts) in OBJECTS {
        let text = folder.run(&format!("{command} --json"));
        let object: Value = serde_json::from_str(&text)
            .unwrap_or_else(|error| panic!("{command}: {error}: {text}"));
        add(&mut fields, section, &object);
        for (path, section) in *parts {
            for part in find(&object, path) {
                add(&mut fields, section, part);
            }
        }
    }
    for command in TRACES {
        folder.run(command);
        let text = std::fs::read_to_string(Path::new(&folder.0).join("run.json")).unwrap();
        add(&mut fields, "Trace files", &serde_json::from_str(&text).unwrap());
    }
    fields
}

#[cfg(unix)]
#[test]
fn the_reference_has_every_field_and_no_other() {
    let page = Page::read("docs/src/reference/json.md");
    let name = Regex::new("`([^`]+)`").unwrap();
    for (section, fields) in printed() {
        let heading =
            page.text.lines().find(|line| line.trim_start_matches('#') == format!(" {section}"));
        let text = page.section(heading.unwrap_or_else(|| panic!("no section {section}")));
        // What stands below the headings inside of the section is about other objects.
        let own = text.split("\n#").next().unwrap();
        let rows = own.lines().filter(|line| line.starts_with("| `"));
        let cells = rows.map(|line| line.split(" | ").next().unwrap());
        let documented: BTreeSet<String> = cells
            .flat_map(|cell| {
                name.captures_iter(cell).map(|found| found[1].to_owned()).collect::<Vec<_>>()
            })
            .collect();
        let missing: Vec<_> = fields.difference(&documented).collect();
        let invented: Vec<_> = documented.difference(&fields).collect();
        assert!(missing.is_empty(), "{section}: the page says nothing of {missing:?}");
        assert!(invented.is_empty(), "{section}: no command has shown {invented:?}");
    }
}
