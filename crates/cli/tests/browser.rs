//! Pages in a real browser: they open, step by keys, say nothing on the console, fit a phone, and run nothing
//! that a source file says. Skipped, with a message, where no Chromium is installed.

use std::path::Path;
use std::process::{Command, Stdio};
use std::time::{Duration, Instant};

const NAMES: [&str; 3] = ["chromium", "chromium-browser", "google-chrome"];
/// A start takes about two seconds where nothing else runs.
const PATIENCE: Duration = Duration::from_secs(120);

#[expect(clippy::print_stderr, reason = "whoever runs the tests shall know what was not tried")]
fn browser() -> Option<&'static str> {
    let runs = |name: &&str| {
        let mut command = Command::new(name);
        command.arg("--version").stdout(Stdio::null()).stderr(Stdio::null());
        command.status().is_ok_and(|status| status.success())
    };
    let found = NAMES.into_iter().find(runs);
    if found.is_none() {
        eprintln!("skipped: no Chromium is installed ({})", NAMES.join(", "));
    }
    found
}

/// Opens a page in a frame of this width, does what the script says to its `page` (a window), and gives
/// what it returns and what the console said.
fn seen(
    browser: &str,
    folder: &Path,
    page: &str,
    width: u32,
    script: &str,
) -> (String, Vec<String>) {
    let driver = format!(
        "<!doctype html><title>driver</title><iframe id=frame style='width:{width}px;height:800px;border:0' \
         src='{page}'></iframe><pre id=result>none</pre><script>\
         document.getElementById('frame').addEventListener('load', function () {{\
         const page = this.contentWindow;\
         const press = key => page.document.body.dispatchEvent(\
         new page.KeyboardEvent('keydown', {{key, bubbles: true}}));\
         const result = (function () {{ {script} }})();\
         document.getElementById('result').textContent = 'RESULT<' + result + '>';\
         }});</script>"
    );
    let file = folder.join("driver.html");
    std::fs::write(&file, driver).expect("writable");
    let (dom, log) = (folder.join("dom"), folder.join("log"));
    let create = |path: &Path| std::fs::File::create(path).expect("writable");
    let mut child = Command::new(browser)
        .args(["--headless=new", "--no-sandbox", "--disable-gpu", "--enable-logging=stderr"])
        .args(["--allow-file-access-from-files", "--virtual-time-budget=3000", "--dump-dom"])
        .arg(format!("--user-data-dir={}", folder.join("profile").display()))
        .arg(format!("file://{}", file.display()))
        .stdin(Stdio::null())
        .stdout(create(&dom))
        .stderr(create(&log))
        .spawn()
        .expect("the browser starts");
    let end = Instant::now() + PATIENCE;
    while child.try_wait().expect("a child of ours").is_none() {
        if Instant::now() > end {
            child.kill().expect("a child of ours");
            child.wait().expect("a child of ours");
            panic!("the browser did not end");
        }
        std::thread::sleep(Duration::from_millis(50));
    }
    let read =
        |path: &Path| String::from_utf8_lossy(&std::fs::read(path).expect("written")).into_owned();
    let log = read(&log);
    let console = log.lines().filter(|line| line.contains(":CONSOLE")).map(str::to_owned).collect();
    let dom = read(&dom);
    let result = dom.split_once("RESULT&lt;").and_then(|(_, rest)| rest.split_once("&gt;<"));
    (result.map_or_else(|| format!("no result: {dom}"), |(result, _)| result.to_owned()), console)
}

/// Writes the page of a program of this name; gives the page's name.
fn page(folder: &Path, program: &str, text: &str) -> String {
    std::fs::write(folder.join(program), text).expect("writable");
    let output = Command::new(env!("CARGO_BIN_EXE_heapwright"))
        .args(["check", "--quiet", "--timeout", "30", "--html", "page.html", program])
        .current_dir(folder)
        .output()
        .expect("the binary runs");
    assert!(folder.join("page.html").exists(), "{}", String::from_utf8_lossy(&output.stderr));
    "page.html".to_owned()
}

fn example(name: &str) -> String {
    let path = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../examples").join(name);
    std::fs::read_to_string(path).expect("readable")
}

