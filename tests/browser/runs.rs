//! Pages about runs: what they show in every step is what `--json` says of the same run and what
//! the semantics say of its formula, and every control does what it says.

use super::controls::COUNTER;
use super::{browser, dom, folder, open};
use serde_json::Value;
use std::collections::BTreeMap;
use std::path::{Path, PathBuf};
use std::process::{Command, Output};

pub(super) fn lwaa(folder: &Path, arguments: &[&str]) -> Output {
    Command::new(env!("CARGO_BIN_EXE_lwaa")).args(arguments).current_dir(folder).output().unwrap()
}

/// The data of a page.
pub(super) fn data(page: &str) -> Value {
    let (_, rest) = page.split_once("type=\"application/json\">").unwrap();
    serde_json::from_str(rest.split_once("</script>").unwrap().0).unwrap()
}

/// Goes through all states of all properties and tells the parent what the page shows there.
const WALK: &str = "<script>addEventListener('load', () => {
  const text = (element) => element.textContent;
  const list = (selector) => [...document.querySelectorAll(selector)];
  const seen = [];
  const look = () => {
    const states = [];
    const last = Number(document.getElementById('position').max);
    for (let row = 0; row <= last; row++) {
      const position = document.getElementById('position');
      position.value = String(row);
      position.dispatchEvent(new Event('change'));
      const values = {};
      list('#values dd').forEach((cell) => values[cell.dataset.name] =
        cell.querySelector('b') ? text(cell.querySelector('b')) : text(cell));
      const terms = {};
      list('.term').forEach((term) => terms[text(term.querySelector('code'))] = text(term.querySelector('.truth')));
      states.push({ values, terms, title: text(document.getElementById('values-title')) });
    }
    return states;
  };
  const properties = list('.property');
  properties.forEach((property, number) => {
    const button = property.querySelector('button');
    if (properties.length > 1) { if (button) button.click(); else { seen.push(null); return; } }
    seen.push(document.getElementById('position') ? look() : null);
  });
  parent.postMessage({ seen, name: location.pathname.split('/').at(-1) }, '*');
});</script>";

/// A page that goes through itself.
pub(super) fn walked(page: &str) -> String {
    page.replace("</body>", &format!("{WALK}</body>"))
}

/// A page with many pages in it, which collects what they tell.
pub(super) fn collector(names: &[String]) -> String {
    let frame = |name: &String| ["<iframe src=\"", name, "\"></iframe>"].concat();
    let frames = names.iter().map(frame).collect::<Vec<_>>().concat();
    format!(
        "<!DOCTYPE html><meta charset=utf-8><title>all</title><body><script>const all = {{}};
        addEventListener('message', ({{ data }}) => {{
          all[data.name] = data.seen;
          document.body.dataset.n = Object.keys(all).length;
          document.body.dataset.seen = encodeURIComponent(JSON.stringify(all));
        }});</script>{frames}</body>"
    )
}

/// A text without the escape sequences of an address.
pub(super) fn decoded(text: &str) -> String {
    let (mut bytes, mut rest) = (Vec::new(), text.as_bytes());
    while let Some((&first, behind)) = rest.split_first() {
        if first == b'%' {
            let digits = std::str::from_utf8(&behind[..2]).unwrap();
            bytes.push(u8::from_str_radix(digits, 16).unwrap());
            rest = &behind[2..];
        } else {
            bytes.push(first);
            rest = behind;
        }
    }
    String::from_utf8(bytes).unwrap()
}

/// The variables of a state in JSON as a page shows them.
fn flat(state: &Value) -> BTreeMap<String, String> {
    let text = |value: &Value| value.as_str().map_or_else(|| value.to_string(), str::to_owned);
    let mut found = BTreeMap::new();
    for (name, value) in state.as_object().unwrap() {
        match value {
            Value::Array(list) if list.len() <= 32 => {
                for (index, one) in list.iter().enumerate() {
                    found.insert(format!("{name}[{index}]"), text(one));
                }
            }
            Value::Array(_) => (),
            one => drop(found.insert(name.clone(), text(one))),
        }
    }
    found
}

