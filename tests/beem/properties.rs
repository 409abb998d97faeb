//! The properties of the benchmark set as formulas, with the published answers.
//!
//! Propositions stand in the `.xml` file of a model and may be written with
//! macros of m4 over the parameters of the instance; `macros` expands them.

use super::data::folder;
use super::macros::expand;

/// A property of an instance.
pub(crate) struct Property {
    /// Its number in the published tables.
    pub(crate) number: String,
    /// The formula, in which every proposition is a quoted atom in DVE.
    pub(crate) formula: String,
    /// Whether it says that a state cannot be reached.
    pub(crate) is_reachability: bool,
    /// Whether the formula holds, where it is known.
    pub(crate) holds: Option<bool>,
}

/// The properties of an instance such as `anderson.1` of a model such as
/// `anderson`. That a state can be reached is the formula that it never is.
pub(crate) fn properties(model: &str, instance: &str) -> Vec<Property> {
    let propositions = propositions(model, instance);
    let index = folder().unwrap().join("INDEX-properties.tsv");
    std::fs::read_to_string(index)
        .unwrap()
        .lines()
        .map(|line| line.split('\t').collect::<Vec<&str>>())
        .filter(|columns| columns[1] == instance)
        .map(|columns| {
            let formula = quoted(&unescaped(columns[4]), &propositions);
            let is_reachability = columns[3] == "reach";
            let holds = match columns[5] {
                "yes" => Some(!is_reachability),
                "no" => Some(is_reachability),
                _ => None,
            };
            let formula = if is_reachability { format!("G !({formula})") } else { formula };
            Property { number: columns[2].to_owned(), formula, is_reachability, holds }
        })
        .collect()
}

/// The propositions of an instance: names and expressions in DVE.
pub(crate) fn propositions(model: &str, instance: &str) -> Vec<(String, String)> {
    let path = folder().unwrap().join(model).join(format!("{model}.xml"));
    let xml = std::fs::read_to_string(path).unwrap();
    let parameters = parameters(&xml, instance);
    elements(&xml, "ap")
        .into_iter()
        .map(|element| {
            let name = inner(element, "ap-name").trim().to_owned();
            let expression = unescaped(inner(element, "ap-expression"));
            let is_parametrized = element.starts_with(" parametrized=\"yes\"");
            let expression =
                if is_parametrized { expand(&expression, &parameters) } else { expression };
            (name, expression.trim().to_owned())
        })
        .collect()
}

/// The parameters of an instance: names and values.
fn parameters(xml: &str, instance: &str) -> Vec<(String, String)> {
    let number = instance.rsplit('.').next().unwrap();
    let is_wanted = |element: &&str| element.starts_with(&format!(" id=\"{number}\""));
    let element = elements(xml, "instance").into_iter().find(is_wanted).unwrap();
    inner(element, "parameters")
        .split(',')
        .map(|pair| {
            let (name, value) = pair.split_once('=').unwrap();
            (name.trim().to_owned(), value.trim().to_owned())
        })
        .collect()
}

/// What stands behind `<tag` in each element of that name, attributes first.
fn elements<'a>(xml: &'a str, tag: &str) -> Vec<&'a str> {
    let (start, end) = (format!("<{tag}"), format!("</{tag}>"));
    xml.match_indices(&start)
        .map(|(at, _)| &xml[at + start.len()..])
        .filter(|rest| rest.starts_with([' ', '>']))
        .map(|rest| rest.split(&end).next().unwrap())
        .collect()
}

/// The text of the first element of that name.
fn inner<'a>(xml: &'a str, tag: &str) -> &'a str {
    elements(xml, tag)[0].split_once('>').unwrap().1
}

fn unescaped(text: &str) -> String {
    text.replace("&lt;", "<").replace("&gt;", ">").replace("&amp;", "&")
}

/// A formula with its propositions in quotes. The benchmark set writes `pUq`
/// without blanks.
fn quoted(formula: &str, propositions: &[(String, String)]) -> String {
    let mut result = String::new();
    let mut rest = formula;
    while let Some(first) = rest.chars().next() {
        let is_word = |c: char| c.is_ascii_alphanumeric() || c == '_';
        let len = rest.find(|c| !is_word(c)).unwrap_or(rest.len()).max(first.len_utf8());
        let (word, behind) = rest.split_at(len);
        let find = |word: &str| propositions.iter().find(|(name, _)| name == word);
        if let Some((_, expression)) = find(word) {
            result.push_str(&format!("\"{expression}\""));
        } else if let Some((_, expression)) = word.strip_suffix('U').and_then(find) {
            result.push_str(&format!("\"{expression}\" U "));
        } else {
            result.push_str(word);
        }
        rest = behind;
    }
    result
}
