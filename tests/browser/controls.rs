//! How pages about runs behave: where they open, what is marked and printed, what keys and searches
//! do, and what can be seen in small windows.

use super::runs::{decoded, lwaa};
use super::{browser, folder, open};
use serde_json::Value;
use std::path::Path;

/// What a script finds out about a page. The script gives `said` its fields; it may wait.
fn said(browser: &Path, folder: &Path, size: &str, script: &str) -> Value {
    let page = std::fs::read_to_string(folder.join("page.html")).unwrap();
    let before = "<script>
        const by = (id) => document.getElementById(id);
        const all = (selector) => [...document.querySelectorAll(selector)];
        const at = () => Number(by('position').value);
        const go = (row) => { by('position').value = row; by('position').dispatchEvent(new Event('change')); };
        const type = (id, value) => { by(id).value = value; by(id).dispatchEvent(new Event('input', { bubbles: true })); };
        const key = (name, target) => target.dispatchEvent(new KeyboardEvent('keydown', { key: name, bubbles: true }));
        const said = {};
        addEventListener('load', async () => {";
    let behind = "document.body.dataset.said = encodeURIComponent(JSON.stringify(said));
        });</script></body>";
    let probed = page.replace("</body>", &[before, script, behind].concat());
    std::fs::write(folder.join("page.html"), probed).unwrap();
    let size = format!("--window-size={size}");
    let output = open(browser, folder, &["--dump-dom", "--virtual-time-budget=20000", &size]);
    std::fs::write(folder.join("page.html"), page).unwrap();
    let log = String::from_utf8_lossy(&output.stderr).into_owned();
    assert!(!log.contains("CONSOLE"), "{log}");
    let dom = String::from_utf8(output.stdout).unwrap();
    let (_, rest) = dom.split_once("data-said=\"").unwrap_or_else(|| panic!("{dom}"));
    serde_json::from_str(&decoded(rest.split_once('"').unwrap().0)).unwrap()
}

/// A folder with the page of a model; what is wrong with it has this exit code.
fn page(name: &str, file: &str, model: &str, more: &[&str], code: i32) -> std::path::PathBuf {
    let folder = folder(name);
    std::fs::write(folder.join(file), model).unwrap();
    let output = lwaa(&folder, &[&["check", file, "--html", "page.html"], more].concat());
    assert_eq!(output.status.code(), Some(code), "{output:?}");
    folder
}

const WIDE: &str = "1280,900";

/// A counter that takes many steps until it is wrong.
pub(super) const COUNTER: &str = "const N = 10;\nvar x: 0..N = 0;\nvar even: bool = true;\n\
    process walker { action step when x < N do x' = x + 1, even' = !even; }\n\
    ltl small: G x < N;\n";

/// Two processes that wait for each other.
const STUCK: &str = "bit a, b;\nactive proctype P() { a = 1; b == 1 }\n\
    active proctype Q() { a == 1; b == 2 }\nactive proctype Idle() { a == 2 }\n";

#[test]
fn a_deadlock_is_where_the_page_opens_and_it_is_marked() {
    let Some(browser) = browser() else { return };
    let folder = page("stuck", "a.pml", STUCK, &["--deadlock", "report"], 5);
    let said = said(
        &browser,
        &folder,
        WIDE,
        "said.at = at(); said.last = Number(by('position').max);
         said.marks = all('.chart .bad-text').map((one) => one.textContent);
         said.rows = all('.row.stuck').length;
         said.lanes = all('#lanes label').map((one) => one.textContent.trim());
         said.sentence = document.querySelector('.sentence').textContent;
         said.here = by('pending').textContent;",
    );
    std::fs::remove_dir_all(&folder).unwrap();
    assert_eq!(said["at"], said["last"], "{said}");
    assert_eq!(said["marks"], serde_json::json!(["✗ deadlock"]), "{said}");
    assert_eq!(said["rows"], 1, "{said}");
    for process in ["P", "Q", "Idle"] {
        assert!(said["lanes"].as_array().unwrap().contains(&process.into()), "{said}");
        let waits = format!("{process} waits at");
        assert!(said["sentence"].as_str().unwrap().contains(&waits), "{said}");
        assert!(said["here"].as_str().unwrap().contains(&waits), "{said}");
    }
}