/// The steps of a result in JSON.
pub(super) fn steps(result: &Value) -> Vec<&Value> {
    let lasso = &result["lasso"];
    let lists = [&lasso["prefix"], &lasso["cycle"], &result["trace"]];
    lists.into_iter().filter_map(Value::as_array).flatten().collect()
}

/// Compares what the page has shown with the JSON of the same run, and returns the number of
/// states.
fn compare_values(name: &str, result: &Value, seen: &Value) -> usize {
    let steps = steps(result);
    for (position, step) in steps.iter().enumerate() {
        let shown = &seen[position]["values"];
        for (variable, value) in flat(&step["state"]) {
            assert_eq!(shown[&variable], value, "{name}, state {position}, {variable}: {seen}");
        }
    }
    steps.len()
}

/// The models of all languages.
fn models() -> Vec<PathBuf> {
    let root = Path::new(env!("CARGO_MANIFEST_DIR")).join("models");
    let mut found = Vec::new();
    for folder in ["dve", "esml", "kripke", "lwm", "pnml", "promela"] {
        let files = std::fs::read_dir(root.join(folder)).unwrap();
        found.extend(files.map(|file| file.unwrap().path()).filter(|path| {
            let known = ["dve", "esml", "kripke", "lwm", "pml", "pnml"];
            path.extension().is_some_and(|one| known.iter().any(|&known| one == known))
        }));
    }
    found.sort();
    found
}

#[test]
fn pages_of_all_languages_show_what_json_says() {
    let Some(browser) = browser() else { return };
    let folder = folder("runs");
    let mut answers = BTreeMap::new();
    for (number, model) in models().iter().enumerate() {
        let name = format!("page-{number}.html");
        let limits = ["--time", "5s", "--states", "20000"];
        let model = model.to_str().unwrap();
        let typed = [&["check", model, "--json", "--html", &name][..], &limits].concat();
        let output = lwaa(&folder, &typed);
        let page = std::fs::read_to_string(folder.join(&name)).unwrap_or_default();
        let Ok(answer) = serde_json::from_slice::<Value>(&output.stdout) else { continue };
        if page.is_empty() || data(&page)["runs"].as_array().unwrap().is_empty() {
            continue;
        }
        std::fs::write(folder.join(&name), walked(&page)).unwrap();
        answers.insert(name, (model.to_owned(), answer, data(&page)));
    }
    let names: Vec<String> = answers.keys().cloned().collect();
    std::fs::write(folder.join("page.html"), collector(&names)).unwrap();
    let output = open(&browser, &folder, &["--dump-dom", "--virtual-time-budget=60000"]);
    let dom = String::from_utf8(output.stdout).unwrap();
    std::fs::remove_dir_all(&folder).unwrap();
    let (_, rest) = dom.split_once("data-seen=\"").unwrap();
    let seen: Value = serde_json::from_str(&decoded(rest.split_once('"').unwrap().0)).unwrap();
    let (mut n_runs, mut n_states) = (0, 0);
    for (name, (model, answer, data)) in &answers {
        for (number, result) in answer["results"].as_array().unwrap().iter().enumerate() {
            let (property, seen) = (&data["properties"][number], &seen[name][number]);
            if property["run"].is_null() {
                continue;
            }
            n_runs += 1;
            n_states += compare_values(model, result, seen);
        }
    }
    assert!(40 <= n_runs && 200 <= n_states, "{n_runs} {n_states}");
}

/// A model with names and values that mean something to a browser.
const HOSTILE: &str = "mtype = { ping, pong };\nchan q = [2] of { mtype, byte };\nbyte x;\n\
    active proctype Sender() { do :: q!ping(x); x = 1 - x od }\n\
    active proctype Receiver() { byte y; do :: q?ping(y) -> printf(\"</script><b>%d</b>\\n\", y) od }\n\
    ltl p { <>[] (x == 0) }\n";

