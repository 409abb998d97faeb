//! The reference of options is complete: it has exactly the options that the help texts have,
//! for the same commands, with the same values and defaults.

use crate::page::Page;
use regex_lite::Regex;
use std::collections::{BTreeMap, BTreeSet};
use std::process::Command;

/// Words of the page that stand for several commands.
const GROUPS: &[(&str, &[&str])] = &[
    ("formulas", &["sat", "valid", "implies", "equiv"]),
    ("models", &["check", "explore", "simulate", "replay"]),
];

fn help(words: &[&str]) -> String {
    let run = Command::new(env!("CARGO_BIN_EXE_lwaa")).args(words).arg("--help").output().unwrap();
    assert!(run.status.success(), "{words:?}");
    String::from_utf8(run.stdout).unwrap()
}

/// The names of the commands below a command, as its help lists them.
fn commands_below(words: &[&str]) -> Vec<String> {
    let help = help(words);
    let list = help.lines().skip_while(|line| *line != "Commands:").skip(1);
    let lines = list.take_while(|line| !line.is_empty());
    // Lines that are indented more continue the description of a command.
    let names = lines.filter(|line| !line.starts_with("   "));
    let names = names.map(|line| line.split_whitespace().next().unwrap().to_owned());
    names.filter(|name| name != "help").collect()
}

/// All commands that do something: `sat`, `random formula`.
fn commands() -> Vec<String> {
    let mut all = Vec::new();
    for command in commands_below(&[]) {
        let below = commands_below(&[&command]);
        if below.is_empty() {
            all.push(command);
        } else {
            all.extend(below.iter().map(|name| format!("{command} {name}")));
        }
    }
    all
}

/// The options of a command and what is said about each.
fn options(command: &str) -> BTreeMap<String, String> {
    let words: Vec<&str> = command.split(' ').collect();
    let begins = Regex::new(r"^ {2,6}(?:-(\w)(?:, )?)?(?:--([\w-]+))?(?: |$)").unwrap();
    let mut options: BTreeMap<String, String> = BTreeMap::new();
    let mut current = None;
    for line in help(&words).lines().take_while(|line| !line.starts_with("Example")) {
        let start = begins.captures(line).filter(|found| found.get(1).or(found.get(2)).is_some());
        if let Some(found) = start {
            let name = match (found.get(2), found.get(1)) {
                (Some(long), _) => format!("--{}", long.as_str()),
                (None, short) => format!("-{}", short.unwrap().as_str()),
            };
            options.insert(name.clone(), line[found.get(0).unwrap().end()..].to_owned());
            current = Some(name);
        } else if line.starts_with("  ")
            && let Some(name) = &current
        {
            let text = options.get_mut(name).unwrap();
            text.push(' ');
            text.push_str(line.trim());
        } else if !line.is_empty() {
            current = None;
        }
    }
    options
}

/// The rows of the tables of options: options, commands, and the whole row.
fn rows(page: &Page, all: &[String]) -> Vec<(Vec<String>, BTreeSet<String>, String)> {
    let code = Regex::new("`([^`]+)`").unwrap();
    let mut rows = Vec::new();
    for (_, line) in page.prose() {
        let Some(cells) = line.strip_prefix("| `-").map(|_| line.split(" | ").collect::<Vec<_>>())
        else {
            continue;
        };
        let first = code.captures_iter(cells[0]);
        let names = first.map(|name| name[1].split(' ').next().unwrap().to_owned()).collect();
        let mut commands: BTreeSet<String> =
            code.captures_iter(cells[1]).map(|name| name[1].to_owned()).collect();
        for (group, members) in GROUPS {
            if cells[1].split(' ').any(|word| word == *group) {
                commands.extend(members.iter().map(|&member| member.to_owned()));
            }
        }
        if cells[1].trim() == "all" {
            commands.extend(all.iter().cloned());
        }
        rows.push((names, commands, line.to_owned()));
    }
    rows
}

#[test]
fn the_reference_has_every_option_and_no_other() {
    let page = Page::read("docs/src/reference/options.md");
    let all = commands();
    let mut documented: BTreeMap<(String, String), String> = BTreeMap::new();
    for (names, commands, row) in rows(&page, &all) {
        // Of `-F`, `--file FILE` the long name counts.
        let name = names.last().unwrap();
        for command in commands {
            let old = documented.insert((command.clone(), name.clone()), row.clone());
            assert_eq!(old, None, "{name} of {command} stands in two rows");
        }
    }
    let mut known = BTreeSet::new();
    let brackets = Regex::new(r"\[(default|possible values): ([^\]]+)\]").unwrap();
    for command in &all {
        for (name, text) in options(command) {
            let key = (command.clone(), name.clone());
            let row = documented.get(&key).unwrap_or_else(|| panic!("no row for {key:?}"));
            for found in brackets.captures_iter(&text) {
                let is_prose = &found[1] == "default" && found[2].contains(' ');
                for value in found[2].split(", ").filter(|_| !is_prose) {
                    let value = value.trim();
                    assert!(row.contains(&format!("`{value}`")), "{key:?}: no `{value}` in {row}");
                }
            }
            known.insert(key);
        }
    }
    for key in documented.keys() {
        assert!(known.contains(key), "there is no such option: {key:?}");
    }
}

#[test]
fn the_reference_has_every_command() {
    let page = Page::read("docs/src/reference/options.md");
    for command in commands() {
        let is_named = page.text.contains(&format!("`lwaa {command}"));
        assert!(is_named, "the page says nothing of {command}");
    }
}
