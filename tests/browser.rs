//! The pages that `lwaa` writes, in a real browser.
//!
//! Needs Chromium (or Chrome) on the search path, or where `LWAA_CHROMIUM`
//! says; without it the tests say that they are skipped.

#![allow(
    clippy::unwrap_used,
    clippy::print_stdout,
    reason = "a failure here is a failed test, and it says what is skipped"
)]

#[path = "browser/controls.rs"]
mod controls;
#[path = "browser/formulas.rs"]
mod formulas;
#[path = "browser/runs.rs"]
mod runs;

use std::path::{Path, PathBuf};
use std::process::{Command, Output};

const NAMES: [&str; 4] = ["chromium", "chromium-browser", "google-chrome", "google-chrome-stable"];

fn browser() -> Option<PathBuf> {
    if let Some(path) = std::env::var_os("LWAA_CHROMIUM") {
        return Some(path.into());
    }
    let path = std::env::var_os("PATH").unwrap_or_default();
    let folders: Vec<PathBuf> = std::env::split_paths(&path).collect();
    let found = NAMES.iter().flat_map(|name| folders.iter().map(move |folder| folder.join(name)));
    let found = found.into_iter().find(|path| path.is_file());
    if found.is_none() {
        println!("skipped: there is no Chromium on the search path");
    }
    found
}

/// An empty folder.
fn folder(name: &str) -> PathBuf {
    let folder = std::env::temp_dir().join(format!("lwaa-browser-{name}-{}", std::process::id()));
    std::fs::create_dir_all(&folder).unwrap();
    folder
}

/// A folder with the page of a small suite.
fn page(name: &str) -> PathBuf {
    let folder = folder(name);
    let suite = "title = 'A <b>page</b> & its plots'\ntime = '60s'\n\
                 [[pipeline]]\nname = 'lwaa'\nlwaa = ['sat']\n\
                 [[pipeline]]\nname = '<i>pure</i>'\nlwaa = ['sat', '--engine', 'lwaa-pure']\n\
                 [[formulas]]\nfamily = 'counter-linear'\nn = '1..4'\n";
    std::fs::write(folder.join("suite.toml"), suite).unwrap();
    bench(&folder, &["suite.toml"]);
    folder
}

/// Writes the page of a suite into a folder.
fn bench(folder: &Path, arguments: &[&str]) {
    let output = Command::new(env!("CARGO_BIN_EXE_lwaa"))
        .args(["bench", "--html", "page.html"])
        .args(arguments)
        .current_dir(folder)
        .output()
        .unwrap();
    assert!(output.status.success(), "{output:?}");
}

/// What the page is after its script has run. It must not complain.
fn dom(browser: &Path, folder: &Path) -> String {
    // Whatever the page asked for would be refused and logged.
    let offline = ["--dump-dom", "--host-resolver-rules=MAP * ~NOTFOUND"];
    let output = open(browser, folder, &offline);
    let log = String::from_utf8_lossy(&output.stderr).into_owned();
    assert!(output.status.success(), "{log}");
    // What pages log is marked by this word.
    let complaints: Vec<&str> = log.lines().filter(|line| line.contains("CONSOLE")).collect();
    assert!(complaints.is_empty(), "{complaints:?}");
    String::from_utf8(output.stdout).unwrap()
}

fn open(browser: &Path, folder: &Path, options: &[&str]) -> Output {
    let profile = format!("--user-data-dir={}", folder.join("profile").display());
    let address = format!("file://{}", folder.join("page.html").display());
    let standard = ["--headless=new", "--no-sandbox", "--disable-gpu", "--enable-logging=stderr"];
    Command::new(browser).args(standard).arg(profile).args(options).arg(address).output().unwrap()
}

