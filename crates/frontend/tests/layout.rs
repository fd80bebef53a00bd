//! Struct layouts are gcc's: sizes, alignments, offsets and bit-field positions of the records of
//! the corpus, asserted at the end of the file that declares them and compiled with gcc for both
//! data models. Nothing is linked or run, so that no 32-bit library is needed: the bits of a field
//! are read off the assembly text of an object in which the field is all ones.
#![allow(clippy::print_stderr, reason = "a test that skips itself must say so")]

mod common;

use std::collections::BTreeSet;
use std::fmt::Write as _;
use std::io::Write as _;
use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};

use common::{corpus, corpus_files, data_model, is_long_mode, load_file};
use heapwright_program::{BitRange, DataModel, Program, Record, RecordKind, Type, TypeId};

#[test]
fn layouts_are_those_of_gcc() {
    let Some(corpus) = corpus() else { return };
    if Command::new("gcc").arg("--version").stdout(Stdio::null()).status().is_err() {
        eprintln!("skipped: there is no gcc");
        return;
    }
    // The one header that glibc asks for and a system without 32-bit libraries does not have.
    let headers = std::env::temp_dir().join(format!("heapwright-layout-{}", std::process::id()));
    std::fs::create_dir_all(headers.join("gnu")).expect("a folder for headers");
    std::fs::write(headers.join("gnu/stubs-32.h"), "").expect("a writable folder");
    let mut survey = Survey { headers: headers.clone(), ..Survey::default() };
    for file in corpus_files(&corpus) {
        let own = data_model(&file);
        let models = [DataModel::Lp64, DataModel::Ilp32];
        for model in models.into_iter().filter(|&model| is_long_mode() || model == own) {
            survey.compare(&file, model);
        }
    }
    let _ = std::fs::remove_dir_all(&headers);
    let Survey { records, fields, bit_fields, unknown, skipped, mismatches, .. } = survey;
    eprintln!(
        "{records} records, {fields} fields and {bit_fields} bit-fields compared, {unknown} \
         records that gcc does not see, {} files skipped",
        skipped.len()
    );
    for reason in skipped.iter().take(20) {
        eprintln!("  skipped {reason}");
    }
    assert!(mismatches.is_empty(), "{}", mismatches.join("\n"));
    assert!(records > 0, "nothing was compared");
}

/// What was seen and what came of it.
#[derive(Default)]
struct Survey {
    /// Where gcc finds headers that the system lacks.
    headers: PathBuf,
    /// Records by their text: a struct of a common header is compared once.
    seen: BTreeSet<String>,
    records: usize,
    fields: usize,
    bit_fields: usize,
    unknown: usize,
    skipped: Vec<String>,
    mismatches: Vec<String>,
}

/// A field by the path from its record, as C writes it: `a.b[0].c`.
struct Leaf {
    path: String,
    offset: u64,
    bits: Option<BitRange>,
}

/// An object of which one bit-field is set.
struct Probe {
    label: String,
    bytes: Vec<u8>,
    what: String,
}

/// What is asked about one record.
struct Question {
    /// `struct node`, as gcc writes it.
    tag: String,
    checks: String,
    fields: usize,
    probes: Vec<Probe>,
}

impl Survey {
    fn compare(&mut self, file: &Path, model: DataModel) {
        let name = format!("{} ({})", file.display(), model.name());
        let Ok(loaded) = load_file(file, model) else {
            // Headers of the other data model may be missing.
            self.skipped.push(format!("{name}: it does not load"));
            return;
        };
        let mut questions = self.questions(&loaded.program);
        if questions.is_empty() {
            return;
        }
        let source = std::fs::read(file).expect("it was read before");
        let (mut assembly, mut errors) = self.gcc(file, model, &source, &questions);
        // A record that only a block declares, or only a model of ours, is out of sight.
        let all = questions.len();
        questions.retain(|question| {
            let quoted = format!("‘{}’", question.tag);
            let is_hidden = |line: &str| line.contains("incomplete") || line.contains("undefined");
            !errors.lines().any(|line| is_hidden(line) && line.contains(&quoted))
        });
        if questions.len() < all {
            (assembly, errors) = self.gcc(file, model, &source, &questions);
        }
        let failed = errors.lines().filter(|line| line.contains("static assertion failed"));
        self.mismatches.extend(failed.map(|line| format!("{name}: {line}")));
        let Some(assembly) = assembly else {
            let first = errors.lines().find(|line| line.contains("error")).unwrap_or_default();
            self.skipped.push(format!("{name}: {first}"));
            return;
        };
        self.unknown += all - questions.len();
        self.records += questions.len();
        for question in &questions {
            self.fields += question.fields;
            self.compare_probes(&name, &assembly, &question.probes);
        }
    }

    /// A question about each tagged record that is new.
    fn questions(&mut self, program: &Program) -> Vec<Question> {
        let mut questions = Vec::new();
        for (_, record) in program.types.records() {
            let text = format!("{} {record:?}", program.model.name());
            let has_tag = !record.name.contains('.') && record.name != "anonymous";
            if has_tag && record.is_complete && (is_long_mode() || self.seen.insert(text)) {
                questions.push(question(program, record, questions.len()));
            }
        }
        questions
    }

