//! Axes: from values to positions, and where the marks are.

/// What the values of an axis are.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Unit {
    /// Just numbers.
    Number,
    /// Seconds.
    Seconds,
    /// Bytes divided by 2²⁰.
    Mebibytes,
}

/// A direction of a plot.
#[derive(Clone, Debug, PartialEq)]
pub struct Axis {
    /// What it shows, with its unit.
    pub title: String,
    /// What the values are.
    pub unit: Unit,
    /// Whether equal distances are equal ratios.
    pub is_logarithmic: bool,
    /// The least value.
    pub low: f64,
    /// The greatest value.
    pub high: f64,
    /// A value that deserves a line, such as a limit.
    pub limit: Option<f64>,
}

/// A mark on an axis.
#[derive(Clone, Debug, PartialEq)]
pub struct Tick {
    /// Between 0 and 1.
    pub position: f64,
    /// What is written there.
    pub label: String,
}

/// At most that many marks on a linear axis, about.
const TICKS: f64 = 7.0;

impl Axis {
    /// A logarithmic axis for these values and the limit, with round ends.
    /// Values that are not positive are at its lower end.
    #[must_use]
    pub fn logarithmic(
        title: impl Into<String>,
        unit: Unit,
        values: impl IntoIterator<Item = f64>,
        limit: Option<f64>,
    ) -> Self {
        let positive = |value: &f64| 0.0 < *value && value.is_finite();
        let all: Vec<f64> = values.into_iter().chain(limit).filter(positive).collect();
        let least = all.iter().copied().fold(f64::INFINITY, f64::min);
        let greatest = all.iter().copied().fold(0.0, f64::max);
        let (least, greatest) = if all.is_empty() { (1.0, 10.0) } else { (least, greatest) };
        let low = 10_f64.powf(least.log10().floor());
        let mut high = 10_f64.powf(greatest.log10().ceil());
        // The border is for points without an answer.
        if high <= low || limit.is_some_and(|limit| high < limit * 1.5) {
            high = high.max(low) * 10.0;
        }
        Self { title: title.into(), unit, is_logarithmic: true, low, high, limit }
    }

    /// A linear axis for these values.
    #[must_use]
    pub fn linear(
        title: impl Into<String>,
        unit: Unit,
        values: impl IntoIterator<Item = f64>,
    ) -> Self {
        let (mut low, mut high) = (f64::INFINITY, f64::NEG_INFINITY);
        for value in values {
            (low, high) = (low.min(value), high.max(value));
        }
        if high < low {
            (low, high) = (0.0, 1.0);
        }
        if high <= low {
            high = low + 1.0;
        }
        Self { title: title.into(), unit, is_logarithmic: false, low, high, limit: None }
    }

    /// Where a value is: 0 at the lower end, 1 at the upper end.
    #[must_use]
    pub fn position(&self, value: f64) -> f64 {
        let ratio = if self.is_logarithmic {
            let value = value.max(self.low);
            (value / self.low).ln() / (self.high / self.low).ln()
        } else {
            (value - self.low) / (self.high - self.low)
        };
        ratio.clamp(0.0, 1.0)
    }

    /// Where marks are.
    #[must_use]
    pub fn ticks(&self) -> Vec<Tick> {
        let values = if self.is_logarithmic { self.decades() } else { self.steps() };
        let tick = |&value: &f64| Tick { position: self.position(value), label: self.label(value) };
        values.iter().map(tick).collect()
    }

    fn decades(&self) -> Vec<f64> {
        let (first, last) = (self.low.log10().round(), self.high.log10().round());
        let factors: &[f64] = match last - first {
            n if n < 1.5 => &[1.0, 2.0, 5.0],
            _ => &[1.0],
        };
        // Not more labels than there is room for.
        let stride = ((last - first) / 9.0).floor() + 1.0;
        let mut values = Vec::new();
        let mut exponent = first;
        while exponent < last + 0.5 {
            values.extend(factors.iter().map(|factor| factor * 10_f64.powf(exponent)));
            exponent += stride;
        }
        values.retain(|value| *value <= self.high * 1.0001);
        values
    }

