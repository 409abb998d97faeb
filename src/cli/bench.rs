//! `bench`: runs a suite, one process for each measurement, one at a time.
//!
//! What is known is written after every row, so that nothing is lost if
//! a long run is interrupted.

mod machine;
mod pipeline;
mod problem;
mod suite;

use super::diagnostic::Document;
use super::process::{self, End, Limits};
use super::request::{Bench, Text};
use super::{Exit, Failure, input, output, quantity, template};
use indicatif::{ProgressBar, ProgressStyle};
use lwaa::bench::{Cost, GroupId, InstanceId, Measurement, Outcome, PipelineId, Results};
use lwaa::bench::{csv, figures, html, table};
use lwaa::id::{Id, IdVec};
use pipeline::{Conditions, Runner};
use problem::{Expansion, Problem};
use std::collections::BTreeMap;
use std::io::Write;
use std::path::Path;
use std::sync::atomic::AtomicBool;
use std::time::Duration;
use suite::{Source, Suite};
use tempfile::TempDir;

/// By how much a process of ours may overrun its limits before it is ended.
const TOLERANCE: Duration = Duration::from_secs(2);

/// Runs the suite.
pub(super) fn run(bench: &Bench) -> Result<Exit, Failure> {
    let (name, text) = input::raw_text(&Text::File(bench.suite.clone()))?;
    let source = Source(Document { name: &name, text: &text });
    let suite = source.read()?;
    let folder = bench.suite.parent().filter(|folder| !folder.as_os_str().is_empty());
    let folder = std::path::absolute(folder.unwrap_or(Path::new(".")))
        .map_err(|error| Failure::plain(format_args!("cannot find {name}: {error}")))?;
    let mut results = begun(bench, source, &suite)?;
    let mut runners: IdVec<PipelineId, Runner> = IdVec::new();
    for pipeline in &suite.pipelines {
        runners.push(Runner::new(source, pipeline.get_ref())?);
    }
    let expansion = Expansion {
        source,
        folder: &folder,
        runners: &runners,
        results: &mut results,
        problems: IdVec::new(),
    };
    let problems = expansion.expand(&suite)?;
    for note in &results.notes {
        output::message(&format!("note: {note}\n"));
    }
    record_versions(&suite, &mut results);
    let stop = process::interrupt_flag();
    let files = Files {
        csv: bench.csv.as_deref(),
        html: bench.html.as_deref(),
        plots: bench.plots.as_deref(),
    };
    files.write(&results)?;
    let program = process::own_program()?;
    let mut work = Work {
        suite: &suite,
        program: &program,
        folder: &folder,
        own_limits: own_limits(bench, &results),
        runners: &runners,
        problems: &problems,
        results,
        failed: BTreeMap::new(),
        worst: Exit::Yes,
        scratch: scratch()?,
        stop: &stop,
    };
    work.measure_all(&files)?;
    work.finish(&files)
}

/// The results before anything is measured.
fn begun(bench: &Bench, source: Source<'_>, suite: &Suite) -> Result<Results, Failure> {
    let mut results = Results {
        title: suite.title.clone(),
        description: suite.description.clone(),
        date: quantity::date(),
        machine: machine::facts(),
        shown: suite.show.clone(),
        time: bench.time,
        memory: bench.memory.map(bytes),
        repetitions: suite.repetitions.as_ref().map_or(1, |repetitions| *repetitions.get_ref()),
        ..Results::default()
    };
    let file = bench.suite.file_name().unwrap_or_default().to_string_lossy().into_owned();
    results.suite = (file, source.0.text.to_owned());
    if let Some(time) = &suite.time {
        let time = source.duration(time)?;
        results.time = results.time.or(Some(time));
    }
    if let Some(memory) = &suite.memory {
        let memory = source.bytes(memory)?;
        results.memory = results.memory.or(Some(bytes(memory)));
    }
    for pipeline in &suite.pipelines {
        let pipeline = pipeline.get_ref();
        let own = pipeline.lwaa.as_ref().map(|words| {
            let words: Vec<String> =
                words.get_ref().iter().map(|word| template::quoted(word)).collect();
            format!("lwaa {}", words.join(" "))
        });
        let command = pipeline.command.as_ref().map(|command| command.get_ref().clone());
        results.pipelines.push(lwaa::bench::Pipeline {
            name: pipeline.name.get_ref().clone(),
            command: own.or(command).unwrap_or_default(),
            version: None,
        });
    }
    Ok(results)
}

fn bytes(bytes: usize) -> u64 {
    u64::try_from(bytes).unwrap_or(u64::MAX)
}

/// The limits as options of this program.
fn own_limits(bench: &Bench, results: &Results) -> Vec<String> {
    [
        results.time.map(|time| format!("--time={}", quantity::duration_text(time))),
        results.memory.map(|memory| format!("--memory={memory}")),
        bench.states.map(|states| format!("--states={states}")),
    ]
    .into_iter()
    .flatten()
    .collect()
}

