//! The talk with the editor: files that are opened and saved, questions about lines, and what comes of runs.

use std::collections::BTreeMap;
use std::error::Error;
use std::path::{Path, PathBuf};
use std::sync::mpsc::{self, Sender};

use lsp_server::{Connection, Message, Notification, Request, Response};
use lsp_types::notification::{
    DidCloseTextDocument, DidOpenTextDocument, DidSaveTextDocument, Exit, Notification as _,
    PublishDiagnostics, ShowMessage,
};
use lsp_types::request::{CodeActionRequest, ExecuteCommand, HoverRequest, Request as _, Shutdown};
use lsp_types::{
    CodeActionParams, CodeActionProviderCapability, DidCloseTextDocumentParams,
    DidOpenTextDocumentParams, DidSaveTextDocumentParams, ExecuteCommandOptions,
    ExecuteCommandParams, HoverParams, HoverProviderCapability, InitializeParams, MessageType,
    PublishDiagnosticsParams, ServerCapabilities, ShowMessageParams, TextDocumentSyncCapability,
    TextDocumentSyncKind, TextDocumentSyncOptions, TextDocumentSyncSaveOptions,
};
use serde::de::DeserializeOwned;
use serde_json::Value;

use super::actions::{WRITE_HARNESS, actions, write_harness};
use super::diagnostics::{diagnostics, whole};
use super::hover::hover;
use super::place::{path_of, uri_of};
use super::progress;
use super::run::{Circumstances, Run};
use super::told::Report;

type Failure = Box<dyn Error + Send + Sync>;

/// What may happen.
#[derive(Debug)]
pub(super) enum Event {
    Said(Message),
    Finished {
        file: PathBuf,
        number: u64,
        reports: Vec<Report>,
    },
    /// For the user.
    Message(String),
    Problem(String),
    /// The editor has gone.
    End,
}

/// Serves one editor until it says that it goes.
pub(super) fn serve(seconds: u64) -> Result<(), Failure> {
    let (connection, threads) = Connection::stdio();
    let parameters = connection.initialize(serde_json::to_value(capabilities())?)?;
    let parameters: InitializeParams = serde_json::from_value(parameters)?;
    enter_folder(&parameters)?;
    let pages = std::env::temp_dir().join(format!("heapwright-pages-{}", std::process::id()));
    std::fs::create_dir_all(&pages)?;
    let (sender, events) = mpsc::channel();
    let circumstances =
        Circumstances { executable: std::env::current_exe()?, pages: pages.clone(), seconds };
    let said = connection.receiver.clone();
    let forward = sender.clone();
    std::thread::spawn(move || {
        for message in said {
            if forward.send(Event::Said(message)).is_err() {
                return;
            }
        }
        let _ = forward.send(Event::End);
    });
    let mut server = Server {
        connection,
        sender,
        circumstances,
        files: BTreeMap::new(),
        published: BTreeMap::new(),
        runs_so_far: 0,
        shows_progress: progress::is_shown(&parameters),
    };
    for event in events {
        if server.take(event)? == Next::End {
            break;
        }
    }
    drop(server);
    // What is left behind is in the folder for temporary files.
    let _ = std::fs::remove_dir_all(pages);
    threads.join()?;
    Ok(())
}

fn capabilities() -> ServerCapabilities {
    let save = TextDocumentSyncSaveOptions::Supported(true);
    let sync = TextDocumentSyncOptions {
        open_close: Some(true),
        change: Some(TextDocumentSyncKind::NONE),
        save: Some(save),
        ..TextDocumentSyncOptions::default()
    };
    ServerCapabilities {
        text_document_sync: Some(TextDocumentSyncCapability::Options(sync)),
        hover_provider: Some(HoverProviderCapability::Simple(true)),
        code_action_provider: Some(CodeActionProviderCapability::Simple(true)),
        execute_command_provider: Some(ExecuteCommandOptions {
            commands: vec![WRITE_HARNESS.to_owned()],
            ..ExecuteCommandOptions::default()
        }),
        ..ServerCapabilities::default()
    }
}

