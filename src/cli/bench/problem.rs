//! The problems of a suite, one for each row of the results.

use super::pipeline::Runner;
use super::suite::{Figure, Formulas, Models, Numbers, Source, Suite, answer, verdict};
use crate::cli::Failure;
use crate::cli::batch::table;
use crate::cli::diagnostic::Document;
use crate::cli::input;
use crate::cli::request::Text;
use lwaa::bench::{Group, GroupId, Instance, InstanceId, PipelineId, Results};
use lwaa::id::IdVec;
use lwaa::lang::{LANGUAGES, Language};
use lwaa::ltl::family;
use lwaa::ltl::parse::comment;
use lwaa::ltl::{Formula, Syntax};
use std::collections::BTreeMap;
use std::ops::Range;
use std::path::{Path, PathBuf};
use toml::Spanned;

/// What is to be solved.
#[derive(Debug)]
pub(super) enum Subject {
    Formula(Formula),
    Model(Model),
}

/// A model and what is asked about it.
#[derive(Clone, Debug)]
pub(super) struct Model {
    pub(super) file: PathBuf,
    pub(super) language: Option<String>,
    pub(super) definitions: Vec<(String, i64)>,
    pub(super) fair: Option<String>,
    pub(super) formula: Option<String>,
    pub(super) property: Option<String>,
}

/// One row and the pipelines that are run on it.
#[derive(Debug)]
pub(super) struct Problem {
    pub(super) subject: Subject,
    pub(super) pipelines: Vec<PipelineId>,
    /// What templates may ask for by name.
    pub(super) with: BTreeMap<String, String>,
}

/// One problem before its group is complete.
struct Row {
    name: String,
    n: Option<u64>,
    expected: Option<bool>,
    subject: Subject,
}

/// Puts the rows of a suite together.
pub(super) struct Expansion<'a> {
    pub(super) source: Source<'a>,
    /// The folder of the suite.
    pub(super) folder: &'a Path,
    pub(super) runners: &'a IdVec<PipelineId, Runner>,
    pub(super) results: &'a mut Results,
    pub(super) problems: IdVec<InstanceId, Problem>,
}

/// What groups of both kinds say about themselves.
struct About<'a> {
    span: Range<usize>,
    name: String,
    parameter: Option<String>,
    chosen: Option<&'a [Spanned<String>]>,
    published: &'a BTreeMap<String, BTreeMap<String, Figure>>,
    with: &'a BTreeMap<String, String>,
    is_about_models: bool,
}