fn record_versions(suite: &Suite, results: &mut Results) {
    for (pipeline, id) in suite.pipelines.iter().zip(results.pipelines.ids()) {
        let version = pipeline.get_ref().version.as_deref().and_then(machine::version);
        results.pipelines[id].version = version;
    }
    for (name, command) in &suite.versions {
        let version = machine::version(command).unwrap_or_else(|| "not installed".to_owned());
        results.machine.push((name.clone(), version));
    }
}

/// Files that are written besides the table.
struct Files<'a> {
    csv: Option<&'a Path>,
    html: Option<&'a Path>,
    /// The folder for plots.
    plots: Option<&'a Path>,
}

impl Files<'_> {
    fn write(&self, results: &Results) -> Result<(), Failure> {
        type Writer = fn(&mut dyn Write, &Results) -> std::io::Result<()>;
        let files: [(Option<&Path>, Writer); 2] =
            [(self.csv, csv::write), (self.html, html::write)];
        for (path, write) in files {
            let Some(path) = path else { continue };
            output::file(path, output::Style::Text, |out| write(out, results))?;
        }
        let Some(folder) = self.plots else { return Ok(()) };
        std::fs::create_dir_all(folder).map_err(|error| output::unwritable(folder, &error))?;
        for figures::File { name, text } in figures::files(results) {
            let path = folder.join(name);
            output::file(&path, output::Style::Text, |out| out.write_all(text.as_bytes()))?;
        }
        Ok(())
    }
}

fn scratch() -> Result<TempDir, Failure> {
    tempfile::Builder::new().prefix("lwaa-bench-").tempdir().map_err(|error| {
        let folder = std::env::temp_dir();
        Failure::plain(format_args!("cannot create a folder in {}: {error}", folder.display()))
    })
}

/// A suite that is being measured.
struct Work<'a> {
    suite: &'a Suite,
    program: &'a Path,
    folder: &'a Path,
    own_limits: Vec<String>,
    runners: &'a IdVec<PipelineId, Runner>,
    problems: &'a IdVec<InstanceId, Problem>,
    results: Results,
    /// The least parameter that a pipeline has failed on.
    failed: BTreeMap<(GroupId, PipelineId), u64>,
    /// What the exit code will be, as far as single processes count.
    worst: Exit,
    /// A folder for what processes write, emptied for each and removed in the end.
    scratch: TempDir,
    stop: &'a AtomicBool,
}

