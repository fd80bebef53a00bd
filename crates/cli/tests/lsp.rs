//! `heapwright lsp` as an editor meets it: a scripted client on its standard input and output.

use std::io::{BufReader, BufWriter};
use std::path::{Path, PathBuf};
use std::process::{Child, ChildStdin, ChildStdout, Command, Stdio};
use std::time::Duration;

use lsp_server::{Message, Notification, Request, RequestId};
use serde_json::{Value, json};

/// An editor with a folder.
struct Editor {
    folder: tempfile::TempDir,
    server: Child,
    to: BufWriter<ChildStdin>,
    from: BufReader<ChildStdout>,
    requests: i32,
}

impl Editor {
    fn start() -> Editor {
        Editor::with(json!({}))
    }

    fn with(capabilities: Value) -> Editor {
        let folder = tempfile::tempdir().expect("a folder");
        let mut server = Command::new(env!("CARGO_BIN_EXE_heapwright"))
            .arg("lsp")
            .stdin(Stdio::piped())
            .stdout(Stdio::piped())
            .spawn()
            .expect("the binary runs");
        let to = BufWriter::new(server.stdin.take().expect("a pipe"));
        let from = BufReader::new(server.stdout.take().expect("a pipe"));
        let mut editor = Editor { folder, server, to, from, requests: 0 };
        let root = editor.uri("");
        let folders = json!([{"uri": root, "name": "folder"}]);
        let answer = editor.ask(
            "initialize",
            json!({"processId": null, "rootUri": null, "capabilities": capabilities, "workspaceFolders": folders}),
        );
        assert_eq!(answer["capabilities"]["hoverProvider"], true, "{answer}");
        editor.notify("initialized", json!({}));
        editor
    }

    fn path(&self, name: &str) -> PathBuf {
        self.folder.path().canonicalize().expect("it is there").join(name)
    }

    fn uri(&self, name: &str) -> String {
        format!("file://{}", self.path(name).display())
    }

    fn write(&self, name: &str, text: &str) {
        std::fs::write(self.path(name), text).expect("writable");
    }

    fn notify(&mut self, method: &str, params: Value) {
        let message = Notification::new(method.to_owned(), params);
        Message::from(message).write(&mut self.to).expect("the server listens");
    }

    fn open(&mut self, name: &str) {
        let document = json!({"uri": self.uri(name), "languageId": "c", "version": 1, "text": ""});
        self.notify("textDocument/didOpen", json!({"textDocument": document}));
    }

    fn save(&mut self, name: &str) {
        let document = json!({"uri": self.uri(name)});
        self.notify("textDocument/didSave", json!({"textDocument": document}));
    }

    fn next(&mut self) -> Message {
        Message::read(&mut self.from).expect("a message").expect("the server is there")
    }

    /// The answer to a question; what else is said meanwhile is lost.
    fn ask(&mut self, method: &str, params: Value) -> Value {
        self.requests += 1;
        let id = RequestId::from(self.requests);
        let message = Request::new(id.clone(), method.to_owned(), params);
        Message::from(message).write(&mut self.to).expect("the server listens");
        loop {
            if let Message::Response(response) = self.next()
                && response.id == id
            {
                let value = serde_json::to_value(response).expect("plain data");
                return value["result"].clone();
            }
        }
    }

    /// The next of the notifications of a method.
    fn told(&mut self, method: &str) -> Value {
        loop {
            if let Message::Notification(notification) = self.next()
                && notification.method == method
            {
                return notification.params;
            }
        }
    }

    /// The next diagnostics of a file.
    fn diagnostics(&mut self, name: &str) -> Vec<Value> {
        let uri = self.uri(name);
        loop {
            let told = self.told("textDocument/publishDiagnostics");
            if told["uri"] == *uri {
                return told["diagnostics"].as_array().expect("a list").clone();
            }
        }
    }

    /// What is under way for this editor.
    fn processes(&self) -> Vec<String> {
        let id = self.server.id();
        let tasks = std::fs::read_dir(format!("/proc/{id}/task")).into_iter().flatten().flatten();
        let children =
            tasks.filter_map(|task| std::fs::read_to_string(task.path().join("children")).ok());
        children
            .flat_map(|it| it.split_whitespace().map(str::to_owned).collect::<Vec<_>>())
            .collect()
    }

    fn leave(mut self) {
        self.ask("shutdown", Value::Null);
        self.notify("exit", Value::Null);
        let status = self.server.wait().expect("it ends");
        assert!(status.success(), "{status}");
    }
}

fn example(name: &str) -> String {
    let path = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../examples").join(name);
    std::fs::read_to_string(path).expect("an example")
}

#[test]
fn an_editor_that_can_shows_what_is_under_way() {
    let mut editor = Editor::with(json!({"window": {"workDoneProgress": true}}));
    editor.write("wrong.c", &example("use_after_free.c"));
    editor.open("wrong.c");
    let asked = editor.next();
    let Message::Request(asked) = asked else { panic!("{asked:?}") };
    assert_eq!(asked.method, "window/workDoneProgress/create");
    let begin = editor.told("$/progress");
    assert_eq!(begin["token"], asked.params["token"]);
    assert_eq!(begin["value"]["kind"], "begin");
    assert_eq!(begin["value"]["message"], "checks wrong.c");
    let end = editor.told("$/progress");
    assert_eq!((&end["token"], &end["value"]["kind"]), (&begin["token"], &json!("end")));
    assert_eq!(editor.diagnostics("wrong.c").len(), 1);
    editor.leave();
}

