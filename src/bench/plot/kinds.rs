//! The plots that results are shown by: cactus, scatter and growth.

use super::axis::{Axis, Unit};
use super::{Join, Plot, Point, Series};
use crate::bench::number::{bytes, count, seconds};
use crate::bench::{Cell, GroupId, Instance, InstanceId, Outcome, PipelineId, Results};
use crate::id::Id;

/// Above this ratio of the greatest parameter to the least, the axis of
/// parameters is logarithmic.
const WIDE: f64 = 24.0;

/// How many instances each pipeline solves, if each may take that long.
/// Nothing if nothing is solved.
#[must_use]
pub fn cactus(results: &Results) -> Option<Plot> {
    let mut series = Vec::new();
    for (id, pipeline) in results.pipelines.entries() {
        let mut times: Vec<(f64, InstanceId)> = results
            .instances
            .ids()
            .filter_map(|instance| Some((results.cell(instance, id)?.solved_in()?, instance)))
            .collect();
        times.sort_by(|(one, _), (other, _)| one.total_cmp(other));
        let points = times.iter().zip(1_u32..).map(|(&(time, instance), rank)| Point {
            x: Some(f64::from(rank)),
            y: Some(time),
            title: format!(
                "{}: {rank} solved within {} each; the last is {}",
                pipeline.name,
                seconds(time),
                name(results, instance)
            ),
        });
        let points: Vec<Point> = points.collect();
        if !points.is_empty() {
            series.push(Series {
                name: pipeline.name.clone(),
                style: id.index(),
                join: Join::Lines,
                points,
            });
        }
    }
    let all = || series.iter().flat_map(|series| &series.points);
    all().next()?;
    let limit = results.time.map(|time| time.as_secs_f64());
    let greatest = all().filter_map(|point| point.x).fold(0.0, f64::max);
    Some(Plot {
        title: "Instances solved within a time".to_owned(),
        caption: "Instances solved within a time".to_owned(),
        is_wide: true,
        description: format!(
            "For each pipeline, the times of the instances that it solves, in increasing order: {}.",
            described(&series, |points| format!("{} solved", points.len()))
        ),
        x: Axis::linear("instances solved", Unit::Number, [0.0, greatest]),
        y: Axis::logarithmic(
            "time of each on the wall",
            Unit::Seconds,
            all().filter_map(|point| point.y),
            limit,
        ),
        has_diagonal: false,
        series,
    })
}

/// One pipeline against another, a point for each instance that one of them
/// solves. Nothing if there is no such instance.
#[must_use]
pub fn scatter(results: &Results, one: PipelineId, other: PipelineId) -> Option<Plot> {
    let [across, up] = [one, other].map(|id| &results.pipelines[id].name);
    let mut points = Vec::new();
    for instance in results.instances.ids() {
        let (Some(x), Some(y)) = (results.cell(instance, one), results.cell(instance, other))
        else {
            continue;
        };
        let was_tried = |cell: &Cell<'_>| cell.outcome != Outcome::NotInstalled;
        if was_tried(&x) && was_tried(&y) && (x.solved_in().is_some() || y.solved_in().is_some()) {
            let title = format!(
                "{}: {across} {}, {up} {}",
                name(results, instance),
                ending(&x),
                ending(&y)
            );
            points.push(Point { x: x.solved_in(), y: y.solved_in(), title });
        }
    }
    if points.is_empty() {
        return None;
    }
    let limit = results.time.map(|time| time.as_secs_f64());
    let times: Vec<f64> = points.iter().flat_map(|point| [point.x, point.y]).flatten().collect();
    let axis = |name: &str| {
        Axis::logarithmic(format!("time of {name}"), Unit::Seconds, times.iter().copied(), limit)
    };
    let (faster, slower) = (
        points.iter().filter(|point| is_less(point.x, point.y)).count(),
        points.iter().filter(|point| is_less(point.y, point.x)).count(),
    );
    Some(Plot {
        title: format!("{across} against {up}"),
        caption: format!("{across} against {up}"),
        is_wide: false,
        description: format!(
            "A point for each instance that one of them solves. {across} is faster or alone in {faster}, \
             {up} in {slower} of {}. Points above the diagonal are those where {across} is faster; points \
             at the border have no answer.",
            points.len()
        ),
        x: axis(across),
        y: axis(up),
        has_diagonal: true,
        series: vec![Series {
            name: format!("{across} against {up}"),
            style: other.index(),
            join: Join::Nothing,
            points,
        }],
    })
}

fn is_less(one: Option<f64>, other: Option<f64>) -> bool {
    one.unwrap_or(f64::INFINITY) < other.unwrap_or(f64::INFINITY)
}

/// What grows with the parameter.
#[derive(Clone, Copy, Debug)]
struct Quantity<'a> {
    what: &'a str,
    title: &'a str,
    unit: Unit,
    value: fn(&Cell<'_>, &str) -> Option<f64>,
    text: fn(f64) -> String,
}

const MEBIBYTE: f64 = 1_048_576.0;

