//! The section on the survey: each program by each engine, sums, and where a family falls short of
//! what is said of it.

use crate::error::BenchError;
use crate::reproduce::ask::{Question, Reply};
use crate::reproduce::page::table;
use crate::reproduce::survey::{ENGINES, Program, Worth, programs};
use crate::reproduce::{Laboratory, Section};

const TEXT: &str = "\
## The survey's programs

Chang, Drăgoi, Manevich, Rinetzky, Rival, *Shape Analysis* (2020), and the papers beside it explain their methods by small
programs. Those that can be told from the texts are in `examples/survey`, written anew, each with mutants that
have one mistake. Every engine is asked alone about memory safety and assertions together, and where that stays open, about each
part by itself.

*holds* and *refuted* are answers to the whole question. Letters are the parts that hold where others are open: *a*
assertions, *d* accesses, *f* calls of `free`, *m* no memory is lost. A star says that the texts let this family prove
the program (for `symbolic-heap` separation logic, for `three-valued` three-valued logic, for `template` 2LS). A
dot is no answer; seconds are those of all questions about the program. *WRONG* would be an answer that contradicts the program.
";

/// A program, and what each engine said.
struct Asked {
    program: Program,
    replies: Vec<Reply>,
}

pub(super) fn section(laboratory: &Laboratory) -> Result<Section, BenchError> {
    if !laboratory.survey.is_dir() {
        return Ok(Section::Missing(format!("no folder {}", laboratory.survey.display())));
    }
    let load = laboratory.load();
    let programs = programs(&laboratory.survey)?;
    let of_program = |program: &Program| {
        let file = program.file.clone();
        ENGINES.map(|engine| Question { file: file.clone(), engine })
    };
    let questions: Vec<Question> = programs.iter().flat_map(of_program).collect();
    let replies = laboratory.ask(&questions)?;
    if replies.len() < questions.len() {
        return Ok(Section::Missing("interrupted".to_owned()));
    }
    let asked: Vec<Asked> = programs
        .into_iter()
        .zip(replies.chunks(ENGINES.len()))
        .map(|(program, replies)| Asked { program, replies: replies.to_vec() })
        .collect();
    let worths = asked.iter().flat_map(Asked::worths);
    let wrong = worths.filter(|worth| *worth == Worth::Wrong).count();
    let seconds = laboratory.time.as_secs_f64();
    let text = format!(
        "{TEXT}\n{}\n{}\n{}\n{}\nMeasured with {seconds} s of processor time a question, {} runs at a time {load}.\n",
        sums(&asked),
        by_program(&asked),
        shortfalls(&asked),
        work(&asked),
        laboratory.workers,
    );
    Ok(Section::Measured { text, picture: None, wrong })
}

impl Asked {
    fn worths(&self) -> impl Iterator<Item = Worth> {
        self.replies.iter().map(|reply| self.program.worth(reply))
    }

    fn cell(&self, (engine, reply): (&str, &Reply)) -> String {
        let star = if self.program.is_expected_of(engine) { " *" } else { "" };
        let seconds = reply.cpu_s;
        match self.program.worth(reply) {
            Worth::Proved => format!("holds {seconds:.2}{star}"),
            Worth::Refuted => format!("refuted {seconds:.2}"),
            Worth::Parts(letters) if letters.is_empty() => format!("· {seconds:.1}{star}"),
            Worth::Parts(letters) => format!("{letters} {seconds:.2}{star}"),
            Worth::Wrong => "WRONG".to_owned(),
        }
    }
}

