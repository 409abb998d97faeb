//! Directives, macros and inlines, and mistakes in them.

use super::*;

fn expanded(text: &str) -> Result<String, SourceError> {
    let mut include = |name: &str| match name {
        "types.h" => Ok("#define WIDTH 8\nbyte".to_owned()),
        _ => Err("there is no such file".to_owned()),
    };
    let fixed = Definition { name: "FIXED".to_owned(), value: 7 };
    let definitions: Vec<Definition> =
        Some(fixed).into_iter().filter(|fixed| text.contains(&fixed.name)).collect();
    let done = preprocess(text, &definitions, &mut include)?;
    let word = |token: &Token| match token.kind {
        TokenKind::Number(value) => value.to_string(),
        _ => done.text[token.text.start..token.text.end].to_owned(),
    };
    let n_tokens = done.tokens.len() - 1;
    Ok(done.tokens[..n_tokens].iter().map(word).collect::<Vec<_>>().join(" "))
}

#[track_caller]
fn check(text: &str, expected: &str) {
    assert_eq!(expanded(text).as_deref(), Ok(expected));
}

#[test]
fn macros() {
    check("#define N 4\nx = N;", "x = 4 ;");
    check("#define N (M + 1)\n#define M 2\nN", "( 2 + 1 )");
    check(
        "#define max(a, b) (a > b -> a : b)\nmax(max(1, 2), (3, 4))",
        "( ( 1 > 2 -> 1 : 2 ) > ( 3 , 4 ) -> ( 1 > 2 -> 1 : 2 ) : ( 3 , 4 ) )",
    );
    check("#define f (x)\nf(1)", "( x ) ( 1 )");
    check("#define f(x) x\nf + f(2)", "f + 2");
    check("#define g f\n#define f(x) [x]\ng(1)", "[ 1 ]");
    check("#define a b\n#define b a\na b", "a b");
    check("#define N 1\n#undef N\nN", "N");
    check("#define FIXED 3\nFIXED", "7");
}

#[test]
fn arguments_become_texts_and_words() {
    check("#define say(x) printf(#x)\nsay(a + b)", "printf ( \"a + b\" )");
    check("#define say(x) printf(#x)\nsay([])", "printf ( \"[]\" )");
    check("#define join(x, y) x##y\njoin(a, b) join(a, 1) join(, c) join(d,)", "ab a1 c d");
    check("#define N 2\n#define join(x, y) x ## y\njoin(P, N) join(N, )", "PN 2");
    check("#define two a##b##c\ntwo", "abc");
    check("#define f(x, y) a x##y\nf(, b) f(b, )", "a b a b");
}

#[test]
fn conditions() {
    check("#if 1 + 1 == 2 && !defined(X)\na\n#elif 1\nb\n#else\nc\n#endif\nd", "a d");
    check("#ifdef X\na\n#if 1\nb\n#else\nc\n#endif\n#elif 0\nd\n#else\ne\n#endif", "e");
    check("#define X\n#ifndef X\na\n#endif\n#if defined X\nb\n#endif", "b");
    check("#define N 3\n#if N > 2\nlarge\n#endif\n#if M\nm\n#endif", "large");
    check("#ifdef FIXED\nfixed\n#endif", "fixed");
}

#[test]
fn files_and_inlines() {
    check("#include \"types.h\"\nx[WIDTH];", "byte x [ 8 ] ;");
    check("inline add(a, n) { a = a + n }\nadd(x, 1 + 2); y", "{ x = x + 1 + 2 } ; y");
    check("inline f() { skip }\nif :: f() fi", "if :: { skip } fi");
}

#[test]
fn mistakes_have_places() {
    let check = |text: &str, start, message: &str| {
        let error = expanded(text).unwrap_err();
        assert_eq!((error.span.start, error.message.as_str()), (start, message));
    };
    check("x\n#if 1\ny", 2, "this condition has no `#endif`");
    check("#endif", 1, "there is no `#if` before this");
    check("#if 0\n#else\n#else\n#endif", 13, "there is no `#if` before this");
    check("#includes \"x\"", 1, "there is no directive `#includes`");
    check("#include \"x\"", 9, "cannot read `x`: there is no such file");
    check("#define f(a, b) a\nf(1)", 18, "`f` takes 2 arguments, found 1");
    check("#define f(a) #b\nf(1)", 14, "expected a parameter of the macro behind `#`");
    check("#define f(a) a##+\nf(1)", 20, "`##` makes `1+`, which is not a single word");
    check("#define f(a) a\nf(1", 15, "the arguments of this are never closed");
    check("#define f(x) x(x)\nf(f)", 20, "macros expand without end");
    check("inline f() { f() }\nf()", 13, "the inline `f` uses itself");
    check("#if 1 +\n#endif", 6, "expected a number behind `+`");
}
