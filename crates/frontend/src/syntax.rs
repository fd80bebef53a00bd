//! C text to a typed tree, by the rucc front end. This file and `lower/` are the only ones that
//! know its types.

use std::io;
use std::panic::{AssertUnwindSafe, catch_unwind};
use std::path::Path;

use heapwright_program::{DataModel, SignedOverflow};
use rucc_ast::{Ast, Derived};
use rucc_base::Interner;
use rucc_diag::{SourceBytes, SourceMap, Span};
use rucc_lex::{Convert, Keywords, convert};
use rucc_pp::{Predef, Preprocessor};
use rucc_sema::{Checker, Tast};
use rucc_session::{FileSystem, Preinclude, SearchPath, Std};
use rucc_target::{TargetInfo, Triple};
use rucc_types::Types;
use rustc_hash::FxHashMap;

use crate::diagnostic::{Diagnostic, InputError, Position, Severity};
use crate::settings::{Settings, Source, Standard};

/// One translation unit after type checking.
pub(crate) struct Unit {
    pub(crate) name: String,
    pub(crate) is_model: bool,
    /// What becomes of executions that overflow in this unit.
    pub(crate) signed_overflow: SignedOverflow,
    pub(crate) tast: Tast,
    pub(crate) types: Types,
    pub(crate) names: Interner,
    pub(crate) sources: SourceMap,
    pub(crate) target: TargetInfo,
    pub(crate) warnings: Vec<Diagnostic>,
    /// The names of the parameters of functions that are declared, which types do not keep.
    pub(crate) parameter_names: FxHashMap<String, Vec<String>>,
}

/// Our own models are of one version, whatever the program is.
fn standard_of(source: &Source, settings: &Settings) -> Std {
    match if source.is_model { Standard::default() } else { settings.standard } {
        Standard::C89 => Std::C89,
        Standard::C99 => Std::C99,
        Standard::C11 => Std::C11,
        Standard::C17 => Std::C17,
        Standard::C23 => Std::C23,
    }
}

/// Reads, preprocesses, parses and type-checks one file.
pub(crate) fn read_unit(source: &Source, settings: &Settings) -> Result<Unit, InputError> {
    // The front end is young: should it panic on some input, the user still gets an error with
    // the file's name, and the other files of a run are not lost.
    catch_unwind(AssertUnwindSafe(|| check(source, settings))).unwrap_or_else(|panic| {
        let message = panic
            .downcast_ref::<String>()
            .map(String::as_str)
            .or_else(|| panic.downcast_ref::<&str>().copied())
            .unwrap_or("no message");
        Err(InputError::new(format!(
            "{}: the C front end gave up on this file (internal error: {message}); please report it",
            source.name
        )))
    })
}

fn check(source: &Source, settings: &Settings) -> Result<Unit, InputError> {
    let target = target_of(settings.model);
    let standard = standard_of(source, settings);
    let mut names = Interner::new();
    let keywords = Keywords::new(&mut names, standard, true);
    let mut sources = SourceMap::new();
    let mut found = Vec::new();
    let tokens = preprocess(source, settings, &target, &mut names, &mut sources, &mut found)?;
    stop_on_errors(&found, &sources)?;

    let convert_context = Convert {
        keywords: &keywords,
        interner: &names,
        target: &target,
        std: standard,
        gnu: true,
        pedantic: false,
    };
    let pp_tokens: Vec<_> = tokens.into_iter().map(rucc_pp::Tok::to_pp).collect();
    let (tokens, diagnostics) = convert(&pp_tokens, &convert_context);
    found.extend(diagnostics);
    stop_on_errors(&found, &sources)?;

    let parsed = rucc_parse::parse(&tokens, rucc_parse::Context::new(&names, standard));
    found.extend(parsed.diagnostics);
    stop_on_errors(&found, &sources)?;

    let mut context = rucc_sema::Context::new(&names, &target, standard);
    // Implicit declarations and incompatible pointers are warnings, as compilers had them when
    // most of these programs were written.
    context.permissive = true;
    let mut checker = Checker::new(&parsed.ast, context);
    checker.check_unit();
    let checked = checker.finish();
    found.extend(checked.diagnostics);
    stop_on_errors(&found, &sources)?;

    let parameter_names = parameter_names(&parsed.ast, &names);
    let warnings = found.iter().filter_map(|item| translate(item, &sources)).collect();
    Ok(Unit {
        name: source.name.clone(),
        is_model: source.is_model,
        signed_overflow: if source.is_trusted {
            SignedOverflow::Wraps
        } else {
            settings.signed_overflow
        },
        tast: checked.tast,
        types: checked.types,
        names,
        sources,
        target,
        warnings,
        parameter_names,
    })
}

