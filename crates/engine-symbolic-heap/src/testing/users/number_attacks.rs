//! Programs whose numbers go wrong in ways that a definition with numbers could hide.

use super::attacks::Attack;

const LIST: &str = "
    extern void *malloc(__SIZE_TYPE__); extern void free(void *); extern int __VERIFIER_nondet_int(void);
    struct node { struct node *next; int key; };
    int main(void) {
        struct node *list = 0, *p; COUNTER count = 0;";

const COUNTED: &str = "
    predicate counted(this, count: COUNTER) over struct node
      case end: this == null, count == 0
      case node: .next = n, counted(n, count - 1), count != 0";

const PUSH: &str = "p = malloc(sizeof *p); p->next = list; p->key = 0; list = p; count++;";
const POP: &str = "p = list->next; free(list); list = p; count--;";

/// A list with a counter of a type.
fn counted(counter: &str) -> Attack {
    let (head, definition) =
        (LIST.replace("COUNTER", counter), COUNTED.replace("COUNTER", counter));
    Attack { head, definition }
}

#[test]
fn a_counter_that_is_off_by_one_is_not_proved() {
    let fill = format!("while (count < 900 && __VERIFIER_nondet_int()) {{ {PUSH} }}");
    let empty = format!("while (count) {{ {POP} }} return 0;");
    counted("unsigned").only_the_first_is_proved(
        &format!("{fill} {empty}"),
        &[
            &format!("{fill} count++; {empty}"),
            &format!("{fill} if (count == 777) count--; {empty}"),
            &format!("{fill} while (count > 1) {{ {POP} }} return 0;"),
            &format!("{fill} if (count > 5) {{ p = list->next; free(list); list = p; }} {empty}"),
        ],
    );
}

#[test]
fn a_counter_that_wraps_is_not_proved() {
    // Behind 256 nodes it is zero, and the list is lost.
    let fill = format!("while (__VERIFIER_nondet_int()) {{ {PUSH} }}");
    let empty = format!("while (count) {{ {POP} }} return 0;");
    assert!(!counted("unsigned char").is_proved(&format!("{fill} {empty}")));
}

#[test]
fn a_bound_that_a_node_breaks_is_not_proved() {
    let definition = "
        predicate bounded(this, least: int) over struct node
          case end: this == null
          case node: .next = n, .key = k, least <= k, bounded(n, least)";
    let attack = Attack { head: LIST.replace("COUNTER", "int"), definition: definition.to_owned() };
    let fill = |key: &str| {
        let push = PUSH.replace("p->key = 0", &format!("p->key = {key}"));
        format!(
            "while (__VERIFIER_nondet_int()) {{ int k = __VERIFIER_nondet_int(); if (k < 7) k = 7; {push} }}"
        )
    };
    let check = "while (list) { if (list->key < 7) *(int *)0 = 1; p = list->next; free(list); list = p; } return 0;";
    attack.only_the_first_is_proved(
        &format!("{} {check}", fill("k")),
        &[
            &format!("{} {check}", fill("k == 1000 ? 6 : k")),
            &format!("{} if (list && list->next) list->next->key = 6; {check}", fill("k")),
            &format!("{} {check}", fill("k + 1")),
        ],
    );
}
