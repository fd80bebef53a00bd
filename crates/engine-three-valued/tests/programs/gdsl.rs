//! The programs of the paper's table, with clients of our own: lists and trees of any size, linked, inserted
//! into, removed from and rotated by a library. They are part of the corpus, which may be missing.

use std::path::{Path, PathBuf};
use std::time::Duration;

use heapwright_engine::{Deadline, Task};
use heapwright_engine_three_valued::{Choice, Outcome, Refined, ThreeValuedEngine, refine_shapes};
use heapwright_frontend::{Settings, Source, World, load};
use heapwright_program::DataModel;
use heapwright_property::{Property, Specification};

/// How many structures TVLA makes with the families that suffice, on models of six of the programs.
const WITH_TVLA: [(&str, u64); 6] = [
    ("acyclic_list_insert_before", 1_220),
    ("bintree_rotate_left", 3_949),
    ("bintree_rotate_left_right", 9_677),
    ("cancel_list_insert_before", 530),
    ("treep_rotate_left", 1_872),
    ("treep_rotate_left_right", 18_343),
];

/// The files of the folder, in order; none where there is no corpus.
#[expect(clippy::print_stderr, reason = "whoever runs the tests shall know what was not tried")]
fn files() -> Vec<PathBuf> {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../../shared/corpus/gdsl");
    let Ok(entries) = std::fs::read_dir(&folder) else {
        eprintln!("skipped: there is no {}", folder.display());
        return Vec::new();
    };
    let mut files: Vec<PathBuf> = entries.flatten().map(|entry| entry.path()).collect();
    files.retain(|file| file.extension().is_some_and(|it| it == "c"));
    files.sort();
    files
}

fn name(file: &Path) -> String {
    file.file_stem().expect("a file").to_string_lossy().into_owned()
}

fn refined(file: &Path, property: Property, choice: Choice) -> Refined {
    let text = std::fs::read_to_string(file).expect("it is there");
    let settings = Settings { world: World::Modelled, ..Settings::new(DataModel::Lp64) };
    let program = load(&[Source::new(name(file), text)], &settings).expect("C").program;
    let task = Task::new(program, Specification::of_property(property), false);
    let engine = ThreeValuedEngine { choice, ..ThreeValuedEngine::default() };
    refine_shapes(&task, &engine, &Deadline::after(Duration::from_secs(600)))
}

#[test]
fn every_program_is_proved_or_refuted_and_makes_fewer_structures_than_tvla() {
    for file in files() {
        let found = refined(&file, Property::UnreachCall, Choice::Samples);
        let expected = match name(&file).ends_with("_bug") {
            true => Outcome::Refuted,
            false => Outcome::Proved { is_checked: true },
        };
        assert_eq!(found.outcome, expected, "{}", name(&file));
        let made = found.costs.last_structures;
        let most = WITH_TVLA.iter().find(|(known, _)| *known == name(&file));
        assert!(most.is_none_or(|(_, most)| made <= *most), "{}: {made}", name(&file));
    }
}

#[test]
fn with_all_families_and_with_the_class_given() {
    let rotations = files().into_iter().filter(|it| name(it).ends_with("_rotate_left"));
    for file in rotations {
        let largest = refined(&file, Property::UnreachCall, Choice::Largest);
        assert_eq!(largest.outcome, Outcome::Proved { is_checked: true }, "{}", name(&file));
        let class = largest.class.expect("trees need one");
        let given = Choice::Given { class: class.name, offsets: class.offsets };
        let given = refined(&file, Property::UnreachCall, given);
        assert_eq!(given.outcome, Outcome::Proved { is_checked: true }, "{}", name(&file));
    }
}

#[test]
fn no_block_of_a_list_or_of_a_rotated_tree_is_lost() {
    let is_single =
        |file: &PathBuf| !name(file).ends_with("_bug") && !name(file).ends_with("_left_right");
    for file in files().into_iter().filter(is_single) {
        let found = refined(&file, Property::ValidMemsafety, Choice::Samples);
        assert_eq!(found.outcome, Outcome::Proved { is_checked: true }, "{}", name(&file));
    }
}
