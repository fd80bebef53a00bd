//! The parts of the page, from its header to the engines.

use std::collections::BTreeSet;
use std::fmt::Write;

use heapwright_pictures::{escaped, scenes_of_trace, svg_of_steps};
use heapwright_trace::{Sources, Trace};

use super::failure::failed;
use super::flow::flows;
use super::proof::holds;
use super::source::{Said, listing};
use crate::check::{Answer, CheckReport, ReasonReport, SolverWork, ViolationReport};
use crate::check_text::{advice, distinct};
use crate::parts::PartVerdict;
use crate::verdict_line::reason_text;

/// The word for an answer.
pub(super) fn verdict(answer: &Answer) -> &'static str {
    match answer {
        Answer::Holds { .. } => "holds",
        Answer::Violated(_) => "violated",
        Answer::Unknown { .. } => "unknown",
        Answer::InputError { .. } => "input error",
    }
}

/// Everything between the tags of the body but the scripts.
pub(super) fn body(
    report: &CheckReport,
    trace: Option<&Trace>,
    files: &[String],
    sources: &mut Sources,
    version: &str,
) -> String {
    let mut page = header(report);
    let flows = flows(&report.flows, files, sources);
    page.push_str(&tabs(!flows.is_empty()));
    page.push_str("<main>\n<div class=\"panel\" id=\"panel-answer\">\n");
    match &report.answer {
        Answer::Violated(violation) => {
            violated(&mut page, violation, trace, files, sources);
        }
        Answer::Holds { summary, .. } => {
            page.push_str(&holds(&report.places, summary, files, sources));
        }
        Answer::Unknown { reasons } => unknown(&mut page, report, reasons, files, sources),
        Answer::InputError { message } => {
            put(&mut page, format_args!("<pre id=\"answer\">{}</pre>\n", escaped(message)));
        }
    }
    page.push_str("</div>\n");
    if !flows.is_empty() {
        put(
            &mut page,
            format_args!(
                "<section class=\"panel\" id=\"panel-flow\"><h2>Control flow</h2>\n<p class=\"mute\">Lines lead \
                 to the next one unless a bar is below them; ways ahead are on the left, ways back on the right. \
                 A line leads to its place in the source.</p>\n{flows}</section>\n"
            ),
        );
    }
    assumptions(&mut page, report);
    engines(&mut page, report, version);
    page.push_str("</main>\n");
    page
}

/// The tabs; without a script they are links to parts of one long page.
fn tabs(has_flow: bool) -> String {
    let names = [
        ("answer", "Answer"),
        ("flow", "Control flow"),
        ("assumptions", "Assumptions"),
        ("engines", "Engines"),
    ];
    let links = names.into_iter().filter(|(id, _)| has_flow || *id != "flow");
    let links = links
        .map(|(id, name)| format!("<a href=\"#panel-{id}\" data-panel=\"panel-{id}\">{name}</a>"));
    format!("<nav aria-label=\"parts of the report\">{}</nav>\n", links.collect::<String>())
}

fn header(report: &CheckReport) -> String {
    let word = verdict(&report.answer);
    let class = if word == "input error" { "unknown" } else { word };
    let asked: Vec<&str> = report.parts.iter().map(|part| part.name()).collect();
    let title = match &report.answer {
        Answer::Violated(violation) => violation.fault.message.clone(),
        Answer::Holds { .. } => "every execution is safe".to_owned(),
        Answer::Unknown { .. } => "no answer".to_owned(),
        Answer::InputError { .. } => "the program cannot be read".to_owned(),
    };
    let code = match &report.answer {
        Answer::Violated(violation) => {
            let code = violation.fault.code;
            format!("<span>{}, CWE-{}</span>", code.id, code.cwe)
        }
        Answer::Holds { .. } | Answer::Unknown { .. } | Answer::InputError { .. } => String::new(),
    };
    format!(
        "<header><div class=\"top\"><span class=\"badge {class}\">{word}</span><h1>{}</h1>\
         <button id=\"theme\" type=\"button\" title=\"t\">dark</button></div>\n\
         <p class=\"about\"><span class=\"code\">{}</span>{code}<span>{}</span>\
         <span>{:.2} s</span></p></header>\n",
        escaped(&title),
        escaped(&report.files.join(", ")),
        escaped(&asked.join(", ")),
        report.seconds
    )
}