#[test]
fn it_opens_without_errors_and_shows_the_plots() {
    let Some(browser) = browser() else { return };
    let folder = page("dom");
    let dom = dom(&browser, &folder);
    std::fs::remove_dir_all(&folder).unwrap();
    assert_eq!(dom.matches("<svg class=\"plot\"").count(), 5, "{dom}");
    assert!(dom.contains("A &lt;b&gt;page&lt;/b&gt; &amp; its plots"), "{dom}");
    assert!(!dom.contains("<i>pure</i>"), "{dom}");
    // The script has run: titles of columns are buttons.
    assert!(dom.contains("<button type=\"button\">solved</button>"), "{dom}");
}

#[test]
fn the_page_of_the_philosophers_shows_both_tables() {
    let Some(browser) = browser() else { return };
    let folder = folder("philosophers");
    let suite = Path::new(env!("CARGO_MANIFEST_DIR")).join("benches/suites/philosophers.toml");
    // Long enough for all sizes of ours, short for those who do not finish.
    bench(&folder, &[suite.to_str().unwrap(), "--time", "5s"]);
    let dom = dom(&browser, &folder);
    std::fs::remove_dir_all(&folder).unwrap();
    for title in ["everyone takes the left fork first", "one takes the right fork first"] {
        assert!(dom.contains(&format!("<h3>{title}</h3>")), "{dom}");
        assert!(dom.contains(&format!("<h3>Growth: {title}</h3>")), "{dom}");
    }
    // Solved by time, one against another, and growth of three things, twice.
    assert!(8 <= dom.matches("<svg class=\"plot\"").count(), "{dom}");
    assert!(dom.contains("No answer contradicts"), "{dom}");
}

/// What the page about some requirements is in a browser, and the exit code of `lwaa`.
fn requirements(browser: &Path, name: &str, text: &str) -> (String, Option<i32>) {
    let folder = folder(name);
    std::fs::write(folder.join("set.txt"), text).unwrap();
    let output = Command::new(env!("CARGO_BIN_EXE_lwaa"))
        .args(["requirements", "set.txt", "--html", "page.html"])
        .current_dir(&folder)
        .output()
        .unwrap();
    let dom = dom(browser, &folder);
    std::fs::remove_dir_all(&folder).unwrap();
    (dom, output.status.code())
}

#[test]
fn the_page_about_requirements_shows_conflicts_words_and_repairs() {
    let Some(browser) = browser() else { return };
    let text = "job: G (\"<b>job</b>\" -> F printed)\nagain & again: G F \"<b>job</b>\"\n\
                never: F G !printed\ncalm: G calm\n";
    let (dom, code) = requirements(&browser, "conflict", text);
    assert_eq!(code, Some(1));
    assert!(dom.contains("<h1>Requirements: set.txt</h1>"), "{dom}");
    assert!(dom.contains("<p class=\"wrong\">inconsistent</p>"), "{dom}");
    assert_eq!(dom.matches("<h2>Conflict ").count(), 1, "{dom}");
    // Each of the three members is shown with a word that shows that it is needed.
    let sentence = "<p>Without it, the other requirements of this conflict";
    assert_eq!(dom.matches(sentence).count(), 3, "{dom}");
    for repair in ["job", "again &amp; again", "never"] {
        assert!(dom.contains(&format!("<li>{repair}</li>")), "{dom}");
        assert!(row(&dom, repair).contains("<p class=\"remark\">conflict 1</p>"), "{dom}");
    }
    assert!(row(&dom, "calm").ends_with("<td><code>G calm</code></td><td></td>"), "{dom}");
    // Names are text, not tags.
    assert!(!dom.contains("<b>job</b>"), "{dom}");
}

