//! Integer arithmetic inside heap programs: a function of random expressions as a scene.

use super::payload::node_names;
use super::scene::{Scene, Verb, plain};
use crate::arithmetic;
use crate::program::DataModel;
use crate::random::Random;

/// A scene that calls one generated function of arithmetic.
pub(crate) fn numbers(random: &mut Random, prefix: &str, data_model: DataModel) -> Scene {
    let function = arithmetic::function(random, &format!("{prefix}_compute"), data_model);
    Scene {
        names: node_names(prefix),
        declarations: function,
        setup: "unsigned int *results = calloc(6, sizeof *results);\nif (!results) abort();",
        verbs: NUMBER_VERBS,
        teardown: "for (int i = 0; i < 6; i++) mix(results[i]);\nfree(results);",
        faults: &[],
    }
}

const NUMBER_VERBS: &[Verb] = &[
    plain("mix($p_compute($v));"),
    plain("results[$k - 1] = $p_compute($v - 500);"),
    plain("results[$k - 1] ^= $p_compute($k);"),
    plain("printf(\"%u %x\\n\", results[$k - 1], $p_compute($w));"),
];
