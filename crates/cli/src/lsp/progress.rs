//! What the editor shows while a file is checked: one piece of work for each run, if the editor can show it.

use lsp_server::{Message, Notification, Request};
use lsp_types::notification::{Notification as _, Progress};
use lsp_types::request::{Request as _, WorkDoneProgressCreate};
use lsp_types::{
    InitializeParams, NumberOrString, ProgressParams, ProgressParamsValue, WorkDoneProgress,
    WorkDoneProgressBegin, WorkDoneProgressCreateParams, WorkDoneProgressEnd,
};

/// Whether the editor can show it.
pub(super) fn is_shown(parameters: &InitializeParams) -> bool {
    let window = parameters.capabilities.window.as_ref();
    window.and_then(|window| window.work_done_progress).unwrap_or(false)
}

/// What is said when a run begins.
pub(super) fn begin(number: u64, file: &str) -> [Message; 2] {
    let token = token(number);
    let created = WorkDoneProgressCreateParams { token: token.clone() };
    // The editor's answer says nothing that we need.
    let id = format!("progress {number}").into();
    let asked = Request::new(id, WorkDoneProgressCreate::METHOD.to_owned(), created);
    let begin = WorkDoneProgressBegin {
        title: "Heapwright".to_owned(),
        message: Some(format!("checks {file}")),
        cancellable: Some(false),
        percentage: None,
    };
    [asked.into(), told(token, WorkDoneProgress::Begin(begin))]
}

/// What is said when it has ended, or a newer one takes its place.
pub(super) fn end(number: u64) -> Message {
    told(token(number), WorkDoneProgress::End(WorkDoneProgressEnd { message: None }))
}

fn token(number: u64) -> NumberOrString {
    NumberOrString::String(format!("heapwright {number}"))
}

fn told(token: NumberOrString, progress: WorkDoneProgress) -> Message {
    let value = ProgressParamsValue::WorkDone(progress);
    Notification::new(Progress::METHOD.to_owned(), ProgressParams { token, value }).into()
}
