//! The writers, on fixed measurements.

use super::*;
use crate::id::Id;
use insta::assert_snapshot;

fn says(is_yes: bool) -> Verdict {
    let word = if is_yes { "satisfiable" } else { "unsatisfiable" };
    Verdict { word: word.to_owned(), is_yes: Some(is_yes) }
}

/// An attempt that gave an answer.
fn solved(instance: usize, pipeline: usize, seconds: f64, is_yes: bool, nodes: f64) -> Measurement {
    Measurement {
        instance: Id::new(instance),
        pipeline: Id::new(pipeline),
        repetition: 1,
        outcome: Outcome::Solved,
        verdict: Some(says(is_yes)),
        cost: Some(Cost {
            wall_seconds: seconds,
            user_seconds: Some(seconds / 2.0),
            system_seconds: Some(0.0),
            peak_bytes: Some(5 << 20),
        }),
        numbers: vec![("nodes".to_owned(), nodes)],
        message: None,
    }
}

fn unsolved(instance: usize, pipeline: usize, outcome: Outcome) -> Measurement {
    let message = Some(format!("because <of>, \"{}\"", outcome.word()));
    let (verdict, numbers) = (None, Vec::new());
    Measurement {
        outcome,
        verdict,
        numbers,
        message,
        ..solved(instance, pipeline, 10.0, true, 0.0)
    }
}

fn pipeline(name: &str) -> Pipeline {
    Pipeline { name: name.to_owned(), command: format!("{name} <%f>"), version: None }
}

/// Two pipelines on a family of three and on one formula without an answer.
fn results() -> Results {
    let family = Group {
        name: "a & b <family>".to_owned(),
        parameter: Some("n".to_owned()),
        published: vec!["others".to_owned()],
    };
    let single = Group { name: "single".to_owned(), parameter: None, published: Vec::new() };
    let instance = |group: usize, n: Option<u64>, expected: Option<bool>| Instance {
        group: Id::new(group),
        name: n.map_or_else(|| "p \"U\" 'q'".to_owned(), |n| format!("n = {n}")),
        n,
        expected: expected.map(says),
        published: n.map(|n| format!("{n}.5 s")).into_iter().collect(),
    };
    Results {
        title: "A <suite> & more".to_owned(),
        description: "First.\n\nSecond: 1 < 2.".to_owned(),
        suite: ("suite.toml".to_owned(), "title = \"</pre><script>\"\n".to_owned()),
        date: "2026-01-02T03:04:05Z".to_owned(),
        time: Some(Duration::from_secs(10)),
        memory: Some(1 << 30),
        repetitions: 1,
        shown: vec!["nodes".to_owned()],
        machine: vec![("Cores".to_owned(), "2".to_owned())],
        notes: vec!["skipped: there is no file x".to_owned()],
        is_interrupted: false,
        groups: [family, single].into_iter().collect(),
        instances: [
            instance(0, Some(1), Some(true)),
            instance(0, Some(2), Some(true)),
            instance(0, Some(4), Some(true)),
            instance(1, None, None),
        ]
        .into_iter()
        .collect(),
        pipelines: ["one", "other"].into_iter().map(pipeline).collect(),
        measurements: vec![
            solved(0, 0, 0.001, true, 10.0),
            solved(0, 1, 0.5, true, 1000.0),
            solved(1, 0, 0.002, true, 20.0),
            unsolved(1, 1, Outcome::OutOfTime),
            solved(2, 0, 0.004, true, 40.0),
            unsolved(2, 1, Outcome::NotAsked),
            solved(3, 0, 0.003, false, 3.0),
            unsolved(3, 1, Outcome::NotInstalled),
        ],
    }
}

fn text(
    write: fn(&mut dyn std::io::Write, &Results) -> std::io::Result<()>,
    of: &Results,
) -> String {
    let mut bytes = Vec::new();
    write(&mut bytes, of).unwrap();
    String::from_utf8(bytes).unwrap()
}