#[test]
fn the_page_about_requirements_shows_what_is_redundant_and_vacuous() {
    let Some(browser) = browser() else { return };
    let text = "answer: G (request -> F grant)\nquiet: G !request\nfair: G F grant\n";
    let (dom, code) = requirements(&browser, "vacuous", text);
    assert_eq!(code, Some(0));
    assert!(dom.contains("<p class=\"fine\">consistent</p>"), "{dom}");
    assert!(dom.contains("<h2>A word on which all of them hold</h2>"), "{dom}");
    assert!(dom.contains("cycle: 1 letter, repeated for ever\n  0  grant"), "{dom}");
    assert_eq!(dom.matches("class=\"name\" scope=\"row\"").count(), 3, "{dom}");
    let answer = row(&dom, "answer");
    assert!(answer.contains(">redundant: follows from"), "{answer}");
    assert!(answer.contains(">vacuous: "), "{answer}");
    assert!(row(&dom, "quiet").ends_with("<td></td>"), "{dom}");
}

/// The row of a requirement.
fn row<'a>(dom: &'a str, name: &str) -> &'a str {
    let (_, rest) = dom.split_once(&format!("scope=\"row\">{name}</th>")).unwrap();
    rest.split("</tr>").next().unwrap()
}

/// Requirements that are long in every way, contradict each other, and have comments.
fn long_requirements() -> String {
    let atoms: Vec<String> = (0..12).map(|n| format!("a_long_name_of_an_atom_{n}")).collect();
    let (all, some) = (atoms.join(" & "), atoms.join(" | "));
    let word = "w".repeat(90);
    format!(
        "# {}\nR1: G ({all})\n\nR2: G F !{}\n\n# Words in a comment.\na name that has many words \
         in it, as titles of requirements often do: G ({some} -> F {word})\nlast: G F {word}\n",
        "What the first requirement says in words. ".repeat(8),
        atoms[3]
    )
}

/// Says in the page which elements stick out of the window or are not shown, and which cells of
/// a table are columns although the window is small.
const PROBE: &str = "<script>addEventListener('load', () => {
  const wrong = [];
  for (const element of document.querySelectorAll('body *')) {
    // Some tables are scrolled, links have no use on paper, and titles in plots are not drawn.
    if (element.closest('script, .scroll, .frame, #lanes, nav') !== null || element.ownerSVGElement) continue;
    if (element.closest('[hidden], noscript, #controls, .filters, .property button') || getComputedStyle(element).display === 'contents') continue;
    const box = element.getBoundingClientRect();
    if (box.right > innerWidth + 1) wrong.push('wide ' + element.tagName + ' ' + box.right);
    if (element.scrollWidth > element.clientWidth + 1 && element.clientWidth > 0)
      wrong.push('cut ' + element.tagName);
    if (element.closest('thead') === null && (box.width === 0 || box.height === 0))
      if (element.textContent.trim() !== '') wrong.push('hidden ' + element.tagName);
    if (innerWidth < 800 && element.matches('tbody th, tbody td') && box.width < innerWidth / 2)
      wrong.push('narrow ' + element.tagName);
  }
  document.body.dataset.wrong = wrong.join('; ');
});</script>";

/// Opens the page in windows of several widths, and as if on paper: nothing sticks out.
fn assert_fits(browser: &Path, folder: &Path) {
    let page = std::fs::read_to_string(folder.join("page.html")).unwrap();
    let page = page.replace("</body>", &format!("{PROBE}</body>"));
    // Paper is a window that follows the rules for print.
    let paper = page.replace("@media print", "@media screen").replace(", print {", ", screen {");
    assert_ne!(page, paper);
    for (page, size) in [(&page, "1280,2000"), (&page, "500,2000"), (&paper, "720,2000")] {
        std::fs::write(folder.join("page.html"), page).unwrap();
        let output = open(browser, folder, &["--dump-dom", &format!("--window-size={size}")]);
        let dom = String::from_utf8(output.stdout).unwrap();
        assert!(dom.contains("data-wrong=\"\""), "{size}: {dom}");
    }
}

#[test]
fn the_page_about_benchmarks_fits_every_screen_and_paper() {
    let Some(browser) = browser() else { return };
    let folder = page("wide-bench");
    assert_fits(&browser, &folder);
    std::fs::remove_dir_all(&folder).unwrap();
}