impl Work<'_> {
    fn measure_all(&mut self, files: &Files<'_>) -> Result<(), Failure> {
        let total: usize = self.problems.iter().map(|problem| problem.pipelines.len()).sum();
        let bar = ProgressBar::new(u64::try_from(total).unwrap_or(u64::MAX));
        if let Ok(style) =
            ProgressStyle::with_template("{bar:24} {pos} of {len}, {elapsed}  {wide_msg}")
        {
            bar.set_style(style);
        }
        for (id, problem) in self.problems.entries() {
            for &pipeline in &problem.pipelines {
                let instance = &self.results.instances[id];
                let group = &self.results.groups[instance.group].name;
                let name = &self.results.pipelines[pipeline].name;
                bar.set_message(format!("{group}, {}: {name}", instance.name));
                bar.tick();
                if !self.measure(id, pipeline) {
                    self.results.is_interrupted = true;
                    bar.finish_and_clear();
                    return Ok(());
                }
                bar.inc(1);
            }
            if files.csv.is_some() {
                Files { html: None, plots: None, ..*files }.write(&self.results)?;
            }
        }
        bar.finish_and_clear();
        Ok(())
    }

    /// All attempts of a pipeline at an instance; false after an interrupt.
    fn measure(&mut self, id: InstanceId, pipeline: PipelineId) -> bool {
        let key = (self.results.instances[id].group, pipeline);
        let n = self.results.instances[id].n;
        let reason = self.reason_not_to_ask(key, n);
        for repetition in 1..=self.results.repetitions {
            let mut measurement = match &reason {
                Some((outcome, message)) => Measurement::because(*outcome, message),
                None => match self.attempt(id, pipeline) {
                    Some(measurement) => measurement,
                    None => return false,
                },
            };
            (measurement.instance, measurement.pipeline) = (id, pipeline);
            measurement.repetition = repetition;
            let outcome = measurement.outcome;
            self.complain(&measurement);
            self.results.measurements.push(measurement);
            if outcome.is_failure() {
                let least = self.failed.entry(key).or_insert(u64::MAX);
                *least = n.unwrap_or(u64::MAX).min(*least);
            }
            if !matches!(outcome, Outcome::Solved | Outcome::NothingFound) {
                break;
            }
        }
        true
    }

    /// Why a pipeline is not asked: it is not there, or has failed on less.
    fn reason_not_to_ask(
        &self,
        key: (GroupId, PipelineId),
        n: Option<u64>,
    ) -> Option<(Outcome, String)> {
        let pipeline = self.suite.pipelines.get(key.1.index())?;
        let is_missing = |program: &&String| !is_installed(self.folder, program);
        if let Some(program) = pipeline.get_ref().needs.iter().find(is_missing) {
            return Some((Outcome::NotInstalled, format!("there is no {program}")));
        }
        let (&failed, n) = (self.failed.get(&key)?, n?);
        (failed < n && !self.suite.keep_asking)
            .then(|| (Outcome::NotAsked, format!("has failed on {failed}")))
    }

    /// One attempt; nothing after an interrupt.
    fn attempt(&mut self, id: InstanceId, pipeline: PipelineId) -> Option<Measurement> {
        let (runner, problem) = (&self.runners[pipeline], &self.problems[id]);
        let conditions = Conditions {
            program: self.program,
            folder: self.folder,
            scratch: self.scratch.path(),
            limits: &self.own_limits,
            seconds: self.results.time.map(|time| time.as_secs_f64()),
            bytes: self.results.memory,
        };
        let failed = |message| Some(Measurement::because(Outcome::Failed, message));
        let folder = self.scratch.path();
        let emptied = std::fs::remove_dir_all(folder).and_then(|()| std::fs::create_dir(folder));
        if let Err(error) = emptied {
            return failed(format!("cannot empty a folder: {error}"));
        }
        let n = self.results.instances[id].n;
        let (mut command, input) = match runner.command(problem, n, conditions) {
            Ok(ready) => ready,
            Err(message) => return failed(message),
        };
        // Our own processes keep their limits themselves, and say more then.
        let is_own = matches!(runner, Runner::Lwaa { .. });
        let slack = if is_own { TOLERANCE } else { Duration::ZERO };
        let limits = Limits {
            time: self.results.time.map(|time| time + slack),
            memory: self
                .results
                .memory
                .map(|memory| if is_own { memory + memory / 4 } else { memory }),
        };
        let ended = match process::run(&mut command, &input, limits, self.stop) {
            Ok(ended) => ended?,
            Err(error) => return failed(format!("cannot run a process: {error}")),
        };
        let mut measurement = runner.meaning(&ended, problem, conditions);
        if is_own && measurement.outcome == Outcome::Failed {
            self.worst = worse(self.worst, ended.end);
        }
        let said = measurement.cost.and_then(|cost| cost.peak_bytes);
        measurement.cost = Some(Cost {
            wall_seconds: ended.wall.as_secs_f64(),
            user_seconds: ended.processor.map(|used| used.user.as_secs_f64()),
            system_seconds: ended.processor.map(|used| used.system.as_secs_f64()),
            peak_bytes: said.or(ended.peak_bytes),
        });
        Some(measurement)
    }

    /// Says at once what went wrong.
    fn complain(&self, measurement: &Measurement) {
        let Measurement { instance, pipeline, outcome, message, .. } = measurement;
        let is_news = matches!(outcome, Outcome::Failed | Outcome::Unknown);
        let (Some(message), true) = (message, is_news) else { return };
        let instance = &self.results.instances[*instance];
        let group = &self.results.groups[instance.group].name;
        let name = &self.results.pipelines[*pipeline].name;
        output::message(&format!(
            "{group}, {}: {name} {}: {message}\n",
            instance.name,
            outcome.word()
        ));
    }

    /// Writes everything, and says how the process is to end.
    fn finish(self, files: &Files<'_>) -> Result<Exit, Failure> {
        let mut results = self.results;
        if results.shown.is_empty() {
            let has = |name: &str| {
                let mut all =
                    results.measurements.iter().flat_map(|measurement| &measurement.numbers);
                all.any(|(other, _)| other == name)
            };
            let shown = [["nodes"].as_slice(), &["states", "edges"], &["states"]];
            let shown = shown.into_iter().find(|names| names.iter().all(|name| has(name)));
            results.shown =
                shown.unwrap_or_default().iter().map(|name| (*name).to_owned()).collect();
        }
        output::verbatim(|out| table::write(out, &results))?;
        files.write(&results)?;
        let contradictions = results.contradictions();
        for sentence in &contradictions {
            output::message(&format!("{sentence}\n"));
        }
        Ok(match () {
            () if !contradictions.is_empty() => Exit::No,
            () if self.worst != Exit::Yes => self.worst,
            () if results.is_interrupted => Exit::Unknown,
            () => Exit::Yes,
        })
    }
}

/// Bugs of ours come before mistakes in the suite; what other programs do is
/// a result.
fn worse(worst: Exit, end: End) -> Exit {
    let End::ByItself(status) = end else { return worst };
    match status.code() {
        Some(2) if worst == Exit::Yes => Exit::BadInput,
        // A wrong model is a result as well.
        Some(2 | 5) => worst,
        _ => Exit::Internal,
    }
}

/// Whether there is such a program: on the search path or, if its name has a
/// slash, beside the suite.
fn is_installed(folder: &Path, program: &str) -> bool {
    if program.contains('/') {
        return folder.join(program).is_file();
    }
    let path = std::env::var_os("PATH").unwrap_or_default();
    std::env::split_paths(&path).any(|folder| folder.join(program).is_file())
}