impl Expansion<'_> {
    /// All rows of the suite.
    pub(super) fn expand(mut self, suite: &Suite) -> Result<IdVec<InstanceId, Problem>, Failure> {
        for group in &suite.formulas {
            self.formulas(group)?;
        }
        for group in &suite.models {
            self.models(group)?;
        }
        if self.problems.is_empty() && self.results.notes.is_empty() {
            return Err(self.source.error(0..0, "there is nothing to solve in this suite"));
        }
        if !self.problems.is_empty() && self.problems.iter().all(|row| row.pipelines.is_empty()) {
            return Err(self
                .source
                .error(0..0, "no pipeline of this suite fits any of its problems"));
        }
        Ok(self.problems)
    }

    fn formulas(&mut self, spanned: &Spanned<Formulas>) -> Result<(), Failure> {
        let group = spanned.get_ref();
        let source = self.source;
        let expected = source.expected(group.expected.as_ref())?;
        let syntax = self.syntax(group.syntax.as_ref())?;
        let Formulas { formulas, file, table, family, n, .. } = group;
        let (default_name, rows) = match (formulas, file, table, family, n) {
            (Some(list), None, None, None, _) => {
                let rows = list.iter().map(|text| self.inline(text, syntax, expected));
                ("formulas".to_owned(), rows.collect::<Result<Vec<Row>, Failure>>()?)
            }
            (None, Some(file), None, None, _) => {
                let Some((name, text)) = self.file(file, group.optional)? else { return Ok(()) };
                (file.get_ref().clone(), lines(&name, &text, syntax, expected)?)
            }
            (None, None, Some(file), None, _) => {
                let Some((name, text)) = self.file(file, group.optional)? else { return Ok(()) };
                (file.get_ref().clone(), table_rows(&name, &text, syntax)?)
            }
            (None, None, None, Some(name), Some(n)) => {
                (name.get_ref().clone(), self.family(name, n, expected)?)
            }
            _ => {
                let message = "a group of formulas has one of `formulas`, `file`, `table`, or `family` \
                               together with `n`";
                return Err(source.error(spanned.span(), message));
            }
        };
        let rows = sampled(rows, group.sample.as_ref().map(|sample| *sample.get_ref()));
        let parameter = group.family.is_some().then(|| "n".to_owned());
        let name = group.name.clone().unwrap_or(default_name);
        self.add(
            About {
                span: spanned.span(),
                name,
                parameter,
                chosen: group.pipelines.as_deref(),
                published: &group.published,
                with: &group.with,
                is_about_models: false,
            },
            rows,
        )
    }

    fn syntax(&self, name: Option<&Spanned<String>>) -> Result<Syntax, Failure> {
        match name.map(|name| (name.get_ref().as_str(), name)) {
            None | Some(("lwaa", _)) => Ok(Syntax::Lwaa),
            Some(("spot", _)) => Ok(Syntax::Spot),
            Some(("lbt", _)) => Ok(Syntax::Lbt),
            Some((_, name)) => {
                Err(self.source.error(name.span(), "the syntax is `lwaa`, `spot` or `lbt`"))
            }
        }
    }

    fn inline(
        &self,
        text: &Spanned<String>,
        syntax: Syntax,
        expected: Option<bool>,
    ) -> Result<Row, Failure> {
        let formula = lwaa::ltl::parse::parse(text.get_ref(), syntax).map_err(|error| {
            let span = self.source.inside(text, error.place().range());
            self.source.error(span, &error)
        })?;
        let name = text.get_ref().trim().to_owned();
        Ok(Row { name, n: None, expected, subject: Subject::Formula(formula) })
    }

    fn family(
        &self,
        name: &Spanned<String>,
        numbers: &Spanned<Numbers>,
        expected: Option<bool>,
    ) -> Result<Vec<Row>, Failure> {
        let Some(family) = family::find(name.get_ref()) else {
            let message = "there is no such family; `lwaa formula --list` lists them all";
            return Err(self.source.error(name.span(), message));
        };
        let row = |&n: &u64| {
            let formula = family
                .formula(usize::try_from(n).unwrap_or(usize::MAX))
                .map_err(|error| self.source.error(numbers.span(), error))?;
            Ok(Row {
                name: format!("n = {n}"),
                n: Some(n),
                expected: Some(expected.unwrap_or(family.satisfiable)),
                subject: Subject::Formula(formula),
            })
        };
        numbers.get_ref().0.iter().map(row).collect()
    }

    fn models(&mut self, spanned: &Spanned<Models>) -> Result<(), Failure> {
        let group = spanned.get_ref();
        let source = self.source;
        let expected = source.expected(group.expected.as_ref())?;
        let message = "fairness is `none`, `weak` or `strong`";
        source.check_word(group.fair.as_ref(), &["none", "weak", "strong"], message)?;
        if let Some(language) = &group.language
            && Language::find(language.get_ref()).is_none()
        {
            let known: Vec<String> =
                LANGUAGES.iter().map(|known| format!("`{}`", known.name)).collect();
            let message = format!("there is no such language; there are {}", known.join(", "));
            return Err(source.error(language.span(), message));
        }
        if let (Some(_), Some(property)) = (&group.formula, &group.property) {
            return Err(source.error(property.span(), "there is already a `formula`"));
        }
        let Some(file) = self.existing(&group.file, group.optional)? else { return Ok(()) };
        let model = Model {
            file,
            language: group.language.as_ref().map(|language| language.get_ref().clone()),
            definitions: group.define.iter().map(|(name, &value)| (name.clone(), value)).collect(),
            fair: group.fair.as_ref().map(|fair| fair.get_ref().clone()),
            formula: group.formula.as_ref().map(|formula| formula.get_ref().clone()),
            property: group.property.as_ref().map(|name| name.get_ref().clone()),
        };
        let parameter = group.parameter.as_ref().map(|name| name.get_ref().clone());
        let Some(rows) = model_rows(&model, parameter.as_deref(), group.n.as_ref(), expected)
        else {
            return Err(source.error(spanned.span(), "`parameter` and `n` belong together"));
        };
        // Rows are called by the parameter if there is one, else by what is asked.
        let asked = model.property.as_ref().or(model.formula.as_ref());
        let default_name = match asked.filter(|_| parameter.is_some()) {
            Some(asked) => format!("{}: {asked}", group.file.get_ref()),
            None => group.file.get_ref().clone(),
        };
        let name = group.name.clone().unwrap_or(default_name);
        self.add(
            About {
                span: spanned.span(),
                name,
                parameter,
                chosen: group.pipelines.as_deref(),
                published: &group.published,
                with: &group.with,
                is_about_models: true,
            },
            rows,
        )
    }

    /// Adds a group. Groups of the same name are one.
    fn add(&mut self, about: About<'_>, rows: Vec<Row>) -> Result<(), Failure> {
        for figures in about.published.values() {
            let is_there = |key: &&String| rows.iter().any(|row| is_key(row, key));
            if let Some(key) = figures.keys().find(|key| !is_there(key)) {
                let message = format!("a figure is published for `{key}`, which is not measured");
                return Err(self.source.error(about.span.clone(), message));
            }
        }
        let pipelines: Vec<PipelineId> = self
            .runners
            .entries()
            .filter(|(id, runner)| match about.chosen {
                None => runner.is_about_models() == about.is_about_models,
                Some(chosen) => {
                    let name = &self.results.pipelines[*id].name;
                    chosen.iter().any(|other| other.get_ref() == name)
                }
            })
            .map(|(id, _)| id)
            .collect();
        let name = about.name.clone();
        let published = about.published.keys().cloned().collect();
        let whole = Group { name: about.name, parameter: about.parameter, published };
        let same = self.results.groups.entries().find(|(_, other)| **other == whole);
        let same = same.map(|(id, _)| id);
        let group = same.unwrap_or_else(|| self.results.groups.push(whole));
        self.tell_apart(&name, about.span, group, &rows)?;
        if pipelines.is_empty() && !rows.is_empty() {
            let what = if about.is_about_models { "models" } else { "formulas" };
            self.results.notes.push(format!("{name}: no pipeline is about {what}"));
        }
        for row in rows {
            let figure = |figures: &BTreeMap<String, Figure>| {
                let found = figures.iter().find(|(key, _)| is_key(&row, key));
                found.map_or_else(String::new, |(_, figure)| figure.to_string())
            };
            let published = about.published.values().map(figure).collect();
            let Row { name, n, expected, .. } = row;
            let expected = expected.map(|is_yes| verdict(is_yes, about.is_about_models));
            self.results.instances.push(Instance { group, name, n, expected, published });
            let (pipelines, with) = (pipelines.clone(), about.with.clone());
            self.problems.push(Problem { subject: row.subject, pipelines, with });
        }
        Ok(())
    }

    /// Rows of one table have different names.
    fn tell_apart(
        &self,
        table: &str,
        span: Range<usize>,
        group: GroupId,
        rows: &[Row],
    ) -> Result<(), Failure> {
        let is_there = |row: &&Row| {
            let mut others = self.results.instances.iter();
            others.any(|other| other.group == group && other.name == row.name)
        };
        match rows.iter().find(is_there) {
            None => Ok(()),
            Some(row) => {
                let message = format!(
                    "there is already a row `{}` in the table `{table}`: give one of the groups \
                     another `name`",
                    row.name
                );
                Err(self.source.error(span, message))
            }
        }
    }

    /// The path of a file that the suite names; nothing if it may be missing and
    /// is.
    fn existing(
        &mut self,
        name: &Spanned<String>,
        is_optional: bool,
    ) -> Result<Option<PathBuf>, Failure> {
        let path = self.folder.join(name.get_ref());
        if path.is_file() {
            return Ok(Some(path));
        }
        if !is_optional {
            let message = format!("there is no file {}", path.display());
            return Err(self.source.error(name.span(), message));
        }
        self.results.notes.push(format!("skipped: there is no file {}", name.get_ref()));
        Ok(None)
    }

    fn file(
        &mut self,
        name: &Spanned<String>,
        is_optional: bool,
    ) -> Result<Option<(String, String)>, Failure> {
        let path = self.existing(name, is_optional)?;
        path.map(|path| input::raw_text(&Text::File(path))).transpose()
    }
}