#[test]
fn keys_step_through_an_execution() {
    let Some(browser) = browser() else { return };
    let folder = tempfile::tempdir().expect("a folder");
    let page = page(folder.path(), "list.c", &example("use_after_free.c"));
    let script = "const now = () => page.document.getElementById('now').textContent.split(',')[0];\
                  const line = () => page.document.querySelector('.source [aria-current]').id;\
                  const told = [now(), line()];\
                  for (const key of ['k', 'j', 'K', 'Home', 'ArrowRight', 'End']) { press(key); told.push(now()); }\
                  return told.join(';');";
    let (result, console) = seen(browser, folder.path(), &page, 1400, script);
    let expected = "step 27 of 27;F0L29;step 26 of 27;step 27 of 27;step 26 of 27;step 1 of 27;\
                    step 2 of 27;step 27 of 27";
    assert_eq!(result, expected);
    assert!(console.is_empty(), "{}", console.join("\n"));
}

#[test]
fn no_card_moves_while_one_steps() {
    let Some(browser) = browser() else { return };
    let folder = tempfile::tempdir().expect("a folder");
    let page = page(folder.path(), "list.c", &example("use_after_free.c"));
    let script = "const places = {}; let moved = 0;\
                  press('Home');\
                  for (let step = 0; step < 27; step++) {\
                    for (const card of page.document.querySelectorAll('[data-on]:not([hidden]) g[role=img]')) {\
                      const name = card.getAttribute('aria-label').split(':')[0];\
                      if (!name.includes('#')) continue;\
                      const at = card.querySelector('rect.card').getAttribute('x');\
                      if (name in places && places[name] !== at) moved++;\
                      places[name] = at;\
                    }\
                    press('j');\
                  }\
                  return Object.keys(places).length + ' cards, ' + moved + ' moved';";
    let (result, _) = seen(browser, folder.path(), &page, 1400, script);
    assert_eq!(result, "3 cards, 0 moved");
}

#[test]
fn tabs_show_one_part_and_lines_of_the_control_flow_lead_to_the_source() {
    let Some(browser) = browser() else { return };
    let folder = tempfile::tempdir().expect("a folder");
    let page = page(folder.path(), "list.c", &example("use_after_free.c"));
    let script = "const shown = () => Array.from(page.document.querySelectorAll('.panel:not([hidden])'), it => it.id).join('+');\
                  const told = [shown()];\
                  press('2'); told.push(shown());\
                  const lines = page.document.querySelectorAll('.flow a');\
                  told.push(lines.length > 5);\
                  const last = lines[lines.length - 1]; last.dispatchEvent(new page.MouseEvent('click', {bubbles: true, cancelable: true}));\
                  told.push(shown());\
                  told.push('#' + page.document.querySelector('.source .shown').id === last.getAttribute('href'));\
                  press('4'); told.push(shown());\
                  return told.join(';');";
    let (result, console) = seen(browser, folder.path(), &page, 1400, script);
    assert_eq!(result, "panel-answer;panel-flow;true;panel-answer;true;panel-engines");
    assert!(console.is_empty(), "{}", console.join("\n"));
}

const HOSTILE: &str = "\
/* </script><script>window.owned = 1</script> <img src=x onerror='window.owned = 2'> */
#include <stdlib.h>
struct x { struct x *n; }; // \"><svg onload=window.owned=3>
int main(void) {
    char *text = \"</pre><script>window.owned = 4</script>\";
    struct x *p = malloc(sizeof *p); free(p); return p->n != 0 && *text; // ]]>--></style>
}
";

#[test]
fn a_page_runs_nothing_that_a_source_file_says() {
    let Some(browser) = browser() else { return };
    let folder = tempfile::tempdir().expect("a folder");
    let name = "<img src=x onerror=window.owned=5>.c";
    let page = page(folder.path(), name, HOSTILE);
    let script = "press('Home'); press('j');\
                  const strange = page.document.querySelectorAll('img, iframe, svg[onload], script[src]').length;\
                  return [page.owned, page.document.scripts.length, strange, \
                  page.document.body.textContent.includes('window.owned = 1')].join();";
    let (result, console) = seen(browser, folder.path(), &page, 1400, script);
    assert_eq!(result, ",2,0,true");
    assert!(console.is_empty(), "{}", console.join("\n"));
}

#[test]
fn pages_fit_a_phone() {
    let Some(browser) = browser() else { return };
    for (name, text) in [
        ("violation.c", example("use_after_free.c")),
        ("proof.c", example("list_of_any_length.c")),
        ("unknown.c", "int main(void) { __asm__(\"nop\"); return 0; }\n".to_owned()),
    ] {
        let folder = tempfile::tempdir().expect("a folder");
        let page = page(folder.path(), name, &text);
        let script = "return page.document.documentElement.scrollWidth <= page.innerWidth \
                      && page.innerWidth;";
        let (result, console) = seen(browser, folder.path(), &page, 390, script);
        assert_eq!(result, "390", "{name} sticks out");
        assert!(console.is_empty(), "{name}: {}", console.join("\n"));
    }
}