#[test]
fn a_violation_is_shown_with_what_led_to_it_and_its_harness_is_written() {
    let mut editor = Editor::start();
    editor.write("wrong.c", &example("use_after_free.c"));
    editor.open("wrong.c");
    let shown = editor.diagnostics("wrong.c");
    assert_eq!(shown.len(), 1, "{shown:?}");
    let shown = &shown[0];
    assert_eq!((&shown["code"], &shown["severity"]), (&json!("HW001"), &json!(1)), "{shown}");
    let expected =
        json!({"start": {"line": 28, "character": 15}, "end": {"line": 28, "character": 28}});
    assert_eq!(shown["range"], expected, "{shown}");
    let related = shown["relatedInformation"].as_array().expect("a list");
    let lines: Vec<&Value> =
        related.iter().map(|it| &it["location"]["range"]["start"]["line"]).collect();
    assert!(lines.contains(&&json!(14)) && lines.contains(&&json!(27)), "{related:?}");

    let document = json!({"uri": editor.uri("wrong.c")});
    let here = json!({"textDocument": document, "position": {"line": 28, "character": 16}});
    let hover = editor.ask("textDocument/hover", here);
    let words = hover["contents"]["value"].as_str().expect("words");
    assert!(words.contains("use of freed memory") && words.contains("file://"), "{words}");

    let context = json!({"diagnostics": []});
    let asked = json!({"textDocument": document, "range": shown["range"], "context": context});
    let offered = editor.ask("textDocument/codeAction", asked);
    let command = offered[0]["command"].clone();
    assert_eq!(command["command"], "heapwright.writeHarness", "{offered}");
    let elsewhere =
        json!({"start": {"line": 0, "character": 0}, "end": {"line": 1, "character": 0}});
    let asked = json!({"textDocument": document, "range": elsewhere, "context": context});
    assert_eq!(editor.ask("textDocument/codeAction", asked), json!([]));

    editor.ask(
        "workspace/executeCommand",
        json!({"command": command["command"], "arguments": command["arguments"]}),
    );
    let told = editor.told("window/showMessage");
    assert!(told["message"].as_str().is_some_and(|it| it.contains("is written")), "{told}");
    let harness = std::fs::read_to_string(editor.path("wrong-reproduced.c")).expect("it is there");
    assert!(harness.starts_with("// valid-deref is violated"), "{harness}");
    editor.leave();
}

#[test]
fn the_words_of_a_proof_are_under_the_pointer() {
    let mut editor = Editor::start();
    editor.write("list.c", &example("list_of_any_length.c"));
    editor.open("list.c");
    assert_eq!(editor.diagnostics("list.c"), [] as [Value; 0]);
    let document = json!({"uri": editor.uri("list.c")});
    let here = json!({"textDocument": document, "position": {"line": 14, "character": 4}});
    let hover = editor.ask("textDocument/hover", here);
    let words = hover["contents"]["value"].as_str().expect("words");
    assert!(words.contains("`head` leads to one or more nodes by `next`"), "{words}");
    let nowhere = json!({"textDocument": document, "position": {"line": 0, "character": 0}});
    assert_eq!(editor.ask("textDocument/hover", nowhere), Value::Null);
    editor.leave();
}

/// Nobody decides this soon.
const ENDLESS: &str = "\
extern unsigned long __VERIFIER_nondet_ulong(void);
extern void reach_error(void);
int main(void) {
    unsigned long a = __VERIFIER_nondet_ulong(), b = __VERIFIER_nondet_ulong();
    if (a > 1 && b > 1 && a < 4294967296 && b < 4294967296 && a * b == 18446743979220271189ul)
        reach_error();
    return 0;
}
";

#[test]
fn a_run_that_is_stale_is_ended() {
    let mut editor = Editor::start();
    editor.write("slow.c", ENDLESS);
    editor.open("slow.c");
    while editor.processes().is_empty() {
        std::thread::sleep(Duration::from_millis(20));
    }
    let stale = editor.processes();
    editor.write("slow.c", "int main(void) { return x; }\n");
    editor.save("slow.c");
    let shown = editor.diagnostics("slow.c");
    assert_eq!(shown.len(), 1, "{shown:?}");
    assert_eq!(shown[0]["range"]["start"], json!({"line": 0, "character": 24}), "{shown:?}");
    while editor.processes().iter().any(|it| stale.contains(it)) {
        // Ends because the process is ended; if not, the test is seen to hang.
        std::thread::sleep(Duration::from_millis(20));
    }
    editor.write("slow.c", "int main(void) { return 0; }\n");
    editor.save("slow.c");
    assert_eq!(editor.diagnostics("slow.c"), [] as [Value; 0], "what is mended is not shown");
    editor.leave();
}

#[test]
fn a_file_without_main_is_asked_about_by_function_and_one_of_a_project_with_its_program() {
    let mut editor = Editor::start();
    let node = "struct node { struct node *next; };\n";
    let library =
        format!("{node}struct node *second(struct node *head) {{ return head->next->next; }}\n");
    editor.write("library.c", &library);
    editor.open("library.c");
    let shown = editor.diagnostics("library.c");
    assert_eq!(shown.len(), 1, "{shown:?}");
    let message = shown[0]["message"].as_str().expect("words");
    assert!(message.contains("called as `second`"), "{message}");

    let main = format!(
        "{node}struct node *second(struct node *head);\n\
         int main(void) {{ struct node a, b = {{0}}; a.next = &b; return second(&a) != 0; }}\n"
    );
    editor.write("main.c", &main);
    let settings = "[[program]]\nname = \"all\"\nfiles = [\"main.c\", \"library.c\"]\n";
    editor.write("heapwright.toml", settings);
    editor.save("library.c");
    assert_eq!(editor.diagnostics("library.c"), [] as [Value; 0]);
    editor.leave();
}