/// Uses every control once and says what has come of it.
const USE: &str = "<script>addEventListener('load', () => {
  const by = (id) => document.getElementById(id);
  const at = () => Number(by('position').value);
  const said = {};
  const click = (id) => { by(id).click(); return at(); };
  const key = (key) => { document.body.dispatchEvent(new KeyboardEvent('keydown', { key, bubbles: true })); return at(); };
  const type = (id, value, event) => { by(id).value = value; by(id).dispatchEvent(new Event(event, { bubbles: true })); };
  said.first = click('first');
  said.forward = click('forward');
  said.back = click('back');
  said.last = click('last');
  said.max = Number(by('position').max);
  said.home = key('Home'); said.right = key('ArrowRight'); said.left = key('ArrowLeft'); said.end = key('End');
  click('first');
  said.cause = click('cause'); said.causeKey = key('c');
  type('rounds', '3', 'change');
  said.rounds = Number(by('position').max);
  type('rounds', '1', 'change');
  click('first');
  type('search', 'x = 1', 'input');
  said.found = by('found').textContent;
  said.on = click('found-on'); said.again = click('found-back');
  said.n = key('n');
  type('search', '', 'input');
  type('variables', 'x', 'input');
  said.filtered = document.querySelectorAll('#values dd').length;
  type('variables', '', 'input');
  said.all = document.querySelectorAll('#values dd').length;
  const narrow = document.querySelectorAll('#table-frame [role=columnheader]').length;
  by('all-values').click();
  said.wide = document.querySelectorAll('#table-frame [role=columnheader]').length - narrow;
  by('all-values').click();
  const boxes = document.querySelectorAll('#lanes input');
  said.lanes = boxes.length;
  const rows = () => document.querySelectorAll('#table-frame .row-body .row').length;
  const before = rows();
  boxes[0].click(); said.fewer = rows() < before; document.querySelectorAll('#lanes input')[0].click();
  said.back_again = rows() === before;
  by('first').click();
  document.querySelector('.strip').dispatchEvent(new MouseEvent('click', { bubbles: true, clientX: document.querySelector('.strip').getBoundingClientRect().right - 1 }));
  said.strip = at();
  document.querySelector('#table-frame [data-row=\"1\"]').click(); said.row = at();
  const band = by('chart-frame').querySelector('[data-row=\"0\"]').getBoundingClientRect();
  by('chart-frame').dispatchEvent(new MouseEvent('click', { bubbles: true, clientY: band.top + 5 })); said.chart = at();
  document.querySelector('.term .badge').click();
  document.querySelector('#causes .badge')?.click();
  by('link').click();
  said.hash = location.hash;
  location.hash = '#p0s2';
  setTimeout(() => {
    said.addressed = at();
    said.arrows = document.querySelectorAll('.chart .message').length;
    document.body.dataset.said = encodeURIComponent(JSON.stringify(said));
  }, 100);
});</script>";

#[test]
fn every_control_does_what_it_says() {
    let Some(browser) = browser() else { return };
    let folder = folder("controls");
    std::fs::write(folder.join("model.pml"), HOSTILE).unwrap();
    let output = lwaa(&folder, &["check", "model.pml", "--html", "page.html"]);
    assert_eq!(output.status.code(), Some(1), "{output:?}");
    let page = std::fs::read_to_string(folder.join("page.html")).unwrap();
    assert!(!page.contains("<b>"), "names are text");
    let used = page.replace("</body>", &format!("{USE}</body>"));
    std::fs::write(folder.join("page.html"), used).unwrap();
    let output = open(&browser, &folder, &["--dump-dom", "--virtual-time-budget=5000"]);
    let log = String::from_utf8_lossy(&output.stderr).into_owned();
    assert!(!log.contains("CONSOLE"), "{log}");
    let dom = String::from_utf8(output.stdout).unwrap();
    std::fs::remove_dir_all(&folder).unwrap();
    let (_, rest) = dom.split_once("data-said=\"").unwrap_or_else(|| panic!("{dom}"));
    let said: Value = serde_json::from_str(&decoded(rest.split_once('"').unwrap().0)).unwrap();
    let number = |name: &str| said[name].as_u64().unwrap_or_else(|| panic!("{name}: {said}"));
    let last = number("max");
    assert!(1 < last, "{said}");
    for (name, expected) in [
        ("first", 0),
        ("forward", 1),
        ("back", 0),
        ("last", last),
        ("home", 0),
        ("right", 1),
        ("left", 0),
        ("end", last),
        ("row", 1),
        ("chart", 0),
        ("addressed", 2),
        ("lanes", 2),
    ] {
        assert_eq!(number(name), expected, "{name}: {said}");
    }
    assert!(0 < number("cause") && last < number("rounds") && 0 < number("arrows"), "{said}");
    assert!(0 < number("strip") && 0 < number("on"), "{said}");
    assert!(said["found"].as_str().unwrap().contains("step"), "{said}");
    assert!(number("filtered") < number("all") && 0 < number("wide"), "{said}");
    assert_eq!((&said["fewer"], &said["back_again"]), (&Value::from(true), &Value::from(true)));
    assert!(said["hash"].as_str().unwrap().starts_with("#p0s"), "{said}");
}

