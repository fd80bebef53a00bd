//! `--explain`: what a code of a fault means.

use std::process::ExitCode;

use heapwright_report::{CODES, explain_text, find_code};

use crate::exit;
use crate::terminal::{complain, print};

pub(crate) fn explain(id: &str) -> ExitCode {
    match find_code(id) {
        Some(code) => {
            print(&explain_text(code));
            ExitCode::SUCCESS
        }
        None => {
            let known: Vec<&str> = CODES.iter().map(|code| code.id).collect();
            complain(&format!("there is no code `{id}`; there are {}\n", known.join(", ")));
            ExitCode::from(exit::USAGE)
        }
    }
}
