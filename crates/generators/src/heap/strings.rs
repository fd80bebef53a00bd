//! Strings on the heap: building, cutting, comparing, and the functions of `string.h`.

use super::payload::node_names;
use super::scene::{PlantedFault, Scene, Verb, fault, plain, verb};
use crate::program::FaultKind;
use crate::random::Random;
use crate::text::fill;

/// A growing string, and an array of words.
pub(crate) fn strings(random: &mut Random, prefix: &str) -> Scene {
    const WORDS: [&str; 8] =
        ["heap", "a", "wright", "", "list\\n", "tab\\there", "\\x41\\102C", "long enough to grow"];
    let mut words = WORDS.to_vec();
    random.shuffle(&mut words);
    let list: Vec<String> = words.iter().take(4).map(|word| format!("\"{word}\"")).collect();
    Scene {
        names: node_names(prefix),
        declarations: fill(CORE, &[("p", prefix), ("words", &list.join(", "))]),
        setup: "
            char *text = $p_duplicate($p_words[$k % 4]);
            char buffer[32] = \"buffer\";",
        verbs: VERBS,
        teardown: "
            mix($p_hash(text) + $p_hash(buffer));
            printf(\"%s\\n\", text);
            free(text);",
        faults: FAULTS,
    }
}

const CORE: &str = "
static const char *const $p_words[4] = { $words };
static char *$p_duplicate(const char *source) {
char *copy = malloc(strlen(source) + 1);
if (!copy) abort();
return strcpy(copy, source);
}
static unsigned int $p_hash(const char *text) {
unsigned int hash = 5381;
while (*text) hash = hash * 33u ^ (unsigned char)*text++;
return hash;
}
static char *$p_join(char *left, const char *right) {
size_t length = strlen(left), more = strlen(right);
char *joined;
if (length > 60) { left[length / 2] = '\\0'; length /= 2; }
joined = realloc(left, length + more + 1);
if (!joined) abort();
memcpy(joined + length, right, more + 1);
return joined;
}
";

const VERBS: &[Verb] = &[
    plain("mix($p_hash(text));"),
    plain("text = $p_join(text, $p_words[(unsigned int)($v) % 4u]);"),
    plain("text = $p_join(text, \"$k\" \"+\");"),
    plain("printf(\"%s|%lu\\n\", text, (unsigned long)strlen(text));"),
    plain("mix((unsigned int)(strcmp(text, buffer) < 0) * 2u + (strncmp(text, buffer, $k) == 0));"),
    plain("strncpy(buffer, text, sizeof buffer - 1);\nbuffer[sizeof buffer - 1] = '\\0';"),
    plain("memset(buffer, 'a' + $k, $k);\nmix($p_hash(buffer));"),
    plain("memmove(buffer + 1, buffer, 20);\nbuffer[31] = '\\0';"),
    plain("buffer[$v % 31] = (char)('A' + $k);"),
    plain("if (text[0]) memmove(text, text + 1, strlen(text));"),
    plain("for (char *c = text; *c; c++) if (*c >= 'a' && *c <= 'z') *c = (char)(*c - 'a' + 'A');"),
    plain(
        "{\nconst char *found = strchr(text, 'e');\nmix(found ? (unsigned int)(found - text) : 99u);\n}",
    ),
    plain("mix((unsigned int)(memcmp(buffer, \"buffer\", 3) == 0));"),
    plain(
        "strcpy(buffer, $p_words[(unsigned int)($v) % 4u]);\nstrcat(buffer, \"-$k\");\nmix($p_hash(buffer));",
    ),
    verb(
        "static void $p_flip(char *text) {
         char *end = text + strlen(text);
         while (text < end && text < --end) {
         char swap = *text;
         *text++ = *end;
         *end = swap;
         }
         }",
        "$p_flip(text);",
    ),
    verb(
        "static char *$p_decimal(long number) {
         char digits[24];
         int at = sizeof digits - 1;
         unsigned long rest = number < 0 ? 0ul - (unsigned long)number : (unsigned long)number;
         digits[at] = '\\0';
         do digits[--at] = (char)('0' + rest % 10); while (rest /= 10);
         if (number < 0) digits[--at] = '-';
         return $p_duplicate(&digits[at]);
         }",
        "{
         char *digits = $p_decimal($v * -$kL);
         printf(\"%s\\n\", digits);
         text = $p_join(text, digits);
         free(digits);
         }",
    ),
    verb(
        "static unsigned int $p_split(const char *text, char separator) {
         unsigned int total = 0;
         char **parts = calloc(8, sizeof(char *));
         int count = 0;
         if (!parts) abort();
         while (*text && count < 8) {
         const char *end = text;
         while (*end && *end != separator) end++;
         parts[count] = calloc((size_t)(end - text) + 1, sizeof(char));
         if (!parts[count]) abort();
         memcpy(parts[count++], text, (size_t)(end - text));
         text = *end ? end + 1 : end;
         }
         while (count > 0) {
         total = total * 7u + (unsigned int)strlen(parts[--count]);
         free(parts[count]);
         }
         free(parts);
         return total;
         }",
        "mix($p_split(text, 'e'));",
    ),
];

const FAULTS: &[PlantedFault] = &[
    fault(
        FaultKind::OutOfBounds,
        "{
         char *tight = malloc(strlen(\"fourteen bytes\"));
         if (!tight) abort();
         strcpy(tight, \"fourteen bytes\"); $fault
         free(tight);
         }",
    ),
    fault(
        FaultKind::OutOfBounds,
        "text = $p_join(text, \"\");
         text[strlen(text) + 1] = 'x'; $fault",
    ),
    fault(
        FaultKind::OutOfBounds,
        "text = $p_join(text, \"tail\");
         text = realloc(text, strlen(text));
         if (!text) abort();
         mix((unsigned int)strlen(text)); $fault",
    ),
    fault(
        FaultKind::OutOfBounds,
        "{
         char *small = calloc($k, 1);
         if (!small) abort();
         memcpy(small, buffer, $k + 3); $fault
         free(small);
         }",
    ),
    fault(
        FaultKind::DanglingDereference,
        "free(text);
         mix((unsigned int)strlen(text)); $fault",
    ),
    fault(
        FaultKind::DanglingDereference,
        "{
         char *old = text;
         text = $p_join(text, \"more\");
         old[0] = 'x'; $fault
         }",
    ),
    fault(
        FaultKind::DoubleFree,
        "{
         char *alias = text;
         free(text);
         free(alias); $fault
         }",
    ),
    fault(FaultKind::InvalidFree, "free(buffer); $fault"),
    fault(
        FaultKind::InvalidFree,
        "text = $p_join(text, \"123456\");
         text += $k;
         free(text); $fault",
    ),
    fault(FaultKind::Leak, "text = $p_duplicate(\"fresh\"); $fault"),
    fault(
        FaultKind::NullDereference,
        "{
         char *missing = strchr(\"abc\", 'x');
         *missing = 'y'; $fault
         }",
    ),
];
