//! Who made a file, when, and what of: what several formats want to know.

use crate::digest::{hex, sha256};

/// The maker and the time. The time is given, so that the same answer can give the same file.
#[derive(Clone, Copy, Debug)]
pub struct Stamp<'a> {
    pub version: &'a str,
    /// Seconds since 1970.
    pub time: u64,
}

impl Stamp<'_> {
    /// `2026-11-16T13:30:00Z`
    pub(super) fn iso(&self) -> String {
        let (days, seconds) = (self.time / 86400, self.time % 86400);
        let (year, month, day) = date(days);
        let (hour, minute, second) = (seconds / 3600, seconds / 60 % 60, seconds % 60);
        format!("{year:04}-{month:02}-{day:02}T{hour:02}:{minute:02}:{second:02}Z")
    }

    /// A name that depends on nothing but the version and these words.
    pub(super) fn uuid(&self, words: &[&str]) -> String {
        let digest = hex(&sha256(format!("{}\n{}", self.version, words.join("\n")).as_bytes()));
        let variant = ["8", "9", "a", "b"][usize::from(digest.as_bytes()[16] % 4)];
        format!(
            "{}-{}-5{}-{variant}{}-{}",
            &digest[..8],
            &digest[8..12],
            &digest[13..16],
            &digest[17..20],
            &digest[20..32]
        )
    }
}

/// Year, month and day of a day since 1970, in the calendar of Gregory.
fn date(days: u64) -> (u64, u64, u64) {
    // Years begin in March here, so that a leap day is the last day of one.
    let shifted = days + 719_468;
    let (era, of_era) = (shifted / 146_097, shifted % 146_097);
    let year_of_era = (of_era - of_era / 1460 + of_era / 36_524 - of_era / 146_096) / 365;
    let of_year = of_era - (365 * year_of_era + year_of_era / 4 - year_of_era / 100);
    let month = (5 * of_year + 2) / 153;
    let day = of_year - (153 * month + 2) / 5 + 1;
    let month = if month < 10 { month + 3 } else { month - 9 };
    (year_of_era + era * 400 + u64::from(month <= 2), month, day)
}

/// The hash of a file; of nothing where it cannot be read.
pub(super) fn file_hash(path: &str) -> Option<String> {
    std::fs::read(path).ok().map(|bytes| hex(&sha256(&bytes)))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn times_are_written_as_the_calendar_has_them() {
        let iso = |time| Stamp { version: "1", time }.iso();
        assert_eq!(iso(0), "1970-01-01T00:00:00Z");
        assert_eq!(iso(951_782_400), "2000-02-29T00:00:00Z");
        assert_eq!(iso(1_794_835_845), "2026-11-16T13:30:45Z");
    }

    #[test]
    fn names_depend_on_their_words_alone() {
        let stamp = Stamp { version: "1", time: 7 };
        assert_eq!(stamp.uuid(&["a"]), Stamp { version: "1", time: 9 }.uuid(&["a"]));
        assert_ne!(stamp.uuid(&["a"]), stamp.uuid(&["b"]));
        assert_eq!(stamp.uuid(&["a"]).len(), 36);
    }
}
