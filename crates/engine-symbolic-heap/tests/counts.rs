//! Short loops in long ones: their counts are told apart.

mod common;

use common::{is_never_proved_by_summaries, summaries_prove};

/// A list whose nodes own a copy of a literal, made by a loop over its bytes.
fn texts(room: &str, until: &str) -> String {
    format!(
        "struct entry {{ struct entry *next; char *text; }};
        int main(void) {{
            struct entry *head = 0, *at; const char *literal = \"key\";
            while (__VERIFIER_nondet_int()) {{
                at = malloc(sizeof *at); at->text = malloc({room});
                unsigned i = 0; for (; {until}; i++) at->text[i] = literal[i];
                at->text[i] = 0;
                at->next = head; head = at;
            }}
            while (head) {{ at = head->next; free(head->text); free(head); head = at; }}
            return 0;
        }}"
    )
}

#[test]
fn nodes_own_copies_of_a_literal() {
    summaries_prove(&texts("4", "literal[i]"));
    is_never_proved_by_summaries(&texts("3", "literal[i]"));
    is_never_proved_by_summaries(&texts("4", "literal[i] != 'x'"));
}

/// A list of nodes with four links, of which the `used` first ones are set.
fn links(used: u32, freed: u32) -> String {
    format!(
        "struct entry {{ struct entry *next; int *links[4]; }};
        int main(void) {{
            struct entry *head = 0, *at;
            while (__VERIFIER_nondet_int()) {{
                at = malloc(sizeof *at);
                for (int i = 0; i < {used}; i++) at->links[i] = malloc(4);
                at->next = head; head = at;
            }}
            while (head) {{
                at = head->next;
                for (int i = 0; i < {freed}; i++) free(head->links[i]);
                free(head); head = at;
            }}
            return 0;
        }}"
    )
}

#[test]
fn each_link_of_a_node_is_freed() {
    summaries_prove(&links(4, 4));
    is_never_proved_by_summaries(&links(4, 3));
    is_never_proved_by_summaries(&links(3, 4));
}
