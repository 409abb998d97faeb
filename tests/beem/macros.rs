//! The part of m4 that the benchmark set uses: names with values, quotes,
//! `incr`, `decr` and `myloop(variable, from, to, body, separator)`.

/// The text with its macros expanded.
pub(crate) fn expand(text: &str, names: &[(String, String)]) -> String {
    let mut result = String::new();
    let mut rest = text;
    while let Some(first) = rest.chars().next() {
        let is_word = |c: char| c.is_ascii_alphanumeric() || c == '_';
        if first == '`' {
            let (inside, behind) = unquoted(rest);
            result.push_str(inside);
            rest = behind;
            continue;
        }
        let len = rest.find(|c| !is_word(c)).unwrap_or(rest.len()).max(first.len_utf8());
        let (word, behind) = rest.split_at(len);
        rest = behind;
        if let Some((_, value)) = names.iter().rev().find(|(name, _)| name == word) {
            result.push_str(value);
        } else if matches!(word, "incr" | "decr" | "myloop") && rest.starts_with('(') {
            let (arguments, behind) = arguments(rest);
            rest = behind;
            result.push_str(&call(word, &arguments, names));
        } else {
            result.push_str(word);
        }
    }
    result
}

fn call(name: &str, arguments: &[&str], names: &[(String, String)]) -> String {
    let number = |text: &str| expand(text, names).trim().parse::<i64>().unwrap();
    if name != "myloop" {
        let change = if name == "incr" { 1 } else { -1 };
        return (number(arguments[0]) + change).to_string();
    }
    let [variable, from, to, body, separator] = arguments else { panic!("{arguments:?}") };
    let body = expand(body, names);
    let mut rounds = Vec::new();
    for value in number(from)..=number(to) {
        let mut inside = names.to_vec();
        inside.push(((*variable).to_owned(), value.to_string()));
        rounds.push(expand(&body, &inside));
    }
    rounds.join(&expand(separator, names))
}

/// What stands between the quotes at the beginning of `text`, and the rest.
fn unquoted(text: &str) -> (&str, &str) {
    let mut depth = 0;
    for (at, c) in text.char_indices() {
        match c {
            '`' => depth += 1,
            '\'' => depth -= 1,
            _ => (),
        }
        if depth == 0 {
            return (&text[1..at], &text[at + 1..]);
        }
    }
    panic!("unbalanced quotes in {text:?}");
}

/// The arguments in the parentheses at the beginning of `text`, and the rest.
fn arguments(text: &str) -> (Vec<&str>, &str) {
    let mut arguments = Vec::new();
    let (mut quotes, mut parentheses, mut start) = (0, 0, 1);
    for (at, c) in text.char_indices() {
        match c {
            '`' => quotes += 1,
            '\'' => quotes -= 1,
            '(' if quotes == 0 => parentheses += 1,
            ')' if quotes == 0 => parentheses -= 1,
            _ => (),
        }
        let ends = quotes == 0 && (parentheses == 0 || (c == ',' && parentheses == 1));
        if ends {
            arguments.push(text[start..at].trim_start());
            start = at + 1;
        }
        if parentheses == 0 {
            return (arguments, &text[at + 1..]);
        }
    }
    panic!("unbalanced parentheses in {text:?}");
}

#[test]
fn macros_of_the_benchmark_set() {
    let check = |text: &str, expected: &str| {
        let names = [("N".to_owned(), "3".to_owned())];
        assert_eq!(expand(text, &names), expected);
    };
    check("myloop(i,0,decr(N), `P_`'i.CS', ` + ') > 1", "P_0.CS + P_1.CS + P_2.CS > 1");
    check("Bottle_1.q`'N", "Bottle_1.q3");
    check("x == incr(N) and NN", "x == 4 and NN");
}
