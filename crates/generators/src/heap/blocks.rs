//! Faults on blocks of their own, for any place in any program.
//! Sizes respect what AddressSanitizer can see: an access stays within the red zone of its block
//! (16 bytes behind small blocks, 64 behind blocks of 112 to 432 bytes).

use super::scene::{PlantedFault, fault};
use crate::program::FaultKind;

/// Templates with `$t` an integer type, `$n` a count in 1..=12, besides the usual names.
pub(crate) const BLOCK_FAULTS: &[PlantedFault] = &[
    fault(
        FaultKind::OutOfBounds,
        "{
         $t *block = calloc($n, sizeof *block);
         if (!block) abort();
         for (int i = 0; i <= $n; i++)
         block[i] = ($t)(i + $k); $fault
         free(block);
         }",
    ),
    fault(
        FaultKind::OutOfBounds,
        "{
         $t *block = calloc($n, sizeof *block);
         if (!block) abort();
         mix((unsigned int)block[-1]); $fault
         free(block);
         }",
    ),
    fault(
        FaultKind::OutOfBounds,
        "{
         int *block = calloc(40, sizeof *block);
         if (!block) abort();
         block[40 + $k * 2] += $v; $fault
         free(block);
         }",
    ),
    fault(
        FaultKind::OutOfBounds,
        "{
         unsigned char source[64] = {1}, *block = malloc($n);
         if (!block) abort();
         memcpy(block, source, $n + $k); $fault
         free(block);
         }",
    ),
    fault(
        FaultKind::OutOfBounds,
        "{
         unsigned char target[64] = {0}, *block = calloc(1, $n);
         if (!block) abort();
         memmove(target, block, $n + 1); $fault
         free(block);
         }",
    ),
    fault(
        FaultKind::OutOfBounds,
        "{
         long *wide = (long *)malloc(sizeof(long) - 1 - $k % 3);
         if (!wide) abort();
         *wide = $v; $fault
         free(wide);
         }",
    ),
    fault(
        FaultKind::OutOfBounds,
        "{
         $t *block = calloc($n, sizeof *block), *end;
         if (!block) abort();
         end = block + $n;
         mix((unsigned int)*end--); $fault
         free(block);
         }",
    ),
    fault(
        FaultKind::DanglingDereference,
        "{
         $t *block = calloc($n, sizeof *block);
         if (!block) abort();
         free(block);
         block[$n - 1] = 1; $fault
         }",
    ),
    fault(
        FaultKind::DanglingDereference,
        "{
         unsigned char target[16], *block = calloc(16, 1);
         if (!block) abort();
         free(block);
         memcpy(target, block, $k); $fault
         }",
    ),
    fault(
        FaultKind::DanglingDereference,
        "{
         $t *block = calloc($n, sizeof *block), *grown = realloc(block, 300);
         if (!grown) abort();
         mix((unsigned int)*block); $fault
         free(grown);
         }",
    ),
    fault(
        FaultKind::DanglingDereference,
        "{
         $t *outside;
         {
         $t inner[$n] = { 5 };
         outside = inner;
         mix((unsigned int)outside[0]);
         }
         mix((unsigned int)outside[0]); $fault
         }",
    ),
    PlantedFault {
        kind: FaultKind::DanglingDereference,
        helper: "static $t *$p_escape(int value) {
                 $t local = ($t)(value % 100);
                 $t *alias = &local;
                 mix((unsigned int)*alias);
                 return alias;
                 }",
        statement: "{
                    $t *escaped = $p_escape($v);
                    *escaped = 3; $fault
                    }",
    },
    fault(
        FaultKind::DoubleFree,
        "{
         $t *blocks[3] = { malloc(8), malloc(16) };
         blocks[2] = blocks[$k % 2];
         for (int i = 0; i < 3; i++)
         free(blocks[i]); $fault
         }",
    ),
    PlantedFault {
        kind: FaultKind::DoubleFree,
        helper: "static void $p_dispose(void **slot) {
                 free(*slot);
                 }",
        statement: "{
                    void *slot = malloc($n);
                    $p_dispose(&slot);
                    free(slot); $fault
                    }",
    },
    fault(
        FaultKind::InvalidFree,
        "{
         $t *block = calloc($n + 1, sizeof *block);
         if (!block) abort();
         free(block + $n); $fault
         free(block);
         }",
    ),
    fault(
        FaultKind::InvalidFree,
        "{
         $t variable = 1, *alias = &variable;
         free(alias); $fault
         }",
    ),
    PlantedFault {
        kind: FaultKind::InvalidFree,
        helper: "static $t $p_global[$n];",
        statement: "free($p_global); $fault",
    },
    fault(FaultKind::InvalidFree, "free((void *)\"literal\"); $fault"),
    fault(
        FaultKind::NullDereference,
        "{
         struct { int first; $t second; } *nothing = NULL;
         nothing->second = 1; $fault
         }",
    ),
    PlantedFault {
        kind: FaultKind::NullDereference,
        helper: "static $t *$p_nothing(int value) { return value > 100000 ? calloc(1, 64) : NULL; }",
        statement: "mix((unsigned int)*$p_nothing($v)); $fault",
    },
    fault(
        FaultKind::Leak,
        "{
         $t *block = calloc($n, sizeof *block);
         if (!block) abort();
         block = NULL; $fault
         mix((unsigned int)(block == NULL));
         }",
    ),
    fault(
        FaultKind::Leak,
        "{
         $t **outer = malloc(sizeof *outer);
         if (!outer) abort();
         *outer = malloc($n * sizeof **outer);
         free(outer); $fault
         }",
    ),
    PlantedFault {
        kind: FaultKind::Leak,
        helper: "static unsigned int $p_forget(int value) {
                 $t *block = malloc(sizeof *block * $n);
                 if (!block) abort();
                 block[0] = ($t)(value % 100);
                 return (unsigned int)block[0]; $fault
                 }",
        statement: "mix($p_forget($v));",
    },
    PlantedFault {
        kind: FaultKind::Leak,
        helper: "static void *$p_kept;",
        statement: "for (int i = 0; i < 2; i++)
                    $p_kept = malloc($n); $fault
                    free($p_kept);
                    $p_kept = NULL;",
    },
];