/// The names in the prototypes of the file, by function.
fn parameter_names(ast: &Ast, names: &Interner) -> FxHashMap<String, Vec<String>> {
    let mut found = FxHashMap::default();
    for &id in ast.top_level() {
        let rucc_ast::Decl::Var { declarators, .. } = ast[id] else { continue };
        for declared in &ast[declarators] {
            let declarator = ast[declared.declarator];
            let Some(function) = declarator.name else { continue };
            let Some(&Derived::Function { params, .. }) = ast[declarator.derived].first() else {
                continue;
            };
            let parameters = ast[params].iter().map(|parameter| {
                let name = ast[parameter.declarator].name;
                name.map_or("", |name| names.resolve(name)).to_owned()
            });
            found.insert(names.resolve(function).to_owned(), parameters.collect());
        }
    }
    found
}

fn preprocess(
    source: &Source,
    settings: &Settings,
    target: &TargetInfo,
    names: &mut Interner,
    sources: &mut SourceMap,
    found: &mut Vec<rucc_diag::Diagnostic>,
) -> Result<Vec<rucc_pp::Tok>, InputError> {
    let too_large = |_| InputError::new(format!("{}: the source is too large", source.name));
    let mut search = SearchPath::new();
    for folder in &source.flags.include_folders {
        search.push_bracket(folder);
    }
    search.push_system(rucc_session::runtime::DIR);
    for folder in &settings.system_folders {
        search.push_system(folder);
    }
    let files = DiskFiles;
    let mut context = rucc_pp::Context::new(names, sources, &files, &search);
    let mut preprocessor = Preprocessor::new();
    let mut tokens = Vec::new();
    if !source.is_preprocessed {
        let mut predefined = Predef::new();
        predefined.std = standard_of(source, settings);
        predefined.gnu_extensions = true;
        // gcc's older name; what the user defines comes later and wins.
        predefined.defines = vec!["__float128=_Float128".to_owned()];
        predefined.defines.extend_from_slice(&source.flags.defines);
        predefined.undefines.clone_from(&source.flags.undefines);
        // The same text must give the same program on any day.
        predefined.timestamp = rucc_pp::Timestamp::from_unix(0);
        preprocessor.predefine(target, &predefined, &mut context).map_err(too_large)?;
        let preincludes: Vec<Preinclude> = source
            .flags
            .preincludes
            .iter()
            .map(|name| Preinclude { name: name.clone(), macros_only: false })
            .collect();
        preprocessor.preinclude(&preincludes, &mut tokens, &mut context).map_err(too_large)?;
    }
    let file = context.sources.add(&source.name, source.text.clone()).map_err(too_large)?;
    tokens.extend(preprocessor.run(file, &mut context));
    found.extend(preprocessor.take_diagnostics());
    Ok(tokens)
}

fn target_of(model: DataModel) -> TargetInfo {
    let triple = match model {
        DataModel::Ilp32 => "i686-unknown-linux-gnu",
        DataModel::Lp64 => "x86_64-unknown-linux-gnu",
    };
    TargetInfo::new(triple.parse::<Triple>().expect("a triple that rucc knows"))
}

fn stop_on_errors(found: &[rucc_diag::Diagnostic], sources: &SourceMap) -> Result<(), InputError> {
    let diagnostics: Vec<Diagnostic> = found
        .iter()
        .filter(|item| item.severity.is_fatal())
        .filter_map(|item| translate(item, sources))
        .collect();
    if diagnostics.is_empty() { Ok(()) } else { Err(InputError { diagnostics }) }
}

fn translate(item: &rucc_diag::Diagnostic, sources: &SourceMap) -> Option<Diagnostic> {
    let severity = match item.severity {
        rucc_diag::Severity::Error | rucc_diag::Severity::Ice => Severity::Error,
        rucc_diag::Severity::Warning => Severity::Warning,
        rucc_diag::Severity::Note | rucc_diag::Severity::Help => Severity::Note,
    };
    Some(Diagnostic {
        severity,
        message: item.message.clone(),
        position: position(item.span, sources),
        notes: item.children.iter().filter_map(|child| translate(child, sources)).collect(),
    })
}

fn position(span: Span, sources: &SourceMap) -> Option<Position> {
    if span.is_dummy() {
        return None;
    }
    let presumed = sources.presumed(span.lo)?;
    let real = sources.lookup(span.lo)?;
    let text = sources.file(real.file).line_bytes(real.line).unwrap_or_default();
    Some(Position {
        file: presumed.name.to_owned(),
        line: presumed.line,
        column: presumed.column,
        text: String::from_utf8_lossy(text).into_owned(),
    })
}

/// The disk, as the preprocessor sees it when it looks for headers.
#[derive(Debug)]
struct DiskFiles;

impl FileSystem for DiskFiles {
    fn read(&self, path: &Path) -> io::Result<SourceBytes> {
        match std::fs::read(path) {
            // The one header that the system's own headers ask for and a system without 32-bit
            // libraries does not have; it only names functions that do not work.
            Err(_) if path.ends_with("x86_64-linux-gnu/gnu/stubs-32.h") => {
                Ok(SourceBytes::new(Vec::new()))
            }
            other => other.map(SourceBytes::new),
        }
    }
}
