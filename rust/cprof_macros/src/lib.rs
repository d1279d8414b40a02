//! `#[profile]` makes each call of a function a section of the crate `cprof`, on which the user's
//! crate has to depend. The section is called as the module and the function are, or as it is told:
//!
//! ```ignore
//! #[cprof_macros::profile]
//! fn parse(text: &str) -> usize { text.len() }
//!
//! #[cprof_macros::profile("Reader::fill")]
//! async fn fill(&mut self) -> usize { 0 }
//! ```
//!
//! It stands before functions, methods and associated functions, generic or not. The polls of an
//! async function are added up to one entry.
//!
//! An attribute sees the function alone, and not the type that it is a method of: methods of one
//! name of two types in one module are one section, unless they are told apart as `fill` is above.
//!
//! A constant function cannot be profiled; a function
//! that returns a future without being async is profiled until it has returned.
//!
//! Where `cprof` has not its feature `enable`, the function is what it was. (Compilers before Rust
//! 1.85 may copy its arguments once more where they do not optimize.)

use proc_macro::{Delimiter, Group, Ident, Spacing, Span, TokenStream, TokenTree};

/// Makes each call of the function a section, called `module::function`, or as it is told. Methods
/// are called as functions are, since the type is not known here: `#[profile("Reader::fill")]` tells
/// those of two types apart.
#[proc_macro_attribute]
pub fn profile(arguments: TokenStream, item: TokenStream) -> TokenStream {
    match expand(arguments, item.clone()) {
        Ok(tokens) => tokens,
        Err((span, message)) => {
            let mut both = error(span, message);
            both.extend(item);
            both
        }
    }
}