/// Paths of projects are relative to their folder.
#[expect(deprecated, reason = "older editors name one folder only")]
fn enter_folder(parameters: &InitializeParams) -> std::io::Result<()> {
    let folders = parameters.workspace_folders.iter().flatten().map(|folder| &folder.uri);
    let root = folders.chain(&parameters.root_uri).find_map(path_of);
    root.map_or(Ok(()), std::env::set_current_dir)
}

#[derive(Clone, Copy, PartialEq, Eq)]
enum Next {
    GoOn,
    End,
}

/// An open file.
#[derive(Debug, Default)]
struct File {
    run: Option<Run>,
    /// Of the newest run.
    number: u64,
    reports: Vec<Report>,
}

struct Server {
    connection: Connection,
    sender: Sender<Event>,
    circumstances: Circumstances,
    files: BTreeMap<PathBuf, File>,
    /// For each open file the files that its diagnostics are in.
    published: BTreeMap<PathBuf, Vec<PathBuf>>,
    runs_so_far: u64,
    /// The editor can show that something is under way.
    shows_progress: bool,
}

impl Server {
    fn take(&mut self, event: Event) -> Result<Next, Failure> {
        match event {
            Event::Said(Message::Request(request)) => self.answer(request)?,
            Event::Said(Message::Notification(notification)) => {
                if notification.method == Exit::METHOD {
                    return Ok(Next::End);
                }
                self.notice(notification)?;
            }
            // We ask the editor for nothing that we wait for.
            Event::Said(Message::Response(_)) => {}
            Event::Finished { file, number, reports } => self.finished(&file, number, reports)?,
            Event::Message(text) => self.show(MessageType::INFO, text)?,
            Event::Problem(text) => self.show(MessageType::WARNING, text)?,
            Event::End => return Ok(Next::End),
        }
        Ok(Next::GoOn)
    }

    fn notice(&mut self, notification: Notification) -> Result<(), Failure> {
        match notification.method.as_str() {
            DidOpenTextDocument::METHOD => {
                let said: DidOpenTextDocumentParams = read(notification.params)?;
                self.check(path_of(&said.text_document.uri))?;
            }
            DidSaveTextDocument::METHOD => {
                let said: DidSaveTextDocumentParams = read(notification.params)?;
                self.check(path_of(&said.text_document.uri))?;
            }
            DidCloseTextDocument::METHOD => {
                let said: DidCloseTextDocumentParams = read(notification.params)?;
                if let Some(path) = path_of(&said.text_document.uri) {
                    // Dropping a run ends it.
                    if let Some(file) = self.files.remove(&whole(&path)) {
                        self.ends(&file)?;
                    }
                    self.publish(&whole(&path), BTreeMap::new())?;
                }
            }
            _ => {}
        }
        Ok(())
    }

    /// A new run in place of the one that is under way.
    fn check(&mut self, path: Option<PathBuf>) -> Result<(), Failure> {
        let Some(path) = path.map(|path| whole(&path)) else { return Ok(()) };
        if !path.extension().is_some_and(|ending| ending == "c" || ending == "i") {
            return Ok(());
        }
        self.runs_so_far += 1;
        let number = self.runs_so_far;
        if let Some(file) = self.files.get(&path) {
            self.ends(file)?;
        }
        if self.shows_progress {
            let name = path.file_name().unwrap_or_default().to_string_lossy();
            for message in progress::begin(number, &name) {
                self.connection.sender.send(message)?;
            }
        }
        let run = Run::start(&path, number, &self.circumstances, self.sender.clone());
        let file = self.files.entry(path).or_default();
        file.number = number;
        file.run = Some(run);
        Ok(())
    }

    /// Tells that the run of a file is not under way any more, if one was.
    fn ends(&self, file: &File) -> Result<(), Failure> {
        if self.shows_progress && file.run.is_some() {
            self.connection.sender.send(progress::end(file.number))?;
        }
        Ok(())
    }

