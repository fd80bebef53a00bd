//! Composing a program from scenes: each scene becomes a function, its verbs a random nest of
//! statements, and functions call one another. A counter of fuel bounds the running time.

use super::AUTHORS;
use super::blocks::BLOCK_FAULTS;
use super::numbers;
use super::scene::{INTEGER_TYPES, PlantedFault, Scene};
use crate::program::{DataModel, GeneratedProgram, fault_marker};
use crate::random::Random;
use crate::text::{fill, indent};

/// A well-defined program that frees all it allocates.
pub fn clean_program(seed: u64, data_model: DataModel) -> GeneratedProgram {
    compose(Random::new(seed), data_model, None)
}

/// A program that commits exactly one fault; the faulty line bears the marker.
pub fn faulty_program(seed: u64, data_model: DataModel) -> GeneratedProgram {
    let mut random = Random::new(seed ^ 0xFA17);
    let host = random.below(MOST_PARTS);
    compose(random, data_model, Some(host))
}

const MOST_PARTS: usize = 4;

/// Writes a program; `host` is the part that gets a fault, counted modulo the number of parts.
fn compose(random: Random, data_model: DataModel, host: Option<usize>) -> GeneratedProgram {
    let mut composer = Composer { random, runs: Vec::new(), labels: 0 };
    let count = composer.random.between(1, MOST_PARTS);
    let host = host.map(|host| host % count);
    let mut source = composer.prelude();
    let mut calls = Vec::new();
    for number in 0..count {
        let prefix = format!("p{number}");
        let scene = composer.scene(&prefix, data_model);
        let is_host = host == Some(number);
        source += &composer.part(&prefix, scene, is_host);
        if is_host {
            calls.push(composer.certainly(&format!("mix((unsigned int){prefix}_run(0));")));
        } else {
            // The host must not be reached before its turn, so only other parts may be called.
            let run = format!("{prefix}_run");
            calls.push(composer.call_of(&run));
            composer.runs.push(run);
        }
    }
    source += &composer.main(&calls);
    GeneratedProgram::from_source(indent(&source))
}

struct Composer {
    random: Random,
    /// The functions of the parts so far; later parts may call them.
    runs: Vec<String>,
    /// Labels and loop counters handed out, to keep them apart.
    labels: usize,
}

const PRELUDE: &str = "
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <stdarg.h>
#include <stddef.h>
static unsigned int checksum = $a;
static unsigned int random_state = $b;
static int fuel = $f;
static void mix(unsigned int value) {
checksum = (checksum ^ value) * 16777619u + $c;
}
static unsigned int next_random(void) {
random_state = random_state * 1103515245u + 12345u;
return random_state >> 16 & 0x7fffu;
}
";

