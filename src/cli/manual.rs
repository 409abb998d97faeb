//! `completions` and `man`: what is generated from the table of arguments.

use super::args::Arguments;
use super::{Exit, Failure, output};
use clap::{Command, CommandFactory};
use clap_complete::Shell;
use clap_mangen::Man;
use std::io::{Result, Write};

/// Prints a completion script.
pub(super) fn completions(shell: Shell) -> std::result::Result<Exit, Failure> {
    // Generated into memory first: the generator panics if its writer fails.
    let mut script = Vec::new();
    clap_complete::generate(shell, &mut Arguments::command(), "lwaa", &mut script);
    output::verbatim(|out| out.write_all(&script))?;
    Ok(Exit::Yes)
}

/// Prints the manual page of the tool and all its commands.
pub(super) fn manual() -> std::result::Result<Exit, Failure> {
    output::verbatim(write_manual)?;
    Ok(Exit::Yes)
}

fn write_manual(out: &mut dyn Write) -> Result<()> {
    let mut tool = Arguments::command();
    tool.build();
    let page = Man::new(tool.clone()).manual("User Commands");
    page.render_title(out)?;
    page.render_name_section(out)?;
    page.render_synopsis_section(out)?;
    page.render_description_section(out)?;
    writeln!(out, ".SH COMMANDS")?;
    for command in described(&tool) {
        write_command(out, command)?;
    }
    let mut extra = Vec::new();
    page.render_extra_section(&mut extra)?;
    write!(out, "{}", String::from_utf8_lossy(&extra).replace(".SH EXTRA", ".SH NOTES"))?;
    page.render_version_section(out)
}

/// The commands that have a section of their own, nested ones included.
fn described(tool: &Command) -> Vec<&Command> {
    let mut commands = Vec::new();
    let mut waiting: Vec<&Command> = vec![tool];
    while let Some(command) = waiting.pop() {
        let mut nested = command.get_subcommands().filter(|nested| nested.get_name() != "help");
        if command.get_subcommands().next().is_none() {
            commands.push(command);
        }
        waiting.extend(nested.by_ref());
    }
    commands.reverse();
    commands
}

fn write_command(out: &mut dyn Write, command: &Command) -> Result<()> {
    let page = Man::new(command.clone());
    let mut text = Vec::new();
    page.render_synopsis_section(&mut text)?;
    page.render_description_section(&mut text)?;
    page.render_options_section(&mut text)?;
    page.render_extra_section(&mut text)?;
    // One page instead of one per command: sections become paragraphs.
    let text = String::from_utf8_lossy(&text);
    let name = command.get_bin_name().unwrap_or_else(|| command.get_name());
    writeln!(out, ".SS \"{name}\"")?;
    for line in text.lines() {
        match line.strip_prefix(".SH ") {
            Some("SYNOPSIS" | "DESCRIPTION" | "EXTRA") => writeln!(out, ".PP")?,
            Some(heading) => writeln!(out, ".PP\n.B {heading}")?,
            None => writeln!(out, "{line}")?,
        }
    }
    Ok(())
}
