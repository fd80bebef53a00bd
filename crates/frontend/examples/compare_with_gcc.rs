//! How much slower the interpreter is than `gcc -O0`, on list, tree and arithmetic programs:
//! `cargo run --release -p heapwright-frontend --example compare_with_gcc`. Both run in turns, the
//! best of three counts, and the interpreter's time is that of the run without the loading.
#![allow(clippy::print_stdout, reason = "its output is its purpose")]

use std::error::Error;
use std::path::Path;
use std::process::{Command, Stdio};
use std::time::{Duration, Instant};

use heapwright_frontend::{Settings, Source, load};
use heapwright_interpreter::{Environment, Executable, ListedInputs, Machine, Outcome};
use heapwright_program::DataModel;

const ROUNDS: usize = 3;

const PROGRAMS: [(&str, &str); 5] = [
    ("list", LIST),
    ("tree", TREE),
    ("arithmetic", ARITHMETIC),
    ("array", ARRAY),
    ("calls", CALLS),
];

/// Builds, reverses, sums and frees a list, again and again.
const LIST: &str = "
#include <stdlib.h>
struct node { struct node *next; long value; };
int main(void) {
    long sum = 0;
    for (int round = 0; round < 60; round++) {
        struct node *head = 0;
        for (int i = 0; i < 20000; i++) {
            struct node *fresh = malloc(sizeof *fresh);
            fresh->value = i;
            fresh->next = head;
            head = fresh;
        }
        struct node *reversed = 0;
        while (head) {
            struct node *next = head->next;
            head->next = reversed;
            reversed = head;
            head = next;
        }
        for (int pass = 0; pass < 5; pass++)
            for (struct node *p = reversed; p; p = p->next)
                sum += p->value;
        while (reversed) {
            struct node *next = reversed->next;
            free(reversed);
            reversed = next;
        }
    }
    return sum != 60l * 5 * 19999 * 10000;
}
";

/// Fills a binary search tree, looks everything up, and frees it.
const TREE: &str = "
#include <stdlib.h>
struct tree { struct tree *left, *right; unsigned key; };
static unsigned state = 1;
static unsigned next(void) { return state = state * 1664525u + 1013904223u; }
static struct tree *insert(struct tree *t, unsigned key) {
    if (!t) {
        t = malloc(sizeof *t);
        t->left = t->right = 0;
        t->key = key;
    } else if (key < t->key)
        t->left = insert(t->left, key);
    else if (key > t->key)
        t->right = insert(t->right, key);
    return t;
}
static int has(struct tree *t, unsigned key) {
    while (t && t->key != key)
        t = key < t->key ? t->left : t->right;
    return t != 0;
}
static void drop(struct tree *t) {
    if (t) {
        drop(t->left);
        drop(t->right);
        free(t);
    }
}
int main(void) {
    int found = 0;
    for (int round = 0; round < 8; round++) {
        struct tree *root = 0;
        unsigned start = state;
        for (int i = 0; i < 20000; i++)
            root = insert(root, next());
        state = start;
        for (int i = 0; i < 20000; i++)
            found += has(root, next());
        drop(root);
    }
    return found != 160000;
}
";

/// Numbers only: remainders, shifts, 64-bit products.
const ARITHMETIC: &str = "
int main(void) {
    unsigned long long x = 88172645463325252ull, sum = 0;
    for (int i = 0; i < 10000000; i++) {
        x ^= x << 13;
        x ^= x >> 7;
        x ^= x << 17;
        sum += (x % 1000) * (i & 15);
    }
    return sum == 0;
}
";

/// The sieve of Eratosthenes and a sum over a table.
const ARRAY: &str = "
static unsigned char composite[2000000];
int main(void) {
    int primes = 0;
    for (int round = 0; round < 3; round++) {
        for (int i = 0; i < 2000000; i++)
            composite[i] = 0;
        for (int i = 2; i < 2000000; i++) {
            if (composite[i])
                continue;
            primes++;
            for (long j = (long)i * i; j < 2000000; j += i)
                composite[j] = 1;
        }
    }
    return primes != 3 * 148933;
}
";

const CALLS: &str = "
static int fibonacci(int n) { return n < 2 ? n : fibonacci(n - 1) + fibonacci(n - 2); }
int main(void) { return fibonacci(32) != 2178309; }
";

fn main() -> Result<(), Box<dyn Error>> {
    let folder = std::env::temp_dir().join(format!("heapwright-compare-{}", std::process::id()));
    std::fs::create_dir_all(&folder)?;
    println!("{:12} {:>9} {:>12} {:>8} {:>9}", "program", "gcc -O0", "interpreter", "ratio", "M/s");
    for (name, text) in PROGRAMS {
        let native = compile(&folder, name, text)?;
        let settings = Settings::new(DataModel::Lp64);
        let program = load(&[Source::new(format!("{name}.c"), text)], &settings)?.program;
        let run_settings = heapwright_interpreter::Settings::default();
        let executable = Executable::compile(&program, &run_settings.compile);
        let (mut best_native, mut best_own) = (Duration::MAX, Duration::MAX);
        let mut steps = 0;
        for _ in 0..ROUNDS {
            let start = Instant::now();
            let status = Command::new(&native).stdout(Stdio::null()).status()?;
            best_native = best_native.min(start.elapsed());
            assert!(status.success(), "{name} fails: {status}");
            let start = Instant::now();
            let environment = Environment::silent(ListedInputs::new(Vec::new()));
            let report = Machine::new(&executable, &run_settings, environment).run();
            best_own = best_own.min(start.elapsed());
            assert_eq!(report.outcome, Outcome::Exited(0), "{name}");
            steps = report.steps;
        }
        let (native, own) = (best_native.as_secs_f64(), best_own.as_secs_f64());
        let speed = steps as f64 / own / 1e6;
        println!("{name:12} {native:8.3}s {own:11.3}s {:8.1} {speed:9.0}", own / native);
    }
    std::fs::remove_dir_all(&folder)?;
    Ok(())
}

fn compile(folder: &Path, name: &str, text: &str) -> Result<std::path::PathBuf, Box<dyn Error>> {
    let source = folder.join(format!("{name}.c"));
    std::fs::write(&source, text)?;
    let executable = folder.join(name);
    let status =
        Command::new("gcc").args(["-O0", "-w", "-o"]).arg(&executable).arg(&source).status()?;
    if !status.success() {
        return Err(format!("gcc cannot compile {name}").into());
    }
    Ok(executable)
}
