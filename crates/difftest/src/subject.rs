//! A subject: a C text with a question about it.

use heapwright_engine::Task;
use heapwright_frontend::{Settings, Source, load};
use heapwright_generators::random::Random;
use heapwright_program::DataModel;
use heapwright_property::{Part, Property, Specification};

/// What the engines are asked about.
#[derive(Clone, Debug)]
pub struct Subject {
    /// Where it comes from, for people.
    pub name: String,
    /// Ends in `.i` for text that is preprocessed already.
    pub file: String,
    pub text: String,
    pub model: DataModel,
    pub question: Question,
}

/// The questions that are asked; an engine may treat what nobody asks about in its own way.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Question {
    /// Assertions and memory safety.
    Everyday,
    Memsafety,
    UnreachCall,
    ValidDeref,
}

impl Question {
    /// Half of all questions are everyday ones.
    pub fn draw(random: &mut Random) -> Question {
        match random.below(8) {
            0 => Question::Memsafety,
            1 | 2 => Question::UnreachCall,
            3 => Question::ValidDeref,
            _ => Question::Everyday,
        }
    }

    /// As `--property` takes it; nothing for the usual question.
    pub fn name(self) -> Option<&'static str> {
        match self {
            Question::Everyday => None,
            Question::Memsafety => Some("valid-memsafety"),
            Question::UnreachCall => Some("unreach-call"),
            Question::ValidDeref => Some("valid-deref"),
        }
    }

    pub fn specification(self) -> Specification {
        let everyday = Specification::everyday();
        match self {
            Question::Everyday => everyday,
            Question::Memsafety => Specification::of_property(Property::ValidMemsafety),
            // Generated programs assert as well as call the error function.
            Question::UnreachCall => Specification { parts: vec![Part::UnreachCall], ..everyday },
            Question::ValidDeref => Specification { parts: vec![Part::ValidDeref], ..everyday },
        }
    }
}

impl Subject {
    /// A text with the usual question; its name tells whether it is preprocessed.
    pub fn usual(name: &str, text: &str) -> Subject {
        Subject {
            name: name.to_owned(),
            file: name.to_owned(),
            text: text.to_owned(),
            model: DataModel::Lp64,
            question: Question::Everyday,
        }
    }

    /// The same question about another text.
    pub fn with_text(&self, text: String) -> Subject {
        Subject { text, ..self.clone() }
    }

    /// The program as engines get it; `Err` for a text that is no whole program.
    pub fn task(&self) -> Result<Task, String> {
        let source = Source::new(self.file.clone(), self.text.clone());
        let settings = Settings::new(self.model);
        let program = load(&[source], &settings).map_err(|error| error.to_string())?.program;
        match program.function_named("main") {
            Some(main) if program.functions[main].body.is_some() => {
                let specification = self.question.specification();
                Ok(Task { program, specification, malloc_may_fail: false })
            }
            Some(_) | None => Err("there is no main".to_owned()),
        }
    }
}
