//! The fuzz targets in `fuzz/` are complete: each language of models and each syntax of formulas
//! has one, and the manifest, the folder and the page name the same ones.

#![allow(clippy::unwrap_used, reason = "a failure here is a failed test")]

use lwaa::lang::LANGUAGES;
use lwaa::ltl::Syntax;
use std::collections::BTreeSet;
use std::path::{Path, PathBuf};

fn folder() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("fuzz")
}

fn read(name: &str) -> String {
    std::fs::read_to_string(folder().join(name)).unwrap()
}

/// The targets that there are files for.
fn files() -> BTreeSet<String> {
    let entries = std::fs::read_dir(folder().join("fuzz_targets")).unwrap();
    let names = entries.map(|entry| entry.unwrap().path());
    names.map(|path| path.file_stem().unwrap().to_str().unwrap().to_owned()).collect()
}

#[test]
fn every_language_has_a_target() {
    let targets = files();
    for language in LANGUAGES {
        let target = format!("model_{}", language.name);
        assert!(targets.contains(&target), "there is no fuzz target `{target}`");
        let text = read(&format!("fuzz_targets/{target}.rs"));
        assert!(text.contains(&format!("(text, \"{}\")", language.name)), "{target}: {text}");
    }
    let name = |syntax| match syntax {
        Syntax::Lwaa => "lwaa",
        Syntax::Spot => "spot",
        Syntax::Lbt => "lbt",
    };
    for syntax in [Syntax::Lwaa, Syntax::Spot, Syntax::Lbt] {
        let target = format!("formula_{}", name(syntax));
        assert!(targets.contains(&target), "there is no fuzz target `{target}`");
    }
}

#[test]
fn manifest_and_page_name_the_targets() {
    let manifest = read("Cargo.toml");
    let bins = manifest.split("[[bin]]").skip(1).map(|bin| {
        let value = |key: &str| {
            let line = bin.lines().find(|line| line.starts_with(key)).unwrap();
            line.split('"').nth(1).unwrap().to_owned()
        };
        let name = value("name = ");
        assert_eq!(value("path = "), format!("fuzz_targets/{name}.rs"));
        name
    });
    assert_eq!(bins.collect::<BTreeSet<String>>(), files());
    let page = read("README.md");
    for target in files() {
        assert!(page.contains(&format!("`{target}`")), "README.md does not name `{target}`");
    }
}