const PART: &str = "
static int $p_run(int level) {
$guard
$setup
$steps
$teardown
printf(\"$p %u\\n\", checksum);
return (int)(checksum % 97u);
}
";

impl Composer {
    fn prelude(&mut self) -> String {
        let [a, b, c] = [(); 3].map(|()| format!("{}u", self.random.bits() as u32));
        let fuel = self.random.between(8, 25).to_string();
        let values = [("a", a.as_str()), ("b", &b), ("c", &c), ("f", &fuel)];
        fill(PRELUDE, &values)
    }

    fn scene(&mut self, prefix: &str, data_model: DataModel) -> Scene {
        match self.random.below(AUTHORS.len() + 1) {
            index if index < AUTHORS.len() => AUTHORS[index](&mut self.random, prefix),
            _ => numbers::numbers(&mut self.random, prefix, data_model),
        }
    }

    /// The declarations of a scene and the function that plays it.
    fn part(&mut self, prefix: &str, scene: Scene, is_host: bool) -> String {
        let mut part = Part { helpers: Vec::new(), scene };
        let length = self.random.between(3, 9);
        let mut steps: Vec<String> = (0..length).map(|_| self.statement(&mut part, 0)).collect();
        if is_host {
            let fault = self.plant(&mut part);
            let position = self.random.between(0, steps.len());
            steps.insert(position, fault);
        }
        let guard = if is_host { "" } else { "if (fuel-- <= 0) return level;" };
        let names = self.names(&part, Draw::Varied);
        let setup = fill(part.scene.setup, &borrowed(&names));
        let teardown = fill(part.scene.teardown, &borrowed(&names));
        let values = [
            ("p", prefix),
            ("guard", guard),
            ("setup", &setup),
            ("steps", &steps.join("\n")),
            ("teardown", &teardown),
        ];
        part.scene.declarations + &part.helpers.join("\n") + &fill(PART, &values)
    }

    /// One statement of a part's body, possibly with others nested in it.
    fn statement(&mut self, part: &mut Part, depth: usize) -> String {
        match self.random.below(100) {
            0..60 => self.act(part),
            60..85 if depth < 2 => self.nest(part, depth),
            85..92 if !self.runs.is_empty() => self.call(),
            92..100 => self.noise(),
            _ => self.act(part),
        }
    }

    /// One verb of the scene.
    fn act(&mut self, part: &mut Part) -> String {
        let verb = self.random.pick(part.scene.verbs);
        let names = self.names(part, Draw::Varied);
        part.declare(fill(verb.helper, &borrowed(&names)));
        fill(verb.statement, &borrowed(&names))
    }

    /// A control structure around further statements.
    fn nest(&mut self, part: &mut Part, depth: usize) -> String {
        let body = self.statements(part, depth + 1);
        let other = self.statements(part, depth + 1);
        let condition = self.condition();
        let values = [
            ("body", body),
            ("other", other),
            ("condition", condition),
            ("k", self.random.between(1, 4).to_string()),
            ("i", self.fresh("turn")),
            ("l", self.fresh("label")),
            ("t", self.random.pick(&INTEGER_TYPES).to_owned()),
        ];
        fill(self.random.pick(&NESTS), &borrowed(&values))
    }

    fn statements(&mut self, part: &mut Part, depth: usize) -> String {
        let length = self.random.between(1, 3);
        let statements: Vec<String> = (0..length).map(|_| self.statement(part, depth)).collect();
        statements.join("\n")
    }

    fn condition(&mut self) -> String {
        const CONDITIONS: [&str; 8] = [
            "checksum % 2u",
            "next_random() % 3u == 0",
            "level > 0",
            "fuel > 5 && checksum & 4u",
            "!(checksum & 8u) || level == 1",
            "(int)checksum < 0",
            "(next_random() & 3u) < (checksum & 3u)",
            "(unsigned char)checksum > 100",
        ];
        self.random.pick(&CONDITIONS).to_owned()
    }

    /// A call of a part that was written before; there is one.
    fn call(&mut self) -> String {
        let run = self.random.pick(&self.runs);
        self.call_of(&run)
    }

    fn call_of(&mut self, run: &str) -> String {
        let template = self.random.pick(&CALLS);
        fill(template, &[("run", run), ("i", &self.fresh("part"))])
    }

    /// Output that has nothing to do with the structure.
    fn noise(&mut self) -> String {
        let k = self.random.between(1, 99).to_string();
        fill(self.random.pick(&NOISES), &[("k", &k)])
    }

    /// The host's fault: one of its scene's own, or one on a block of its own.
    fn plant(&mut self, part: &mut Part) -> String {
        let own = part.scene.faults;
        let is_own = !own.is_empty() && self.random.percent(60);
        let fault: PlantedFault = self.random.pick(if is_own { own } else { BLOCK_FAULTS });
        let mut names = vec![
            ("fault", fault_marker(fault.kind)),
            ("t", self.random.pick(&INTEGER_TYPES).to_owned()),
            ("n", self.random.between(1, 12).to_string()),
        ];
        // Constants only: a fault must not depend on what happened before.
        names.extend(self.names(part, Draw::Constant));
        part.declare(fill(fault.helper, &borrowed(&names)));
        let statement = fill(fault.statement, &borrowed(&names));
        self.certainly(&statement)
    }

    /// Wraps a statement without making it depend on anything.
    fn certainly(&mut self, statement: &str) -> String {
        let values = [
            ("body", statement.to_owned()),
            ("k", self.random.between(1, 4).to_string()),
            ("i", self.fresh("turn")),
            ("l", self.fresh("label")),
        ];
        fill(self.random.pick(&CERTAIN_NESTS), &borrowed(&values))
    }

    /// The names of a scene together with fresh values.
    fn names(&mut self, part: &Part, draw: Draw) -> Vec<(&'static str, String)> {
        let mut names = part.scene.names.clone();
        names.push(("v", self.value(draw)));
        names.push(("w", self.value(draw)));
        names.push(("k", self.random.between(1, 6).to_string()));
        names
    }

    /// An expression of type `int` with a value in 0..1000.
    fn value(&mut self, draw: Draw) -> String {
        let constant = self.random.below(1000);
        let limit = self.random.between(2, 300);
        match (draw, self.random.below(10)) {
            (Draw::Varied, 0..4) => format!("(int)(next_random() % {limit}u)"),
            (Draw::Varied, 4..6) => format!("(int)(checksum % {limit}u)"),
            (Draw::Varied, 6) => format!("(level * 3 + {limit})"),
            (Draw::Varied | Draw::Constant, _) => constant.to_string(),
        }
    }

    fn fresh(&mut self, stem: &str) -> String {
        self.labels += 1;
        format!("{stem}{}", self.labels)
    }

    fn main(&mut self, calls: &[String]) -> String {
        let end = self.random.pick(&["return", "exit"]);
        let calls = calls.join("\n");
        format!(
            "int main(void) {{\nint level = 0;\n{calls}\nprintf(\"end %u\\n\", checksum);\n\
             {end}((int)(checksum % 100u));\n}}\n"
        )
    }
}

/// Whether values may differ from run to run of a statement.
#[derive(Clone, Copy)]
enum Draw {
    Varied,
    Constant,
}

/// A scene being turned into a function.
struct Part {
    scene: Scene,
    helpers: Vec<String>,
}

impl Part {
    /// Adds helper functions once.
    fn declare(&mut self, helper: String) {
        if !helper.is_empty() && !self.helpers.contains(&helper) {
            self.helpers.push(helper);
        }
    }
}

fn borrowed<'v>(values: &'v [(&'static str, String)]) -> Vec<(&'static str, &'v str)> {
    values.iter().map(|(name, value)| (*name, value.as_str())).collect()
}

/// Control structures around `$body` and `$other`.
const NESTS: [&str; 9] = [
    "for (int $i = 0; $i < $k; $i++) {\n$body\n}",
    "if ($condition) {\n$body\n} else {\n$other\n}",
    "if ($condition) {\n$body\n}",
    "switch (checksum % 5u) {\ncase 0: case 3: {\n$body\n}\nbreak;\ncase 1: {\n$other\n}\n\
     /* fall through */\ndefault: mix($k);\n}",
    "{\nint $i = 0;\ndo {\n$body\n} while (++$i < $k);\n}",
    "for (unsigned char $i = 0;;) {\nif ($i++ >= $k) break;\nif ($i == 2) continue;\n$body\n}",
    "if ($condition) goto $l;\n$body\n$l:\nmix($k);",
    "{\n$t local = $k;\nlocal += 3;\n$body\nmix((unsigned int)local);\n}",
    "{\nlong $i = $k;\nwhile ($i-- > 0) {\nif ($i & 1) {\n$body\n} else mix((unsigned int)$i);\n}\n}",
];

/// Control structures that surely run `$body`.
const CERTAIN_NESTS: [&str; 6] = [
    "$body",
    "for (int $i = 0; $i <= $k; $i++) {\nif ($i < $k) continue;\n$body\n}",
    "switch ($k) {\ncase $k: {\n$body\n}\nbreak;\ndefault: mix(1u);\n}",
    "do {\n$body\n} while (0);",
    "goto $l;\nmix(2u);\n$l:\nmix($k);\n{\n$body\n}",
    "if (level >= 0 || checksum) {\n$body\n}",
];

const CALLS: [&str; 3] = [
    "mix((unsigned int)$run(level + 1));",
    "if (level < 2) printf(\"%d\\n\", $run(level + 1));",
    "{\nint (*$i)(int) = $run;\nmix((unsigned int)(level < 3 ? $i(level + 1) : level));\n}",
];

const NOISES: [&str; 8] = [
    "printf(\"%d %u\\n\", (int)(checksum % 1000u) - 500, checksum);",
    "printf(\"%ld %lu\\n\", (long)level - $k, (unsigned long)checksum * $k);",
    "printf(\"%llu %lld\\n\", (unsigned long long)checksum << 20, -(long long)checksum);",
    "printf(\"%x %X %o\\n\", checksum, ~checksum, checksum & 0777u);",
    "printf(\"%c%s%%\\n\", 'a' + (int)(checksum % 26u), checksum & 1u ? \"odd\" : \"even\");",
    "printf(\"%5d|%-4u|%04x|%03d\\n\", $k - 50, $k & 7u, checksum & 0xffffu, level);",
    "printf(\"%hhd %hu\\n\", (signed char)checksum, (unsigned short)checksum);",
    "putchar('a' + $k % 26);\nputs(\"!\");",
];