    /// The assembly text, if gcc makes any, and what it complains about.
    fn gcc(
        &self,
        file: &Path,
        model: DataModel,
        source: &[u8],
        questions: &[Question],
    ) -> (Option<String>, String) {
        let model = match model {
            DataModel::Lp64 => "-m64",
            DataModel::Ilp32 => "-m32",
        };
        let language =
            if file.extension().is_some_and(|ending| ending == "i") { "cpp-output" } else { "c" };
        let mut gcc = Command::new("gcc")
            .args([model, "-w", "-std=gnu11", "-fno-common", "-S", "-o", "-", "-x", language, "-"])
            // Debian keeps glibc's headers of one architecture in a folder of its own.
            .args(["-idirafter", "/usr/include/x86_64-linux-gnu", "-idirafter"])
            .arg(&self.headers)
            .current_dir(file.parent().unwrap_or(Path::new(".")))
            .env("LC_ALL", "C.UTF-8")
            .stdin(Stdio::piped())
            .stdout(Stdio::piped())
            .stderr(Stdio::piped())
            .spawn()
            .expect("gcc was there before");
        let mut input = gcc.stdin.take().expect("piped");
        let mut text = [source, b"\n"].concat();
        for question in questions {
            text.extend_from_slice(question.checks.as_bytes());
        }
        // On a thread of its own, so that neither side waits for the other with a full pipe.
        let writer = std::thread::spawn(move || input.write_all(&text));
        let output = gcc.wait_with_output().expect("gcc ends");
        let _ = writer.join();
        let errors = String::from_utf8_lossy(&output.stderr).into_owned();
        let assembly = String::from_utf8_lossy(&output.stdout).into_owned();
        (output.status.success().then_some(assembly), errors)
    }

    fn compare_probes(&mut self, name: &str, assembly: &str, probes: &[Probe]) {
        for Probe { label, bytes, what } in probes {
            let found = data_of(assembly, label);
            if found.as_ref() != Some(bytes) {
                self.mismatches.push(format!("{name}: {what} is {bytes:x?}, not {found:x?}"));
            }
            self.bit_fields += 1;
        }
    }
}

fn question(program: &Program, record: &Record, number: usize) -> Question {
    let keyword = match record.kind {
        RecordKind::Struct => "struct",
        RecordKind::Union => "union",
    };
    let tag = format!("{keyword} {}", record.name);
    let Record { size, alignment, .. } = record;
    let mut leaves = Vec::new();
    add_leaves(program, record, "", 0, &mut leaves);
    let mut checks = String::new();
    let mut assert = |condition: String| {
        let _ = writeln!(checks, "_Static_assert({condition}, \"{tag}\");");
    };
    assert(format!("sizeof({tag}) == {size}"));
    assert(format!("_Alignof({tag}) == {alignment}"));
    for leaf in leaves.iter().filter(|leaf| leaf.bits.is_none()) {
        assert(format!("__builtin_offsetof({tag}, {}) == {}", leaf.path, leaf.offset));
    }
    let mut probes = Vec::new();
    for leaf in &leaves {
        let Some(bits) = leaf.bits else { continue };
        let label = format!("heapwright_probe_{number}_{}", probes.len());
        let _ = writeln!(checks, "{tag} {label} = {{ .{} = -1 }};", leaf.path);
        let what = format!("{tag}.{}", leaf.path);
        probes.push(Probe { label, bytes: ones(record.size, leaf.offset, bits), what });
    }
    Question { tag, checks, fields: leaves.len() - probes.len(), probes }
}

/// All fields that have a name, those of anonymous members and of nested records among them.
fn add_leaves(
    program: &Program,
    record: &Record,
    prefix: &str,
    start: u64,
    leaves: &mut Vec<Leaf>,
) {
    for field in &record.fields {
        let offset = start + field.offset;
        let inner = match field.name.as_str() {
            "" => prefix.to_owned(),
            name => {
                let path = format!("{prefix}{name}");
                leaves.push(Leaf { path: path.clone(), offset, bits: field.bits });
                format!("{path}{}.", indices(program, field.ty))
            }
        };
        // A tagged record is compared by itself.
        if let Type::Record(nested) = program.types.get(element(program, field.ty)) {
            let nested = program.types.record(*nested);
            if field.name.is_empty() || nested.name.starts_with("anonymous") {
                add_leaves(program, nested, &inner, offset, leaves);
            }
        }
    }
}

/// The type of the elements of an array of arrays.
fn element(program: &Program, ty: TypeId) -> TypeId {
    match program.types.get(ty) {
        Type::Array { element: inner, .. } => element(program, *inner),
        _ => ty,
    }
}

/// `[0][0]` for an array of arrays.
fn indices(program: &Program, ty: TypeId) -> String {
    match program.types.get(ty) {
        Type::Array { element, .. } => format!("[0]{}", indices(program, *element)),
        _ => String::new(),
    }
}

/// The bytes of an object in which only these bits are set.
fn ones(size: u64, offset: u64, bits: BitRange) -> Vec<u8> {
    let mut bytes = vec![0; size as usize];
    let first = 8 * offset + u64::from(bits.offset);
    for bit in first..first + u64::from(bits.width) {
        bytes[(bit / 8) as usize] |= 1 << (bit % 8);
    }
    bytes
}

/// The bytes that assembly text puts behind a label.
fn data_of(assembly: &str, label: &str) -> Option<Vec<u8>> {
    let start = format!("{label}:");
    let mut lines = assembly.lines().skip_while(|line| *line != start);
    lines.next()?;
    let mut bytes = Vec::new();
    for line in lines {
        let mut words = line.split_whitespace();
        let (Some(directive), Some(value)) = (words.next(), words.next()) else { break };
        let size = match directive {
            ".byte" => 1,
            ".value" | ".short" => 2,
            ".long" => 4,
            ".quad" => 8,
            ".zero" => {
                bytes.resize(bytes.len() + value.parse::<usize>().ok()?, 0);
                continue;
            }
            _ => break,
        };
        let number = value.parse::<i128>().ok()?;
        bytes.extend_from_slice(&number.to_le_bytes()[..size]);
    }
    Some(bytes)
}
