//! Pages and what they consist of: fenced blocks, headings and prose.

use std::ops::Range;
use std::path::{Path, PathBuf};

/// A Markdown file.
pub(crate) struct Page {
    /// Relative to the root of the project.
    pub(crate) path: PathBuf,
    pub(crate) text: String,
}

/// A fenced block of a page.
pub(crate) struct Block<'a> {
    /// What follows the opening fence: a language, then attributes.
    pub(crate) info: &'a str,
    /// The line of the opening fence, counted from 1.
    pub(crate) line: usize,
    /// Where the lines between the fences are in the page.
    pub(crate) span: Range<usize>,
}

impl<'a> Block<'a> {
    pub(crate) fn language(&self) -> &'a str {
        self.info.split_whitespace().next().unwrap_or_default()
    }

    /// The value of an attribute, as in `console needs=spin`.
    pub(crate) fn attribute(&self, name: &str) -> Option<&'a str> {
        let mut words = self.info.split_whitespace().skip(1);
        words.find_map(|word| word.strip_prefix(name)?.strip_prefix('='))
    }
}

pub(crate) fn root() -> &'static Path {
    Path::new(env!("CARGO_MANIFEST_DIR"))
}

/// All Markdown files below a folder, in the order of their names.
pub(crate) fn below(folder: &str) -> Vec<Page> {
    let mut open = vec![root().join(folder)];
    let mut paths = Vec::new();
    while let Some(path) = open.pop() {
        if path.is_dir() {
            open.extend(std::fs::read_dir(path).unwrap().map(|entry| entry.unwrap().path()));
        } else if path.extension().is_some_and(|extension| extension == "md") {
            paths.push(path.strip_prefix(root()).unwrap().to_owned());
        }
    }
    paths.sort();
    paths.into_iter().map(Page::read).collect()
}

/// The pages that users read.
pub(crate) fn all() -> Vec<Page> {
    let mut pages: Vec<Page> =
        ["README.md", "CONTRIBUTING.md", "CHANGELOG.md", "formulas/README.md", "fuzz/README.md"]
            .into_iter()
            .map(Page::read)
            .collect();
    for folder in ["docs/src", "models", "benches/suites"] {
        pages.extend(below(folder));
    }
    pages
}

impl Page {
    /// Reads the page at a path relative to the root.
    pub(crate) fn read(path: impl Into<PathBuf>) -> Self {
        let path = path.into();
        let text = std::fs::read_to_string(root().join(&path))
            .unwrap_or_else(|error| panic!("{}: {error}", path.display()));
        Self { path, text }
    }

    /// The fenced blocks, in their order.
    pub(crate) fn blocks(&self) -> Vec<Block<'_>> {
        let mut blocks = Vec::new();
        let mut open: Option<(usize, &str, usize)> = None;
        for (number, start, line) in self.lines() {
            let Some(fence) = line.strip_prefix("```") else { continue };
            match open.take() {
                None => open = Some((number, fence.trim(), start + line.len() + 1)),
                Some((line, info, from)) => blocks.push(Block { info, line, span: from..start }),
            }
        }
        assert!(open.is_none(), "{}: a block has no end", self.path.display());
        blocks
    }

    /// The lines outside of fenced blocks, with their numbers.
    pub(crate) fn prose(&self) -> Vec<(usize, &str)> {
        let mut is_inside = false;
        let mut prose = Vec::new();
        for (number, _, line) in self.lines() {
            if line.starts_with("```") {
                is_inside = !is_inside;
            } else if !is_inside {
                prose.push((number, line));
            }
        }
        prose
    }

    /// The names by which links refer to the headings.
    pub(crate) fn anchors(&self) -> Vec<String> {
        let is_heading =
            |line: &&str| line.starts_with('#') && line.trim_start_matches('#').starts_with(' ');
        let headings = self.prose().into_iter().map(|(_, line)| line).filter(is_heading);
        headings.map(|line| anchor(line.trim_start_matches('#'))).collect()
    }

    /// The lines under a heading, up to the next heading of its level or above.
    pub(crate) fn section(&self, heading: &str) -> String {
        let level = heading.bytes().take_while(|&byte| byte == b'#').count();
        let is_end = |line: &str| {
            let depth = line.bytes().take_while(|&byte| byte == b'#').count();
            0 < depth && depth <= level && line[depth..].starts_with(' ')
        };
        let lines: Vec<&str> = self.text.lines().collect();
        let start = lines.iter().position(|line| *line == heading).unwrap_or_else(|| {
            panic!("{}: no heading `{heading}`", self.path.display());
        });
        let mut is_code = false;
        let body = lines[start + 1..].iter().take_while(|line| {
            is_code ^= line.starts_with("```");
            is_code || !is_end(line)
        });
        body.flat_map(|line| [line, "\n"]).collect()
    }

    /// Number, start and text of each line.
    fn lines(&self) -> impl Iterator<Item = (usize, usize, &str)> {
        let mut start = 0;
        self.text.split('\n').enumerate().map(move |(index, line)| {
            let from = start;
            start += line.len() + 1;
            (index + 1, from, line)
        })
    }
}

/// The name that renderers give to a heading.
fn anchor(heading: &str) -> String {
    let kept = heading.trim().to_lowercase();
    let kept = kept.chars().filter(|c| c.is_alphanumeric() || matches!(c, ' ' | '-' | '_'));
    kept.map(|c| if c == ' ' { '-' } else { c }).collect()
}