#[test]
fn a_run_that_decides_nothing_has_no_strips() {
    let Some(browser) = browser() else { return };
    let folder = page("open", "a.pml", STUCK, &["--deadlock", "report", "-f", "G F \"b == 2\""], 5);
    let said = said(
        &browser,
        &folder,
        WIDE,
        "said.text = by('formula-text').textContent; said.legend = by('formula-legend').textContent;
         said.parts = all('.term').length; said.strips = all('#tree .strip').length;",
    );
    std::fs::remove_dir_all(&folder).unwrap();
    assert!(said["text"].as_str().unwrap().contains("ends before it is decided"), "{said}");
    assert_eq!(
        (&said["legend"], &said["parts"], &said["strips"]),
        (&"".into(), &3.into(), &0.into())
    );
}

#[test]
fn a_simulation_says_that_it_is_stuck() {
    let Some(browser) = browser() else { return };
    let folder = folder("simulated");
    std::fs::write(folder.join("a.pml"), STUCK).unwrap();
    lwaa(&folder, &["simulate", "a.pml", "--html", "page.html"]);
    let said = said(
        &browser,
        &folder,
        WIDE,
        "said.at = at(); said.last = Number(by('position').max);
         said.sentence = document.querySelector('.sentence').textContent;",
    );
    std::fs::remove_dir_all(&folder).unwrap();
    assert_eq!(said["at"], said["last"], "{said}");
    let sentence = said["sentence"].as_str().unwrap();
    assert!(sentence.contains("no process can move: P waits at"), "{said}");
}

#[test]
fn a_search_goes_on_from_where_typing_began_and_looks_at_changes_only() {
    let Some(browser) = browser() else { return };
    let folder = page("search", "a.lwm", COUNTER, &["-D", "N=20000"], 1);
    let said = said(
        &browser,
        &folder,
        WIDE,
        "let work = 0;
         for (const name of ['indexOf', 'includes', 'findIndex', 'find']) {
           const known = Array.prototype[name];
           Array.prototype[name] = function (...list) { work += this.length; return known.apply(this, list); };
         }
         const known = String.prototype.includes;
         String.prototype.includes = function (...list) { work++; return known.apply(this, list); };
         go(500); by('search').focus(); said.typed = [];
         for (const text of ['x', 'x = ', 'x = 7', 'x = 71', 'x = 715', 'x = 7', '']) { type('search', text); said.typed.push(at()); }
         type('search', 'even = true'); said.found = by('found').textContent; said.even = at();
         key('Enter', by('search')); said.next = at();
         said.work = work;",
    );
    std::fs::remove_dir_all(&folder).unwrap();
    // The values of `x` are those of the rows.
    let typed = serde_json::json!([500, 500, 700, 710, 715, 700, 500]);
    assert_eq!(said["typed"], typed, "{said}");
    assert_eq!(said["found"], "10001 steps", "{said}");
    assert_eq!((&said["even"], &said["next"]), (&500.into(), &502.into()), "{said}");
    // A few looks at each value for each of nine searches.
    assert!(said["work"].as_u64().unwrap() < 9 * 4 * 20_000, "{said}");
}

/// What is printed: everything is on the paper, and what is not is said.
const PRINT: &str = "
    dispatchEvent(new Event('beforeprint'));
    const frame = by('chart-frame').getBoundingClientRect();
    const pictures = all('.chart');
    said.fits = pictures.every((one) => one.getBoundingClientRect().right <= frame.right + 1);
    said.violated = all('.chart .bad-text').filter((one) => one.textContent === '✗ violated').length + all('.row.violated').length;
    said.notes = all('.frame > p').filter((one) => !one.hidden).map((one) => one.textContent);
    said.rows = all('#table-frame .row-body .row').length;
    said.lanes = all('#chart-frame .row-head span').every((one) => one.getBoundingClientRect().right <= frame.right + 1);
    dispatchEvent(new Event('afterprint'));
    said.again = all('#table-frame .row-body .row').length;";