fn violated(
    page: &mut String,
    violation: &ViolationReport,
    trace: Option<&Trace>,
    files: &[String],
    sources: &mut Sources,
) {
    page.push_str("<div class=\"panes\" id=\"answer\"><section class=\"pane\" aria-label=\"source\">\n<h2>Source</h2>\n");
    let labels = &violation.fault.labels;
    let lines = labels.iter().map(|label| label.position.line);
    let steps = trace.iter().flat_map(|trace| &trace.steps).map(|step| step.place.line);
    let marked: BTreeSet<u32> = lines.chain(steps).collect();
    for (number, file) in files.iter().enumerate() {
        if number > 0 {
            put(page, format_args!("<h3 class=\"code\">{}</h3>\n", escaped(file)));
        }
        page.push_str(&listing(number, file, &Said { labels, places: &[] }, &marked, sources));
    }
    page.push_str(
        "</section>\n<section class=\"pane right\" aria-label=\"execution\">\n<h2>Execution</h2>\n",
    );
    if let Some(trace) = trace {
        stepper(page, trace);
    }
    page.push_str("<h2>How it comes about</h2>\n<ol class=\"story\">\n");
    let main = violation.fault.place.as_ref().map_or("", |place| place.file.as_str());
    for step in &violation.story {
        let place = match step.place.file == main {
            true => format!("line {}", step.place.line),
            false => step.place.to_string(),
        };
        let dropped = violation.trace.as_ref().map_or(0, |whole| {
            whole.steps.len() - trace.map_or(whole.steps.len(), |kept| kept.steps.len())
        });
        let number = step.number.saturating_sub(1 + dropped);
        put(
            page,
            format_args!(
                "<li data-step=\"{number}\" tabindex=\"0\"><span class=\"mute\">{}</span> <code>{}</code> <span class=\"told\">{}</span></li>\n",
                escaped(&place),
                escaped(&step.text),
                prose(&step.result)
            ),
        );
    }
    page.push_str("</ol>\n");
    if let Some(hint) = &violation.hint {
        put(page, format_args!("<p><strong>Help:</strong> {}</p>\n", prose(hint)));
    }
    put(
        page,
        format_args!("<h2>To see it again</h2>\n<pre>{}</pre>\n", escaped(&violation.reproduce)),
    );
    if !violation.inputs.is_empty() {
        page.push_str("<h2>Inputs</h2>\n<table><tr><th>what</th><th>value</th></tr>\n");
        for input in violation.inputs.iter().take(200) {
            let (name, value) = (escaped(&input.name), escaped(&input.value));
            put(
                page,
                format_args!(
                    "<tr><td class=\"code\">{name}</td><td class=\"code\">{value}</td></tr>\n"
                ),
            );
        }
        page.push_str("</table>\n");
    }
    page.push_str("</section></div>\n");
}

fn stepper(page: &mut String, trace: &Trace) {
    let last = trace.steps.len().saturating_sub(1);
    put(
        page,
        format_args!(
            "<div class=\"stepper\"><button type=\"button\" id=\"earlier\" title=\"K\" aria-label=\"earlier in the story\">« <span class=\"w\">story</span></button>\
             <button type=\"button\" id=\"previous\" title=\"k\" aria-label=\"step back\">‹ <span class=\"w\">step</span></button>\
             <input type=\"range\" id=\"slider\" min=\"0\" max=\"{last}\" value=\"{last}\" aria-label=\"step\">\
             <button type=\"button\" id=\"next\" title=\"j\" aria-label=\"step\"><span class=\"w\">step</span> ›</button>\
             <button type=\"button\" id=\"later\" title=\"J\" aria-label=\"later in the story\"><span class=\"w\">story</span> »</button></div>\n\
             <output id=\"now\" aria-live=\"polite\"></output>\n"
        ),
    );
    if trace.is_cut {
        page.push_str("<p class=\"mute\">The run is longer: these are its last steps.</p>\n");
    }
    let picture = svg_of_steps(&scenes_of_trace(trace), "The heap, step by step");
    put(page, format_args!("<div class=\"picture\" tabindex=\"0\">\n{picture}</div>\n"));
    page.push_str("<p class=\"mute\">j and k step, J and K go along the story, Home and End, t turns the colours.</p>\n");
}