/// A row for each value of the parameter, or one if there is none.
fn model_rows(
    model: &Model,
    parameter: Option<&str>,
    numbers: Option<&Spanned<Numbers>>,
    expected: Option<bool>,
) -> Option<Vec<Row>> {
    match (parameter, numbers) {
        (Some(name), Some(numbers)) => {
            let row = |&n: &u64| {
                let mut model = model.clone();
                model.definitions.push((name.to_owned(), i64::try_from(n).unwrap_or(i64::MAX)));
                let subject = Subject::Model(model);
                Row { name: format!("{name} = {n}"), n: Some(n), expected, subject }
            };
            Some(numbers.get_ref().0.iter().map(row).collect())
        }
        (None, None) => {
            let asked = model.property.as_ref().or(model.formula.as_ref());
            let stem = model.file.file_stem().unwrap_or_default().to_string_lossy();
            let name = asked.map_or_else(|| stem.to_string(), |asked| format!("{stem}: {asked}"));
            Some(vec![Row { name, n: None, expected, subject: Subject::Model(model.clone()) }])
        }
        _ => None,
    }
}

/// Whether a published figure with this key is about this row.
fn is_key(row: &Row, key: &str) -> bool {
    row.name == key || row.n.is_some_and(|n| n.to_string() == key)
}