#[test]
fn charts_are_printed_whole_and_long_runs_around_what_is_wrong() {
    let Some(browser) = browser() else { return };
    let many = "var x: 0..20 = 0;\n".to_owned()
        + "process p(i in 0..13) { action up when x < 20 do x' = x + 1; }\nltl small: G x < 14;\n";
    let folder = page("print", "a.lwm", &many, &[], 1);
    let wide = said(&browser, &folder, "720,900", PRINT);
    std::fs::remove_dir_all(&folder).unwrap();
    assert_eq!((&wide["fits"], &wide["lanes"]), (&true.into(), &true.into()), "{wide}");
    assert_eq!(wide["notes"], serde_json::json!([]), "{wide}");
    let folder = page("print-long", "a.lwm", COUNTER, &["-D", "N=3000"], 1);
    let long = said(&browser, &folder, "720,900", PRINT);
    std::fs::remove_dir_all(&folder).unwrap();
    assert_eq!((&long["fits"], &long["violated"]), (&true.into(), &2.into()), "{long}");
    assert_eq!(long["rows"], 1000, "{long}");
    let notes = long["notes"].to_string();
    assert_eq!(notes.matches("Printed: rows 2").count(), 2, "{long}");
    assert!(long["again"].as_u64().unwrap() < 200, "{long}");
}

/// Many processes, of which the last ones move last.
const MANY: &str = "var turn: 0..14 = 0;\n\
    process p(i in 0..13) { action up when turn == i do turn' = turn + 1; }\n\
    ltl few: G turn < 14;\n";

#[test]
fn in_a_small_window_the_lane_and_the_changes_of_a_step_can_be_seen() {
    let Some(browser) = browser() else { return };
    let folder = page("small", "a.lwm", MANY, &[], 1);
    let script = "said.seen = [];
        for (let row = 1; row < 15; row++) {
          go(row);
          const frame = by('chart-frame').getBoundingClientRect();
          const text = all('.chart .label').find((one) => {
            const middle = one.getBoundingClientRect();
            const band = by('chart-frame').querySelector('.band.selected').getBoundingClientRect();
            return middle.top >= band.top - 1 && middle.bottom <= band.bottom + 1;
          }).getBoundingClientRect();
          const changes = document.querySelector('.row.selected .changes').getBoundingClientRect();
          said.seen.push(frame.left <= text.left && text.right <= frame.right && changes.left < innerWidth - 40 && changes.right <= innerWidth + 1);
        }";
    for size in ["500,800", WIDE] {
        let said = said(&browser, &folder, size, script);
        let seen = said["seen"].as_array().unwrap();
        assert!(seen.len() == 14 && seen.iter().all(|one| one == true), "{size}: {said}");
    }
    std::fs::remove_dir_all(&folder).unwrap();
}

#[test]
fn keys_move_in_the_tree_and_wherever_the_focus_is() {
    let Some(browser) = browser() else { return };
    let folder = page("keys", "a.lwm", MANY, &[], 1);
    let said = said(
        &browser,
        &folder,
        WIDE,
        "said.selected = all('#table-frame .row-body .row').map((one) => one.getAttribute('aria-selected'));
         go(3); key('ArrowRight', by('all-values')); said.box = at();
         key('ArrowRight', by('variables')); said.text = at();
         const items = all('[role=treeitem]');
         said.stops = items.map((one) => one.getAttribute('tabindex'));
         items[0].focus();
         const press = (name) => { key(name, document.activeElement); return items.indexOf(document.activeElement); };
         said.tree = ['ArrowDown', 'ArrowUp', 'End', 'Home', 'ArrowRight', 'ArrowLeft'].map(press);
         said.still = at();",
    );
    std::fs::remove_dir_all(&folder).unwrap();
    let selected = said["selected"].as_array().unwrap();
    assert_eq!(selected.iter().filter(|&one| one == "true").count(), 1, "{said}");
    assert!(selected.iter().all(|one| one == "true" || one == "false"), "{said}");
    assert_eq!((&said["box"], &said["text"]), (&4.into(), &4.into()), "{said}");
    assert_eq!(said["stops"], serde_json::json!(["0", "-1"]), "{said}");
    assert_eq!(said["tree"], serde_json::json!([1, 0, 1, 0, 1, 0]), "{said}");
    assert_eq!(said["still"], 4, "{said}");
}

/// A client that asks, and a server that never answers; the cycle begins behind a prefix.
const CYCLE: &str = "var n: 0..3 = 0;\nvar asked: bool = false;\n\
    process client { action ask when !asked && n == 2 do asked' = true; }\n\
    process clock { action tick do n' = if n < 3 then n + 1 else 1; }\n\
    ltl served: G (asked -> F !asked);\n";

