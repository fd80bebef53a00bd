//! The page that leads to the pages of many programs. It has no script.

use heapwright_pictures::{PAGE_COLOURS, PAGE_COLOURS_DARK, escaped};

use super::STYLE;

/// What is told of one program.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct IndexRow {
    pub name: String,
    pub verdict: String,
    /// Where and what, if it is not all right.
    pub about: String,
    pub seconds: String,
    /// Its own page, beside this one.
    pub page: Option<String>,
}

/// The page, in the order of the rows.
#[must_use]
pub fn index_html(rows: &[IndexRow], version: &str) -> String {
    let mut body = String::new();
    for row in rows {
        let class = match row.verdict.as_str() {
            word @ ("holds" | "violated") => word,
            _ => "unknown",
        };
        let name = match &row.page {
            Some(page) => format!("<a href=\"{}\">{}</a>", address(page), escaped(&row.name)),
            None => escaped(&row.name),
        };
        body.push_str(&format!(
            "<tr class=\"{class}-row\"><td><span class=\"badge {class}\">{}</span></td><td class=\"code\">{name}</td>\
             <td>{}</td><td class=\"mute time\">{}</td></tr>\n",
            escaped(&row.verdict),
            escaped(&row.about),
            escaped(&row.seconds)
        ));
    }
    format!(
        "<!doctype html>\n<html lang=\"en\">\n<head>\n<meta charset=\"utf-8\">\n\
         <meta http-equiv=\"Content-Security-Policy\" content=\"default-src 'none'; style-src 'unsafe-inline'\">\n\
         <meta name=\"viewport\" content=\"width=device-width,initial-scale=1\">\n\
         <title>Heapwright: {}</title>\n<style>\n:root{{{PAGE_COLOURS}}}\n\
         @media (prefers-color-scheme:dark){{:root{{{PAGE_COLOURS_DARK}}}}}\n{STYLE}</style>\n</head>\n<body>\n\
         <header><div class=\"top\"><h1>{}</h1></div><p class=\"about\"><span>{}</span><span>Heapwright {}</span></p></header>\n<main>\n{}\
         <table><tr><th>answer</th><th>program</th><th>where and what</th><th class=\"time\">time</th></tr>\n{body}</table>\n</main>\n\
         </body>\n</html>\n",
        programs(rows.len()),
        programs(rows.len()),
        counts(rows),
        escaped(version),
        FILTER
    )
}

/// Which rows are shown; the style does it, no script.
const FILTER: &str = "<fieldset class=\"filter\"><legend>show</legend>\
    <label><input type=\"radio\" name=\"only\" checked> all</label>\
    <label><input type=\"radio\" name=\"only\" id=\"only-violated\"> violated</label>\
    <label><input type=\"radio\" name=\"only\" id=\"only-unknown\"> unknown</label>\
    <label><input type=\"radio\" name=\"only\" id=\"only-holds\"> holds</label></fieldset>\n";

fn programs(count: usize) -> String {
    if count == 1 { "1 program".to_owned() } else { format!("{count} programs") }
}

/// `2 violated, 1 unknown, 5 holds`, the worst first as in the table.
fn counts(rows: &[IndexRow]) -> String {
    let mut words: Vec<&str> = rows.iter().map(|row| row.verdict.as_str()).collect();
    words.dedup();
    let count = |word: &&str| rows.iter().filter(|row| row.verdict == *word).count();
    let each: Vec<String> = words.iter().map(|word| format!("{} {word}", count(word))).collect();
    escaped(&each.join(", "))
}

/// The address of a file beside the page, whatever it is called.
fn address(name: &str) -> String {
    let byte = |byte: &u8| match byte.is_ascii_alphanumeric() || b"-._~".contains(byte) {
        true => char::from(*byte).to_string(),
        false => format!("%{byte:02X}"),
    };
    let encoded: String = name.as_bytes().iter().map(byte).collect();
    format!("./{encoded}")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn names_are_text() {
        let row = IndexRow {
            name: "<a>".to_owned(),
            verdict: "holds".to_owned(),
            about: "x < y".to_owned(),
            seconds: "1 s".to_owned(),
            page: Some("javascript:x\".html".to_owned()),
        };
        let page = index_html(&[row], "1");
        assert!(page.contains("&lt;a&gt;") && page.contains("x &lt; y"));
        assert!(page.contains("href=\"./javascript%3Ax%22.html\""));
    }
}