#[test]
fn names_are_text_whatever_they_contain() {
    let Some(browser) = browser() else { return };
    let folder = folder("names");
    let long = "n".repeat(10_000);
    let atoms = ["</script><b>x</b>", "a'b", "c`d", "שלום", "bell\u{7}", "\u{202e}turned", &long];
    let quoted: Vec<String> = atoms.iter().map(|name| format!("F \"{name}\"")).collect();
    let output = lwaa(&folder, &["sat", &quoted.join(" & "), "--html", "page.html"]);
    assert_eq!(output.status.code(), Some(0), "{output:?}");
    let dom = dom(&browser, &folder);
    std::fs::remove_dir_all(&folder).unwrap();
    for shown in [
        "&lt;/script&gt;&lt;b&gt;x&lt;/b&gt;",
        "a'b",
        "c`d",
        "שלום",
        "bell\\x07",
        "\\u{202e}turned",
    ] {
        assert!(dom.contains(&format!("class=\"text\">{shown}</dt>")), "{shown}: {dom}");
    }
    assert!(dom.contains(&long) && !dom.contains("<b>x") && !dom.contains('\u{202e}'));
}

#[test]
fn the_page_is_as_wide_as_a_phone_and_paper() {
    let Some(browser) = browser() else { return };
    let folder = folder("phone");
    std::fs::write(folder.join("model.pml"), HOSTILE).unwrap();
    lwaa(&folder, &["check", "model.pml", "--html", "page.html"]);
    let page = std::fs::read_to_string(folder.join("page.html")).unwrap();
    let probe = "<script>addEventListener('load', () => {
        document.body.dataset.wide = String(document.documentElement.scrollWidth > innerWidth);
        });</script></body>";
    let page = page.replace("</body>", probe);
    // Paper is a window that follows the rules for print.
    let paper = page.replace("@media print", "@media screen");
    for (page, size) in [(&page, "500,900"), (&paper, "720,900"), (&page, "1280,900")] {
        std::fs::write(folder.join("page.html"), page).unwrap();
        let output = open(&browser, &folder, &["--dump-dom", &format!("--window-size={size}")]);
        let dom = String::from_utf8(output.stdout).unwrap();
        assert!(dom.contains("data-wide=\"false\""), "{size}: {dom}");
    }
    std::fs::remove_dir_all(&folder).unwrap();
}

#[test]
fn long_runs_are_drawn_where_they_are_looked_at_and_pages_stay_small() {
    let Some(browser) = browser() else { return };
    let folder = folder("long");
    std::fs::write(folder.join("model.lwm"), COUNTER).unwrap();
    let check = |n: &str| {
        let typed = ["check", "model.lwm", "-D", n, "--html", "page.html"];
        assert_eq!(lwaa(&folder, &typed).status.code(), Some(1));
        std::fs::metadata(folder.join("page.html")).unwrap().len()
    };
    let small = check("N=1000");
    assert!(small < 500_000, "{small} bytes");
    check("N=100000");
    let dom = dom(&browser, &folder);
    std::fs::remove_dir_all(&folder).unwrap();
    // Only the rows in sight are drawn.
    assert!(dom.matches("role=\"row\"").count() < 200, "{}", dom.matches("role=\"row\"").count());
    assert!(dom.contains("✗ violated"), "the page opens at the last step");
}