type Failure = (Span, &'static str);

/// `compile_error!(message);`, reported at `span`.
fn error(span: Span, message: &str) -> TokenStream {
    let text = format!("::core::compile_error! {{ {:?} }}", message);
    let tokens: TokenStream = text.parse().expect("compile_error is well-formed");

    tokens
        .into_iter()
        .map(|mut token| {
            token.set_span(span);
            token
        })
        .collect()
}

/// A function, taken apart. `tokens` are all but its body.
struct Function {
    tokens: Vec<TokenTree>,
    body: Group,
    name: Ident,
    is_async: bool,
}

fn is_word(token: &TokenTree, word: &str) -> bool {
    matches!(token, TokenTree::Ident(ident) if ident.to_string() == word)
}

fn is_punct(token: Option<&TokenTree>, c: char) -> bool {
    matches!(token, Some(TokenTree::Punct(p)) if p.as_char() == c)
}

/// Takes the function apart. What stands before `fn` are attributes, the visibility and words;
/// the word `fn` itself may stand in the group of an attribute only, which is one token.
fn take_apart(item: TokenStream) -> Result<Function, Failure> {
    let mut tokens: Vec<TokenTree> = item.into_iter().collect();
    let at = tokens
        .iter()
        .position(|token| is_word(token, "fn"))
        .ok_or((Span::call_site(), "#[profile] stands before functions only"))?;
    let name = match tokens.get(at + 1) {
        Some(TokenTree::Ident(ident)) => ident.clone(),
        _ => return Err((tokens[at].span(), "#[profile] stands before functions only")),
    };

    for token in &tokens[..at] {
        if is_word(token, "const") {
            return Err((token.span(), "a constant function cannot be profiled"));
        }
    }
    let is_async = tokens[..at].iter().any(|token| is_word(token, "async"));
    match tokens.pop() {
        Some(TokenTree::Group(body)) if body.delimiter() == Delimiter::Brace => Ok(Function {
            tokens,
            body,
            name,
            is_async,
        }),
        _ => Err((name.span(), "a function without a body cannot be profiled")),
    }
}

/// The name that the attribute's argument gives, which is a literal or a constant.
fn given_name(arguments: TokenStream, function: &Function) -> Result<TokenStream, Failure> {
    let name = function.name.to_string();
    let name = name.strip_prefix("r#").unwrap_or(&name);
    let text = format!(
        "::core::concat!(::core::module_path!(), \"::\", {:?})",
        name
    );

    if !arguments.is_empty() {
        return Ok(arguments);
    }
    text.parse()
        .map_err(|_| (function.name.span(), "the function's name is no text"))
}

/// The index of the function's arguments: of the first group in parentheses behind the name and
/// the generics. `>` of an arrow, as in `F: Fn() -> u8`, closes nothing.
fn arguments_at(tokens: &[TokenTree]) -> Option<usize> {
    let mut at = tokens.iter().position(|token| is_word(token, "fn"))?;
    let mut depth = 0usize;
    let mut is_joint_minus = false;

    while at < tokens.len() {
        match &tokens[at] {
            TokenTree::Punct(p) => {
                match p.as_char() {
                    '<' => depth += 1,
                    '>' if !is_joint_minus => depth = depth.saturating_sub(1),
                    _ => (),
                }
                is_joint_minus = p.as_char() == '-' && p.spacing() == Spacing::Joint;
            }
            TokenTree::Group(g) if depth == 0 && g.delimiter() == Delimiter::Parenthesis => {
                return Some(at)
            }
            _ => is_joint_minus = false,
        }
        at += 1;
    }
    None
}

/// The type that the function returns; None: nothing, or a type that no variable may have.
fn output(tokens: &[TokenTree]) -> Option<TokenStream> {
    let rest = &tokens[arguments_at(tokens)? + 1..];

    if !is_punct(rest.first(), '-') || !is_punct(rest.get(1), '>') {
        return None;
    }
    let end = rest
        .iter()
        .position(|token| is_word(token, "where"))
        .unwrap_or(rest.len());
    let output: TokenStream = rest[2..end].iter().cloned().collect();
    if has_impl(output.clone()) {
        return None;
    }
    Some(output)
}

fn has_impl(tokens: TokenStream) -> bool {
    tokens.into_iter().any(|token| match &token {
        TokenTree::Group(g) => has_impl(g.stream()),
        _ => is_word(&token, "impl"),
    })
}

fn parse(text: &str) -> TokenStream {
    text.parse().expect("the text is well-formed")
}

/// Puts the tokens in braces or parentheses.
fn group(delimiter: Delimiter, tokens: TokenStream) -> TokenStream {
    TokenTree::Group(Group::new(delimiter, tokens)).into()
}

/// The new body of a function: a guard, and all that there was.
fn guarded(name: TokenStream, body: &Group) -> TokenStream {
    let mut tokens = parse("let __cprof_section = ::cprof::section!");

    tokens.extend(group(Delimiter::Parenthesis, name));
    tokens.extend(parse(";"));
    tokens.extend(body.stream());
    tokens
}

/// That of an async function: what there was becomes a future of its own, whose polls are added
/// up. A return out of it that never happens tells the compiler its type, as `?` may need it.
fn polled(name: TokenStream, body: &Group, output: Option<TokenStream>) -> TokenStream {
    let mut inner = TokenStream::new();
    let mut arguments = name;
    let mut tokens = parse("::cprof::future!");

    if let Some(output) = output {
        let mut never = parse("let __cprof_output:");
        never.extend(output);
        never.extend(parse("= loop {}; return __cprof_output;"));
        inner.extend(parse(
            "#[allow(unreachable_code, clippy::all, clippy::diverging_sub_expression)] if false",
        ));
        inner.extend(group(Delimiter::Brace, never));
    }
    inner.extend(body.stream());
    arguments.extend(parse(", async move"));
    arguments.extend(group(Delimiter::Brace, inner));
    tokens.extend(group(Delimiter::Parenthesis, arguments));
    tokens.extend(parse(".await"));
    tokens
}

fn expand(arguments: TokenStream, item: TokenStream) -> Result<TokenStream, Failure> {
    let function = take_apart(item)?;
    let name = given_name(arguments, &function)?;
    let inner = if function.is_async {
        polled(name, &function.body, output(&function.tokens))
    } else {
        guarded(name, &function.body)
    };
    let mut body = Group::new(Delimiter::Brace, inner);
    let mut all: TokenStream = function.tokens.into_iter().collect();

    body.set_span(function.body.span());
    all.extend(TokenStream::from(TokenTree::Group(body)));
    Ok(all)
}