#[test]
fn the_cycle_is_marked_from_its_first_step_and_addresses_have_rounds() {
    let Some(browser) = browser() else { return };
    let folder = page("cycle", "a.lwm", CYCLE, &[], 1);
    let said = said(
        &browser,
        &folder,
        WIDE,
        "const data = JSON.parse(by('data').textContent);
         const { cycle, n } = data.runs[0];
         [said.cycle, said.n] = [cycle, n];
         const heights = all('.chart .cycle').map((one) => Number(one.getAttribute('height')));
         said.heights = heights;
         by('rounds').value = '3'; by('rounds').dispatchEvent(new Event('change'));
         said.max = Number(by('position').max);
         go(said.max); by('link').click(); said.hash = location.hash;
         go(0);
         location.hash = said.hash.replace(/s\\d+/, 's1');
         await new Promise((wait) => setTimeout(wait, 50));
         said.there = [at(), by('rounds').value];
         by('rounds').value = '1'; by('rounds').dispatchEvent(new Event('change'));
         const boxes = all('#lanes input');
         boxes[0].click();
         said.kept = all('#table-frame .row.selected').length;
         said.pending = all('#pending h3').map((one) => one.textContent);",
    );
    std::fs::remove_dir_all(&folder).unwrap();
    let (cycle, n) = (said["cycle"].as_u64().unwrap(), said["n"].as_u64().unwrap());
    assert!(0 < cycle, "{said}");
    // Half a row where the prefix leads into the cycle, and a row for each of its steps.
    let heights = said["heights"].as_array().unwrap();
    assert_eq!(heights.len() as u64, n - cycle + 1, "{said}");
    assert_eq!((&heights[0], &heights[1]), (&15.into(), &30.into()), "{said}");
    assert_eq!(said["max"], n + 2 * (n - cycle), "{said}");
    assert!(said["hash"].as_str().unwrap().ends_with("r3"), "{said}");
    assert_eq!(said["there"], serde_json::json!([1, "3"]), "{said}");
    assert_eq!(said["kept"], 1, "{said}");
    let pending = said["pending"].to_string();
    assert!(pending.contains("parts of the negated formula"), "{said}");
}

#[test]
fn what_is_left_out_is_said() {
    let Some(browser) = browser() else { return };
    let model = "int table[40];\nint x;\nint unread;\n\
        active proctype P() { unread = 3; table[7] = 1; x = table[7] + table[35] }\n\
        ltl p { [] (table[35] + x < 1) }\n";
    let folder = page("long-array", "a.pml", model, &[], 1);
    let said = said(
        &browser,
        &folder,
        WIDE,
        "said.names = all('#values dt').map((one) => one.textContent); said.notes = by('values').textContent;",
    );
    std::fs::remove_dir_all(&folder).unwrap();
    let names = said["names"].as_array().unwrap();
    assert!(names.contains(&"table[7]".into()) && names.contains(&"table[35]".into()), "{said}");
    let notes = said["notes"].as_str().unwrap();
    assert!(notes.contains("38 of the 40 elements of table never change"), "{said}");
    assert!(notes.contains("unread is never read"), "{said}");
}

#[test]
fn synchronous_processes_have_lanes_and_those_that_never_move_too() {
    let Some(browser) = browser() else { return };
    let lights = Path::new(env!("CARGO_MANIFEST_DIR")).join("models/dve/lights.dve");
    let folder = folder("together");
    let typed = ["check", lights.to_str().unwrap(), "-f", "G \"time < 3\"", "--html", "page.html"];
    lwaa(&folder, &typed);
    let script = "said.lanes = all('#lanes label').map((one) => one.textContent.trim());
        const band = all('.chart .band')[1].getBoundingClientRect();
        said.boxes = all('.chart .box').filter((one) => {
          const box = one.getBoundingClientRect();
          return band.top <= box.top && box.bottom <= band.bottom;
        }).length;";
    let said = said(&browser, &folder, WIDE, script);
    std::fs::remove_dir_all(&folder).unwrap();
    assert_eq!(said["lanes"], serde_json::json!(["Clock", "Main", "Side"]), "{said}");
    assert_eq!(said["boxes"], 3, "{said}");
}