/// How time, the first of the numbers that are shown and memory grow with the
/// parameter of a group. Only what there is for at least two parameters.
#[must_use]
pub fn growth(results: &Results, group: GroupId) -> Vec<Plot> {
    let number = results.shown.first().map_or("", |name| name);
    let number_title = format!("number of {number}");
    let quantities = [
        Quantity {
            what: "time",
            title: "time on the wall",
            unit: Unit::Seconds,
            value: |cell, _| cell.seconds,
            text: seconds,
        },
        Quantity {
            what: number,
            title: &number_title,
            unit: Unit::Number,
            value: |cell, name| cell.number(name),
            text: count,
        },
        Quantity {
            what: "memory",
            title: "peak memory",
            unit: Unit::Mebibytes,
            value: |cell, _| cell.peak().map(|bytes| bytes / MEBIBYTE),
            text: |amount| format!("{amount:.1} MiB"),
        },
    ];
    quantities.into_iter().filter_map(|quantity| growth_of(results, group, quantity)).collect()
}

fn growth_of(results: &Results, group: GroupId, quantity: Quantity<'_>) -> Option<Plot> {
    let belongs = |_: InstanceId, instance: &Instance| instance.group == group;
    let mut series: Vec<Series> = Vec::new();
    for pipeline in results.pipelines_of(belongs) {
        let mut points: Vec<Point> = results
            .instances
            .entries()
            .filter(|(_, instance)| instance.group == group)
            .filter_map(|(id, instance)| growth_point(results, id, instance, pipeline, quantity))
            .collect();
        points
            .sort_by(|one, other| one.x.partial_cmp(&other.x).unwrap_or(std::cmp::Ordering::Equal));
        let name = results.pipelines[pipeline].name.clone();
        if !points.is_empty() {
            series.push(Series { name, style: pipeline.index(), join: Join::Lines, points });
        }
    }
    let all = || series.iter().flat_map(|series| &series.points);
    let parameters: Vec<f64> = all().filter_map(|point| point.x).collect();
    let (least, greatest) = parameters
        .iter()
        .fold((f64::INFINITY, 0.0_f64), |(low, high), &n| (low.min(n), high.max(n)));
    if greatest <= least {
        return None;
    }
    let parameter = results.groups[group].parameter.as_deref().unwrap_or("n");
    let x = if 0.0 < least && WIDE < greatest / least {
        Axis::logarithmic(parameter, Unit::Number, parameters, None)
    } else {
        Axis::linear(parameter, Unit::Number, parameters)
    };
    let is_time = quantity.unit == Unit::Seconds;
    let limit = results.time.map(|time| time.as_secs_f64()).filter(|_| is_time);
    let values: Vec<f64> = all().filter_map(|point| point.y).collect();
    if values.is_empty() {
        return None;
    }
    let y = Axis::logarithmic(quantity.title, quantity.unit, values, limit);
    Some(Plot {
        title: format!("{}: {} by {parameter}", results.groups[group].name, quantity.what),
        caption: format!("{} by {parameter}", quantity.what),
        is_wide: false,
        description: described(&series, |points| {
            let end = points.iter().rev().find_map(|point| Some((point.x?, point.y?)));
            end.map_or_else(String::new, |(x, y)| {
                format!("{} at {parameter} = {x}", (quantity.text)(y))
            })
        }),
        x,
        y,
        has_diagonal: false,
        series,
    })
}

fn growth_point(
    results: &Results,
    id: InstanceId,
    instance: &Instance,
    pipeline: PipelineId,
    quantity: Quantity<'_>,
) -> Option<Point> {
    let n = instance.n?;
    let cell = results.cell(id, pipeline)?;
    let x = Some(f64::from(u32::try_from(n).ok()?));
    let name = &results.pipelines[pipeline].name;
    if cell.solved_in().is_some() {
        let y = (quantity.value)(&cell, quantity.what)?;
        let title = format!("{name}, {}: {}", instance.name, (quantity.text)(y));
        return Some(Point { x, y: Some(y), title });
    }
    // Where it ended, once; not what it was not asked about.
    let is_shown = quantity.unit == Unit::Seconds && cell.outcome.is_failure();
    is_shown.then(|| Point {
        x,
        y: None,
        title: format!("{name}, {}: {}", instance.name, cell.outcome.word()),
    })
}

/// Each series with what is to be said of it.
fn described(series: &[Series], of: impl Fn(&[Point]) -> String) -> String {
    let parts: Vec<String> =
        series.iter().map(|series| format!("{}: {}", series.name, of(&series.points))).collect();
    parts.join("; ")
}

fn name(results: &Results, instance: InstanceId) -> String {
    let instance = &results.instances[instance];
    let group = &results.groups[instance.group].name;
    format!("{group}, {}", instance.name)
}

fn ending(cell: &Cell<'_>) -> String {
    match cell.solved_in() {
        Some(time) => {
            let memory =
                cell.peak_bytes.map_or_else(String::new, |peak| format!(" and {}", bytes(peak)));
            format!("{}{memory}", seconds(time))
        }
        None if cell.is_wrong => "wrong".to_owned(),
        None => cell.outcome.word().to_owned(),
    }
}