#[test]
fn rivals_stand_side_by_side() {
    assert_snapshot!(text(table::write, &results()), @r#"
    A <suite> & more
    at most 10 s, at most 1.0 GiB, 2026-01-02T03:04:05Z

    a & b <family>

           answer           one  nodes        other  nodes  others
    n = 1  satisfiable  0.001 s     10      0.500 s  1,000   1.5 s
    n = 2  satisfiable  0.002 s     20  out of time          2.5 s
    n = 4  satisfiable  0.004 s     40    not asked          4.5 s

    single

               answer             one  nodes          other
    p "U" 'q'  unsatisfiable  0.003 s      3  not installed

           solved  of  wrong  out of time  out of memory  failed  not tried  time for solved  most memory
    one         4   4      0            0              0       0          0          0.010 s      5.0 MiB
    other       1   4      0            1              0       0          2          0.500 s      5.0 MiB

    note: skipped: there is no file x
    "#);
}

#[test]
fn wrong_answers_are_loud() {
    let mut results = results();
    results.measurements[4] = solved(2, 0, 0.004, false, 40.0);
    results.measurements[7] = solved(3, 1, 0.004, true, 40.0);
    let sentences = results.contradictions();
    assert_eq!(
        sentences,
        [
            "WRONG: a & b <family>, n = 4: one says `unsatisfiable`, but the answer is known to be `satisfiable`",
            "DISPUTED: single, p \"U\" 'q': one says `unsatisfiable`, other says `satisfiable`",
        ]
    );
    let table = text(table::write, &results);
    assert!(table.contains("WRONG: unsatisfiable"), "{table}");
    assert!(table.contains("DISPUTED  0.003 s"), "{table}");
    assert!(table.ends_with(&format!("{}\n{}\n", sentences[0], sentences[1])));
    let page = text(html::write, &results);
    assert!(page.contains("role=\"alert\""));
    assert!(page.contains("a &amp; b &lt;family&gt;, n = 4: one says"));
    // Neither a wrong nor a disputed answer is one for plots and sums.
    let counts = results.counts(Id::new(0));
    assert_eq!((counts.wrong, counts.disputed, counts.solved), (1, 1, 2));
    assert_eq!(results.cell(Id::new(3), Id::new(1)).unwrap().solved_in(), None);
}

#[test]
fn who_may_overlook_something_contradicts_nobody() {
    let mut results = results();
    let word = "no violation found".to_owned();
    results.measurements[7] = Measurement {
        outcome: Outcome::NothingFound,
        verdict: Some(Verdict { word, is_yes: None }),
        ..solved(3, 1, 0.004, true, 40.0)
    };
    assert_eq!(results.contradictions(), [""; 0]);
    let table = text(table::write, &results);
    assert!(table.contains("unsatisfiable  0.003 s      3  nothing found     40"), "{table}");
    assert!(table.contains("solved  of  wrong  nothing found  out of time"), "{table}");
    let counts = results.counts(Id::new(1));
    assert_eq!((counts.solved, counts.nothing_found, counts.answers), (1, 1, 1));
}

#[test]
fn what_has_not_been_compared_is_not_said_to_be_right() {
    let mut results = results();
    for attempt in &mut results.measurements {
        attempt.verdict = None;
    }
    let table = text(table::write, &results);
    assert!(table.contains("one         4   4      -            0"), "{table}");
    let page = text(html::write, &results);
    assert!(page.contains("There are no answers, so nothing has been compared."), "{page}");
    results.measurements[0].verdict = Some(says(true));
    let page = text(html::write, &results);
    assert!(page.contains("before. 4 of 5 results have no answer to be compared."), "{page}");
}

#[test]
fn several_attempts_are_one_cell() {
    let mut results = results();
    results.repetitions = 3;
    for seconds in [0.9, 0.002] {
        results.measurements.push(solved(0, 0, seconds, true, 10.0));
    }
    let cell = results.cell(Id::new(0), Id::new(0)).unwrap();
    assert_eq!((cell.outcome, cell.seconds), (Outcome::Solved, Some(0.002)));
    results.measurements.push(unsolved(0, 0, Outcome::OutOfTime));
    let cell = results.cell(Id::new(0), Id::new(0)).unwrap();
    assert_eq!((cell.outcome, cell.solved_in()), (Outcome::OutOfTime, None));
}

#[test]
fn every_measurement_is_a_line_of_values() {
    let mut results = results();
    results.measurements[0].numbers.push(("a,b".to_owned(), 1.5));
    assert_snapshot!(text(csv::write, &results), @r#"
    group,instance,n,expected,pipeline,repetition,outcome,verdict,wrong,wall_seconds,user_seconds,system_seconds,peak_bytes,message,"a,b",nodes
    a & b <family>,n = 1,1,satisfiable,one,1,solved,satisfiable,,0.001000,0.000500,0.000000,5242880,,1.5,10
    a & b <family>,n = 1,1,satisfiable,other,1,solved,satisfiable,,0.500000,0.250000,0.000000,5242880,,,1000
    a & b <family>,n = 2,2,satisfiable,one,1,solved,satisfiable,,0.002000,0.001000,0.000000,5242880,,,20
    a & b <family>,n = 2,2,satisfiable,other,1,out of time,,,10.000000,5.000000,0.000000,5242880,"because <of>, ""out of time""",,
    a & b <family>,n = 4,4,satisfiable,one,1,solved,satisfiable,,0.004000,0.002000,0.000000,5242880,,,40
    a & b <family>,n = 4,4,satisfiable,other,1,not asked,,,10.000000,5.000000,0.000000,5242880,"because <of>, ""not asked""",,
    single,"p ""U"" 'q'",,,one,1,solved,unsatisfiable,,0.003000,0.001500,0.000000,5242880,,,3
    single,"p ""U"" 'q'",,,other,1,not installed,,,10.000000,5.000000,0.000000,5242880,"because <of>, ""not installed""",,
    "#);
}

#[test]
fn the_page_needs_nothing_else_and_is_always_the_same() {
    let page = text(html::write, &results());
    assert_eq!(page, text(html::write, &results()));
    for foreign in ["src=", "href=\"http", "url(", "@import"] {
        assert!(!page.contains(foreign), "{foreign}");
    }
    // Only the name space of the plots looks like an address.
    assert_eq!(
        page.matches("http").count(),
        page.matches("xmlns=\"http://www.w3.org/2000/svg\"").count()
    );
    assert_eq!(page.matches("<script>").count(), 1);
    assert!(page.contains("title = &quot;&lt;/pre&gt;&lt;script&gt;&quot;"));
    assert!(page.contains("<h1>A &lt;suite&gt; &amp; more</h1>"));
    assert!(page.contains("title=\"because &lt;of&gt;, &quot;out of time&quot;\""));
    // Cactus, one pair, and growth of time, nodes and memory.
    assert_eq!(page.matches("<svg class=\"plot\"").count(), 5);
    assert_eq!(page.matches("<svg").count(), page.matches("</svg>").count());
}

#[test]
fn nothing_measured_is_a_page_too() {
    let results = Results { measurements: Vec::new(), ..results() };
    let page = text(html::write, &results);
    assert!(!page.contains("<svg class=\"plot\"") && page.ends_with("</html>\n"));
    assert!(!page.contains("No answer contradicts"));
    assert!(text(table::write, &results).contains("not tried"));
}

#[test]
fn who_has_no_answer_is_at_the_border() {
    let plot = plot::scatter(&results(), Id::new(0), Id::new(1)).unwrap();
    let points: Vec<_> = plot.series[0].points.iter().map(|point| (point.x, point.y)).collect();
    assert_eq!(points, [(Some(0.001), Some(0.5)), (Some(0.002), None), (Some(0.004), None)]);
    assert!(
        plot.series[0].points[1]
            .title
            .ends_with("n = 2: one 0.002 s and 5.0 MiB, other out of time")
    );
    let svg = plot.to_svg().into_string();
    assert_eq!(svg.matches(" open\"").count(), 2);
    assert!(svg.contains("class=\"diagonal\""));
    assert!(svg.contains("a &amp; b &lt;family&gt;, n = 1"));
}

#[test]
fn solved_instances_are_counted_in_the_order_of_their_times() {
    let plot = plot::cactus(&results()).unwrap();
    let points = |series: usize| -> Vec<(Option<f64>, Option<f64>)> {
        plot.series[series].points.iter().map(|point| (point.x, point.y)).collect()
    };
    let ranks = [(1.0, 0.001), (2.0, 0.002), (3.0, 0.003), (4.0, 0.004)];
    assert_eq!(points(0), ranks.map(|(x, y)| (Some(x), Some(y))));
    assert_eq!(points(1), [(Some(1.0), Some(0.5))]);
}

#[test]
fn growth_ends_where_a_pipeline_fails() {
    let plots = plot::growth(&results(), Id::new(0));
    let titles: Vec<&str> =
        plots.iter().map(|plot| plot.title.rsplit(": ").next().unwrap()).collect();
    assert_eq!(titles, ["time by n", "nodes by n", "memory by n"]);
    let other: Vec<_> = plots[0].series[1].points.iter().map(|point| (point.x, point.y)).collect();
    assert_eq!(other, [(Some(1.0), Some(0.5)), (Some(2.0), None)]);
    assert_eq!(plot::growth(&results(), Id::new(1)), []);
}

#[test]
fn a_plot_is_drawn_with_axes_and_titles() {
    let plot = &plot::growth(&results(), Id::new(0))[1];
    let svg = plot.to_svg().into_string().replace(plot::STYLE, "");
    assert_snapshot!(svg.replace("><", ">\n<"), @r#"
    <svg class="plot" viewBox="0 0 380 280" role="img" xmlns="http://www.w3.org/2000/svg">
    <title>a &amp; b &lt;family&gt;: nodes by n</title>
    <desc>one: 40 at n = 4; other: 1,000 at n = 1</desc>
    <style>
    </style>
    <path class="grid" d="M70.0 234.0V12.0">
    </path>
    <text class="tick" x="70.0" y="250.0" text-anchor="middle">1</text>
    <path class="grid" d="M168.7 234.0V12.0">
    </path>
    <text class="tick" x="168.7" y="250.0" text-anchor="middle">2</text>
    <path class="grid" d="M267.3 234.0V12.0">
    </path>
    <text class="tick" x="267.3" y="250.0" text-anchor="middle">3</text>
    <path class="grid" d="M366.0 234.0V12.0">
    </path>
    <text class="tick" x="366.0" y="250.0" text-anchor="middle">4</text>
    <path class="grid" d="M70.0 234.0H366.0">
    </path>
    <text class="tick" x="63.0" y="237.5" text-anchor="end">10</text>
    <path class="grid" d="M70.0 123.0H366.0">
    </path>
    <text class="tick" x="63.0" y="126.5" text-anchor="end">100</text>
    <path class="grid" d="M70.0 12.0H366.0">
    </path>
    <text class="tick" x="63.0" y="15.5" text-anchor="end">1000</text>
    <path class="axis" d="M70.0 12.0V234.0H366.0">
    </path>
    <text class="label" x="218.0" y="272.0" text-anchor="middle">n</text>
    <g transform="translate(14.0 123.0) rotate(-90)">
    <text class="label" x="0.0" y="0.0" text-anchor="middle">number of nodes</text>
    </g>
    <path class="line s0" d="M70.0 234.0L168.7 200.6L366.0 167.2">
    </path>
    <path class="point s0" transform="translate(70.0 234.0)" d="M-3.4 0a3.4 3.4 0 1 0 6.8 0a3.4 3.4 0 1 0 -6.8 0Z">
    <title>one, n = 1: 10</title>
    </path>
    <path class="point s0" transform="translate(168.7 200.6)" d="M-3.4 0a3.4 3.4 0 1 0 6.8 0a3.4 3.4 0 1 0 -6.8 0Z">
    <title>one, n = 2: 20</title>
    </path>
    <path class="point s0" transform="translate(366.0 167.2)" d="M-3.4 0a3.4 3.4 0 1 0 6.8 0a3.4 3.4 0 1 0 -6.8 0Z">
    <title>one, n = 4: 40</title>
    </path>
    <path class="point s1" transform="translate(70.0 12.0)" d="M-3.1 -3.1H3.1V3.1H-3.1Z">
    <title>other, n = 1: 1,000</title>
    </path>
    </svg>
    "#);
}

#[test]
fn plots_that_are_copied_out_of_the_page_keep_their_colours() {
    let page = text(html::write, &results());
    let plots: Vec<&str> = page.split("<svg class=\"plot\"").skip(1).collect();
    assert!(!plots.is_empty());
    for plot in plots {
        let plot = plot.split("</svg>").next().unwrap();
        let (_, style) = plot.split_once("<style>").unwrap();
        let (style, drawing) = style.split_once("</style>").unwrap();
        // Colours of the page are not known outside of it.
        assert!(style.match_indices("var(--").all(|(at, _)| {
            let inside = style[at..].split(')').next().unwrap();
            inside.contains(", #")
        }));
        for classes in drawing.split("class=\"").skip(1) {
            let classes = classes.split('"').next().unwrap();
            let has_rule = |class: &str| style.contains(&format!(".{class} {{"));
            assert!(classes.split(' ').any(has_rule), "{classes}");
        }
    }
}

#[test]
fn drawings_for_papers_have_units_on_their_axes() {
    let files = super::figures::files(&results());
    let drawing = files.iter().find(|file| file.name == "solved.tex").unwrap();
    assert!(drawing.text.contains(" (s)},"), "{}", drawing.text);
    assert!(!drawing.text.contains("instances solved (s)"), "{}", drawing.text);
}
