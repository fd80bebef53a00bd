//! Plausible inputs from the environment: what a stream, a clock or a command line would give. Random
//! numbers seldom look like text, and most programs stop at once when their input is no text.

/// A value that the environment would give under this name; `None` for names that say nothing.
pub(super) fn plausible(name: &str, random: u64) -> Option<u128> {
    let rest = u128::from(random >> 8);
    Some(match name {
        "getchar" | "character" | "fgetws" => match random % 24 {
            // The end: what is no character counts as that.
            0 if name != "character" => u128::MAX,
            0..=3 => u128::from(b'\n'),
            4..=6 => u128::from(b' '),
            7..=15 => u128::from(b'0') + rest % 10,
            _ => u128::from(b'a') + rest % 26,
        },
        // Mostly, all conversions succeed.
        "scanned" if random.is_multiple_of(8) => u128::MAX,
        "scanned" => 1 << 20,
        "scanf" => match random % 4 {
            0 => rest % 1000,
            1 => (rest % 10).wrapping_neg(),
            _ => rest % 10,
        },
        "argc" => 1 + rest % 4,
        "length" => rest % 12,
        "fopen" | "setlocale" => u128::from(!random.is_multiple_of(8)),
        "getenv" | "fclose" | "clock_fails" | "date_fails" | "failure" => {
            u128::from(random.is_multiple_of(8))
        }
        "time" | "seconds" => 1_700_000_000 + rest % 100_000_000,
        "clock" => rest % 10_000_000,
        _ => return None,
    })
}

#[cfg(test)]
mod tests {
    use super::plausible;

    #[test]
    fn text_is_made_of_characters_and_ends() {
        let drawn: Vec<u128> = (0..96).filter_map(|seed| plausible("getchar", seed)).collect();
        assert!(drawn.contains(&u128::MAX) && drawn.contains(&u128::from(b'\n')));
        assert!(drawn.iter().all(|&value| value < 128 || value == u128::MAX));
    }

    #[test]
    fn the_inputs_of_verification_tasks_are_not_guessed() {
        assert_eq!(plausible("__VERIFIER_nondet_int", 5), None);
    }
}