    fn steps(&self) -> Vec<f64> {
        let rough = (self.high - self.low) / TICKS;
        let magnitude = 10_f64.powf(rough.log10().floor());
        let step = [1.0, 2.0, 5.0, 10.0].map(|factor| factor * magnitude);
        let step = step.into_iter().find(|step| rough <= *step).unwrap_or(magnitude * 10.0);
        // Everything that is counted here is whole.
        let step = step.max(1.0).round();
        let mut values = Vec::new();
        let mut value = (self.low / step).ceil() * step;
        while value <= self.high + step * 1e-9 {
            values.push(value);
            value += step;
        }
        values
    }

    /// A value of this axis, short.
    #[must_use]
    pub fn label(&self, value: f64) -> String {
        let plain = |value: f64| {
            let text = format!("{value:.6}");
            text.trim_end_matches('0').trim_end_matches('.').to_owned()
        };
        match self.unit {
            Unit::Seconds if value < 0.9995e-3 => format!("{} µs", plain(value * 1e6)),
            Unit::Seconds if value < 0.9995 => format!("{} ms", plain(value * 1e3)),
            Unit::Seconds => format!("{} s", plain(value)),
            Unit::Mebibytes => format!("{} MiB", plain(value)),
            Unit::Number if 0.9995e9 <= value => format!("10{}", superscript(value.log10())),
            Unit::Number if 0.9995e6 <= value => format!("{}M", plain(value / 1e6)),
            Unit::Number if 0.9995e4 <= value => format!("{}k", plain(value / 1e3)),
            Unit::Number => plain(value),
        }
    }
}

fn superscript(exponent: f64) -> String {
    let raised =
        |c: char| c.to_digit(10).and_then(|digit| "⁰¹²³⁴⁵⁶⁷⁸⁹".chars().nth(digit as usize));
    format!("{:.0}", exponent.round()).chars().filter_map(raised).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    fn labels(axis: &Axis) -> Vec<String> {
        axis.ticks().into_iter().map(|tick| tick.label).collect()
    }

    #[test]
    fn logarithmic_axes_have_round_ends() {
        let axis = Axis::logarithmic("t", Unit::Seconds, [0.0012, 7.0], Some(60.0));
        assert_eq!((axis.low, axis.high), (0.001, 100.0));
        assert_eq!(labels(&axis), ["1 ms", "10 ms", "100 ms", "1 s", "10 s", "100 s"]);
        assert!((axis.position(0.1) - 0.4).abs() < 1e-9);
        // Times that are too small to be measured.
        assert!(axis.position(0.0).abs() < 1e-9);
    }

    #[test]
    fn the_limit_is_below_the_border() {
        let axis = Axis::logarithmic("t", Unit::Seconds, [0.5], Some(10.0));
        assert_eq!((axis.low, axis.high), (0.1, 100.0));
    }

    #[test]
    fn short_logarithmic_axes_have_more_marks() {
        let axis = Axis::logarithmic("n", Unit::Number, [2.0, 7.0], None);
        assert_eq!(labels(&axis), ["1", "2", "5", "10"]);
    }

    #[test]
    fn linear_axes_count_whole_things() {
        assert_eq!(
            labels(&Axis::linear("n", Unit::Number, [4.0, 9.0])),
            ["4", "5", "6", "7", "8", "9"]
        );
        assert_eq!(labels(&Axis::linear("n", Unit::Number, [3.0])), ["3", "4"]);
        assert_eq!(labels(&Axis::linear("n", Unit::Number, [])), ["0", "1"]);
        assert_eq!(
            labels(&Axis::linear("n", Unit::Number, [0.0, 100.0])),
            ["0", "20", "40", "60", "80", "100"]
        );
    }

    #[test]
    fn large_numbers_are_short() {
        let axis = Axis::logarithmic("n", Unit::Number, [1e4, 1e10], None);
        assert_eq!(labels(&axis), ["10k", "100k", "1M", "10M", "100M", "10⁹", "10¹⁰"]);
    }
}