#[test]
fn the_page_about_translators_names_the_wrong_one_and_fits_every_screen_and_paper() {
    let Some(browser) = browser() else { return };
    let folder = folder("cross");
    let ours = env!("CARGO_BIN_EXE_lwaa");
    // The formula comes behind the sign of a comment.
    let wrong = format!("{{a <b>wrong</b> one}} {ours} translate p0 --to nba --format never # %f");
    let output = Command::new(ours)
        .args(["cross", "--rounds", "3", "--html", "page.html", "--translator", &wrong])
        .current_dir(&folder)
        .output()
        .unwrap();
    assert_eq!(output.status.code(), Some(1), "{output:?}");
    let dom = dom(&browser, &folder);
    assert!(dom.contains("<p class=\"wrong\">rounds 3, disagreements"), "{dom}");
    assert!(dom.contains("<h3>a &lt;b&gt;wrong&lt;/b&gt; one on <code>"), "{dom}");
    assert!(dom.contains("<a href=\"#wrong\">Wrong translators</a>"), "{dom}");
    assert_fits(&browser, &folder);
    std::fs::remove_dir_all(&folder).unwrap();
}

#[test]
fn the_page_about_requirements_fits_every_screen_and_paper() {
    let Some(browser) = browser() else { return };
    let folder = folder("wide");
    std::fs::write(folder.join("set.txt"), long_requirements()).unwrap();
    let output = Command::new(env!("CARGO_BIN_EXE_lwaa"))
        .args(["requirements", "set.txt", "--html", "page.html"])
        .current_dir(&folder)
        .output()
        .unwrap();
    assert_eq!(output.status.code(), Some(1), "{output:?}");
    assert_fits(&browser, &folder);
    let target = format!("--print-to-pdf={}", folder.join("page.pdf").display());
    open(&browser, &folder, &[&target, "--no-pdf-header-footer"]);
    let text = Command::new("pdftotext").args(["page.pdf", "-"]).current_dir(&folder).output();
    std::fs::remove_dir_all(&folder).unwrap();
    let Ok(text) = text else {
        println!("skipped: there is no pdftotext on the search path");
        return;
    };
    // Lines are broken anywhere, so only characters are compared.
    let text: String =
        String::from_utf8_lossy(&text.stdout).chars().filter(|c| !c.is_whitespace()).collect();
    let n_words = "w".repeat(90);
    for expected in ["conflict1", "redundant:followsfromlast", "Wordsinacomment.", &n_words, "R2"] {
        assert!(text.contains(expected), "{expected}: {text}");
    }
}

#[test]
fn it_is_drawn_in_light_and_dark() {
    let Some(browser) = browser() else { return };
    let folder = page("picture");
    let mut sizes = Vec::new();
    for scheme in
        ["--blink-settings=preferredColorScheme=1", "--blink-settings=preferredColorScheme=0"]
    {
        let picture = folder.join("page.png");
        let target = format!("--screenshot={}", picture.display());
        let output = open(&browser, &folder, &[scheme, &target, "--window-size=1200,2400"]);
        let bytes = std::fs::read(&picture).unwrap_or_default();
        assert!(bytes.starts_with(b"\x89PNG\r\n\x1a\n"), "{output:?}");
        let number = |at: usize| u32::from_be_bytes(bytes[at..at + 4].try_into().unwrap());
        assert_eq!((number(16), number(20)), (1200, 2400));
        sizes.push(bytes);
        std::fs::remove_file(&picture).unwrap();
    }
    std::fs::remove_dir_all(&folder).unwrap();
    // An empty page of this size has a few thousand bytes.
    assert!(sizes.iter().all(|bytes| 40_000 < bytes.len()), "{:?}", sizes.iter().map(Vec::len));
    assert!(sizes[0] != sizes[1], "light and dark look the same");
}