/// A row for each engine.
fn sums(asked: &[Asked]) -> String {
    let (correct, mutants): (Vec<&Asked>, Vec<&Asked>) =
        asked.iter().partition(|it| it.program.violated.is_none());
    let row = |(index, engine): (usize, &&str)| {
        let worth = |it: &Asked| it.program.worth(&it.replies[index]);
        let count = |of: &[&Asked], is: &dyn Fn(&Worth) -> bool| {
            of.iter().filter(|it| is(&worth(it))).count()
        };
        let is_partial = |worth: &Worth| matches!(worth, Worth::Parts(held) if !held.is_empty());
        let expected: Vec<&Asked> =
            correct.iter().filter(|it| it.program.is_expected_of(engine)).copied().collect();
        let proved = |of: &[&Asked]| count(of, &|worth| *worth == Worth::Proved);
        let cpu: f64 = asked.iter().map(|it| it.replies[index].cpu_s).sum();
        vec![
            format!("`{engine}`"),
            format!("{} of {}", proved(&correct), correct.len()),
            count(&correct, &is_partial).to_string(),
            format!("{} of {}", proved(&expected), expected.len()),
            count(&expected, &is_partial).to_string(),
            format!("{} of {}", count(&mutants, &|worth| *worth == Worth::Refuted), mutants.len()),
            asked.iter().filter(|it| worth(it) == Worth::Wrong).count().to_string(),
            format!("{cpu:.0}"),
        ]
    };
    let heading = [
        "engine",
        "proved",
        "some parts",
        "of those with a star",
        "some parts of those",
        "mutants refuted",
        "wrong",
        "CPU s",
    ];
    table(1, &heading, &ENGINES.iter().enumerate().map(row).collect::<Vec<_>>())
}

fn by_program(asked: &[Asked]) -> String {
    let heading: Vec<String> = ENGINES.iter().map(|engine| format!("`{engine}`")).collect();
    let mut heading: Vec<&str> = heading.iter().map(String::as_str).collect();
    heading.splice(0..0, ["program", "source", "truth"]);
    let row = |it: &Asked| {
        let Program { name, source, violated, .. } = &it.program;
        let truth = violated.as_deref().unwrap_or("holds").to_owned();
        let mut row = vec![name.replace('_', "\\_"), source.clone(), truth];
        row.extend(ENGINES.into_iter().zip(&it.replies).map(|pair| it.cell(pair)));
        row
    };
    table(heading.len(), &heading, &asked.iter().map(row).collect::<Vec<_>>())
}

/// What the texts let a family prove, and its engine does not.
fn shortfalls(asked: &[Asked]) -> String {
    let mut text = "Expected of an engine and not proved by it as a whole:\n\n".to_owned();
    for (index, engine) in ENGINES.into_iter().enumerate() {
        let is_short = |it: &&Asked| {
            let worth = it.program.worth(&it.replies[index]);
            it.program.is_expected_of(engine) && worth != Worth::Proved
        };
        let told = |it: &Asked| match it.program.worth(&it.replies[index]) {
            Worth::Parts(letters) if !letters.is_empty() => {
                format!("{} (all but {})", it.program.name, missing(&letters))
            }
            Worth::Parts(_) | Worth::Proved | Worth::Refuted | Worth::Wrong => {
                it.program.name.clone()
            }
        };
        let names: Vec<String> = asked.iter().filter(is_short).map(told).collect();
        if !names.is_empty() {
            text += &format!("- `{engine}`: {}\n", names.join(", ").replace('_', "\\_"));
        }
    }
    text
}

fn missing(letters: &str) -> String {
    "adfm".chars().filter(|letter| !letters.contains(*letter)).collect()
}

/// What does not depend on the machine, where engines count it.
fn work(asked: &[Asked]) -> String {
    let counting = ["symbolic-heap", "template"];
    let count = |number: Option<u64>| number.map_or("–".to_owned(), |it| it.to_string());
    let row = |it: &Asked| {
        let mut row = vec![it.program.name.replace('_', "\\_")];
        for (engine, reply) in ENGINES.into_iter().zip(&it.replies) {
            if counting.contains(&engine) {
                let is_proved = it.program.worth(reply) == Worth::Proved;
                let known = |number: Option<u64>| count(number.filter(|_| is_proved));
                row.extend([known(reply.work), known(reply.solver_calls)]);
            }
        }
        row
    };
    let heading = [
        "program",
        "`symbolic-heap`: units of work",
        "solver calls",
        "`template`: units of work",
        "solver calls",
    ];
    let correct = asked.iter().filter(|it| it.program.violated.is_none());
    format!(
        "Work of whole proofs, counted by the engines that count it; it depends less on the machine than seconds:\n\n{}",
        table(1, &heading, &correct.map(row).collect::<Vec<_>>())
    )
}
