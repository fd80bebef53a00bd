//! `lsp`: answers in an editor, by the Language Server Protocol on standard input and output.
//!
//! `server` talks to the editor; `run` asks about a file in processes that can be ended (`question` says which);
//! `progress` lets the editor show that; `told` keeps what came out; `diagnostics`, `hover` and `actions` put that into the protocol's words, with
//! places by `place`.

mod actions;
mod diagnostics;
mod hover;
mod place;
mod progress;
mod question;
mod run;
mod server;
mod told;

use std::process::ExitCode;

use clap::Args;

use crate::exit;
use crate::terminal::complain;

#[derive(Debug, Args)]
pub(crate) struct LspArguments {
    /// Give up on a program after this time, and on a function after a sixth of it
    #[arg(long, value_name = "SECONDS", default_value_t = 60)]
    timeout: u64,

    /// Taken for the sake of editors that pass it: standard input and output are all there is
    #[arg(long, hide = true)]
    stdio: bool,
}

pub(crate) fn lsp(arguments: &LspArguments) -> ExitCode {
    match server::serve(arguments.timeout) {
        Ok(()) => ExitCode::SUCCESS,
        Err(error) => {
            complain(&format!("heapwright lsp: {error}\n"));
            ExitCode::from(exit::INTERNAL_ERROR)
        }
    }
}