fn unknown(
    page: &mut String,
    report: &CheckReport,
    reasons: &[ReasonReport],
    files: &[String],
    sources: &mut Sources,
) {
    page.push_str("<div class=\"panes\" id=\"answer\"><section class=\"pane wide\"><h2>Why there is no answer</h2>\n<table><tr><th>engine</th><th>reason</th></tr>\n");
    for reason in distinct(reasons) {
        let engine = reason.engine.as_deref().unwrap_or("all");
        put(
            page,
            format_args!(
                "<tr><td>{}</td><td>{}</td></tr>\n",
                escaped(engine),
                prose(&reason_text(reason))
            ),
        );
    }
    page.push_str(
        "</table>\n<p>Nothing is concluded from that: the program may be right or wrong.</p>\n",
    );
    let help = advice(report, reasons);
    if !help.is_empty() {
        page.push_str("<h2>What may help</h2>\n<ul>\n");
        for item in help {
            put(page, format_args!("<li>{}</li>\n", prose(&item)));
        }
        page.push_str("</ul>\n");
    }
    if let Some(failure) = &report.failure {
        page.push_str(&failed(failure));
    }
    let labels: Vec<crate::position::Label> = reasons
        .iter()
        .filter_map(|reason| crate::position::Label::at(reason.place.clone(), reason.text.clone()))
        .collect();
    let marked: BTreeSet<u32> = labels.iter().map(|label| label.position.line).collect();
    page.push_str(
        "</section>\n<section class=\"pane stays\" aria-label=\"source\"><h2>Source</h2>\n",
    );
    for (number, file) in files.iter().enumerate() {
        let said = Said { labels: &labels, places: &[] };
        page.push_str(&listing(number, file, &said, &marked, sources));
    }
    page.push_str("</section></div>\n");
}

fn assumptions(page: &mut String, report: &CheckReport) {
    let assumed: &[String] = match &report.answer {
        Answer::Holds { assumptions, .. } => assumptions,
        Answer::Violated(violation) => &violation.assumptions,
        Answer::Unknown { .. } | Answer::InputError { .. } => &[],
    };
    page.push_str("<section class=\"panel\" id=\"panel-assumptions\"><h2>Assumptions</h2>\n<ul>\n");
    for assumption in assumed {
        put(page, format_args!("<li>{}</li>\n", escaped(assumption)));
    }
    if !report.data_model.is_empty() {
        put(page, format_args!("<li>data model {}</li>\n", escaped(&report.data_model)));
    }
    page.push_str("</ul></section>\n");
}

fn engines(page: &mut String, report: &CheckReport, version: &str) {
    page.push_str("<section class=\"panel\" id=\"panel-engines\"><h2>Engines and times</h2>\n<table><tr><th>engine</th><th>seconds</th></tr>\n");
    for run in &report.engines {
        let decided = if report.engine.as_deref() == Some(&run.engine) { " (decided)" } else { "" };
        put(
            page,
            format_args!(
                "<tr><td>{}{decided}</td><td>{:.3}</td></tr>\n",
                escaped(&run.engine),
                run.seconds
            ),
        );
    }
    put(page, format_args!("<tr><td>all</td><td>{:.3}</td></tr>\n</table>\n", report.seconds));
    let SolverWork { calls, seconds } = report.solver;
    put(page, format_args!("<p>A solver was asked {calls} times, for {seconds:.3} s.</p>\n"));
    part_table(page, report);
    for search in &report.searched {
        put(page, format_args!("<p>{}: {}.</p>\n", escaped(&search.engine), escaped(&search.text)));
    }
    if let Answer::Holds { proof_check, .. } = &report.answer {
        put(
            page,
            format_args!(
                "<p>The proof was run before it was believed: {}.</p>\n",
                escaped(&proof_check.summary)
            ),
        );
    }
    if let Answer::Violated(_) = &report.answer {
        page.push_str("<p>The execution was run again in the interpreter.</p>\n");
    }
    put(page, format_args!("<p class=\"mute\">Heapwright {}</p></section>\n", escaped(version)));
}

/// Who decided which part.
fn part_table(page: &mut String, report: &CheckReport) {
    if report.part_answers.is_empty() {
        return;
    }
    page.push_str(
        "<h2>Part by part</h2>\n<table><tr><th>part</th><th>answer</th><th>by</th></tr>\n",
    );
    for part in &report.part_answers {
        let word = match part.verdict {
            PartVerdict::Holds => "holds",
            PartVerdict::Violated => "violated",
            PartVerdict::Unknown => "unknown",
        };
        let engine = part.engine.as_deref().unwrap_or_default();
        put(
            page,
            format_args!(
                "<tr><td>{}</td><td>{word}</td><td>{}</td></tr>\n",
                part.part.name(),
                escaped(engine)
            ),
        );
    }
    page.push_str("</table>\n");
}

/// A sentence, with what stands in backquotes as code.
pub(super) fn prose(text: &str) -> String {
    let parts: Vec<String> = text.split('`').map(escaped).collect();
    let has_pairs = parts.len() % 2 == 1;
    if !has_pairs {
        return escaped(text);
    }
    let part = |(index, part): (usize, &String)| match index % 2 {
        0 => part.clone(),
        _ => format!("<code>{part}</code>"),
    };
    parts.iter().enumerate().map(part).collect()
}

pub(super) fn put(page: &mut String, arguments: std::fmt::Arguments<'_>) {
    page.write_fmt(arguments).expect("a string takes everything");
}