    fn finished(&mut self, path: &Path, number: u64, reports: Vec<Report>) -> Result<(), Failure> {
        // A stale run may have come to its end before it noticed.
        let Some(file) = self.files.get_mut(path).filter(|file| file.number == number) else {
            return Ok(());
        };
        let found = diagnostics(path, &reports);
        file.reports = reports;
        let run = file.run.take();
        if self.shows_progress && run.is_some() {
            self.connection.sender.send(progress::end(number))?;
        }
        self.publish(path, found)
    }

    /// Shows the diagnostics that a file leads to, and takes back those of its last run.
    fn publish(
        &mut self,
        path: &Path,
        mut found: BTreeMap<PathBuf, Vec<lsp_types::Diagnostic>>,
    ) -> Result<(), Failure> {
        let now: Vec<PathBuf> = found.keys().cloned().collect();
        for before in self.published.insert(path.to_owned(), now).unwrap_or_default() {
            found.entry(before).or_default();
        }
        for (file, diagnostics) in found {
            let Some(uri) = uri_of(&file) else { continue };
            let shown = PublishDiagnosticsParams { uri, diagnostics, version: None };
            self.tell(PublishDiagnostics::METHOD, shown)?;
        }
        Ok(())
    }

    fn answer(&mut self, request: Request) -> Result<(), Failure> {
        let Request { id, method, params } = request;
        let result = match method.as_str() {
            HoverRequest::METHOD => {
                let asked: HoverParams = read(params)?;
                let place = asked.text_document_position_params;
                let path = path_of(&place.text_document.uri).map(|path| whole(&path));
                let told = path
                    .and_then(|path| hover(&path, place.position.line + 1, self.reports_of(&path)));
                serde_json::to_value(told)?
            }
            CodeActionRequest::METHOD => {
                let asked: CodeActionParams = read(params)?;
                let path = path_of(&asked.text_document.uri).map(|path| whole(&path));
                let offered = path.map(|path| actions(&path, asked.range, self.reports_of(&path)));
                serde_json::to_value(offered.unwrap_or_default())?
            }
            Shutdown::METHOD => {
                self.files.clear();
                Value::Null
            }
            ExecuteCommand::METHOD => {
                let asked: ExecuteCommandParams = read(params)?;
                self.execute(&asked);
                Value::Null
            }
            _ => {
                let code = lsp_server::ErrorCode::MethodNotFound as i32;
                let response = Response::new_err(id, code, format!("{method} is not known here"));
                return Ok(self.connection.sender.send(response.into())?);
            }
        };
        Ok(self.connection.sender.send(Response::new_ok(id, result).into())?)
    }

    fn reports_of(&self, path: &Path) -> &[Report] {
        self.files.get(path).map_or(&[], |file| &file.reports)
    }

    fn execute(&self, asked: &ExecuteCommandParams) {
        let [Value::String(path), index] = asked.arguments.as_slice() else { return };
        let index = index.as_u64().and_then(|index| usize::try_from(index).ok());
        let report = index.and_then(|index| self.reports_of(Path::new(path)).get(index));
        if let (WRITE_HARNESS, Some(report)) = (asked.command.as_str(), report) {
            write_harness(Path::new(path), report, &self.circumstances, self.sender.clone());
        }
    }

    fn show(&self, kind: MessageType, message: String) -> Result<(), Failure> {
        self.tell(ShowMessage::METHOD, ShowMessageParams { typ: kind, message })
    }

    fn tell(&self, method: &str, params: impl serde::Serialize) -> Result<(), Failure> {
        let notification = Notification::new(method.to_owned(), params);
        Ok(self.connection.sender.send(notification.into())?)
    }
}

fn read<T: DeserializeOwned>(value: Value) -> Result<T, serde_json::Error> {
    serde_json::from_value(value)
}