/// A formula on each line that is neither empty nor a comment.
fn lines(
    name: &str,
    text: &str,
    syntax: Syntax,
    expected: Option<bool>,
) -> Result<Vec<Row>, Failure> {
    let mut rows = Vec::new();
    let mut start = 0;
    for (index, whole_line) in text.split_inclusive('\n').enumerate() {
        let line = &whole_line[..comment(whole_line, &mut false).unwrap_or(whole_line.len())];
        let span = start..start + line.trim_end().len();
        start += whole_line.len();
        if line.trim().is_empty() {
            continue;
        }
        let formula = parsed(Document { name, text }, span, syntax)?;
        let subject = Subject::Formula(formula);
        rows.push(Row { name: format!("line {}", index + 1), n: None, expected, subject });
    }
    Ok(rows)
}

fn table_rows(name: &str, text: &str, syntax: Syntax) -> Result<Vec<Row>, Failure> {
    let row = |row: &table::Row<'_>| {
        let formula = parsed(Document { name, text }, row.span.clone(), syntax)?;
        Ok(Row {
            name: row.name.to_string(),
            n: None,
            expected: answer(row.expected_text),
            subject: Subject::Formula(formula),
        })
    };
    table::rows(name, text)?.iter().map(row).collect()
}

fn parsed(document: Document<'_>, span: Range<usize>, syntax: Syntax) -> Result<Formula, Failure> {
    lwaa::ltl::parse::parse(&document.text[span.clone()], syntax).map_err(|error| {
        input::complaint(document, span, syntax)
            .unwrap_or_else(|| Failure::plain(format_args!("{}: {error}", document.name)))
    })
}

/// At most so many, evenly taken.
fn sampled(rows: Vec<Row>, sample: Option<usize>) -> Vec<Row> {
    let n_rows = rows.len();
    let Some(sample) = sample.filter(|sample| *sample < n_rows) else { return rows };
    let is_taken = |index: usize| index * sample / n_rows != (index + 1) * sample / n_rows;
    rows.into_iter().enumerate().filter(|(index, _)| is_taken(*index)).map(|(_, row)| row).collect()
}
