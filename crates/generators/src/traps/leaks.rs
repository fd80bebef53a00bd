//! Leaks: what looks like a pointer and is none, and what looks like none and is one.

use crate::traps::Trap;

pub(crate) const TRAPS: &[Trap] = &[
    // What is left of a pointer.
    Trap {
        globals: "⟨unsigned long¦unsigned¦long¦unsigned char¦int¦_Bool¦short⟩ mark@;",
        body: "char *p = malloc(№ + 1);
⟨mark@ = (unsigned long)p ⟨& 15¦^ (unsigned long)p¦>> 4¦* 2¦- (unsigned long)p¦| 1¦+ 8¦¦% 3¦& ~7ul⟩;¦mark@ = p != 0;¦mark@ = *(unsigned char *)&p;¦memcpy(&mark@, &p, sizeof mark@ < sizeof p ? sizeof mark@ : sizeof p);¦mark@ = (unsigned long)p == №;⟩
⟨if (RARE) ¦¦if (ND) ⟩p = 0;
free(p);",
    },
    Trap {
        globals: "char *table@[2];
unsigned long hash@;",
        body: "char *p = malloc(8);
⟨hash@ = (unsigned long)p * 31;¦hash@ ^= (unsigned long)p;¦hash@ = hash@ + (unsigned long)p;¦table@[⟨0¦1⟩] = p;¦table@[((unsigned long)p >> 4) & 1] = p;⟩
if (⟨RARE¦ND⟩) p = 0;
⟨hash@ = hash@ ⟨+ 1¦^ 5¦¦* 0⟩;¦table@[0] = 0;¦⟩
⟨if (p) free(p);¦free(p);¦if (p) free(p);
else free(table@[0]);⟩",
    },
    // A list behind a hash, a flag or a count.
    Trap {
        globals: "struct item@ { struct item@ *next; };
unsigned long trace@;
struct item@ *shelf@;",
        body: "struct item@ *h = 0;
while (ND) {
struct item@ *x = malloc(sizeof *x);
x->next = h;
h = x;
⟨trace@ ⟨+=¦^=¦=⟩ (unsigned long)x⟨ & 15¦¦ >> 3¦ * 3⟩;¦⟩
}
⟨trace@ = (unsigned long)h⟨ & 15¦¦ + 1¦ ^ 7¦ / 2⟩;
h = 0;¦shelf@ = h;
h = 0;¦if (RARE) h = 0;¦if (RARE && h) h = h->next;¦⟩
⟨while (h) {
struct item@ *n = h->next;
free(h);
h = n;
}¦⟩",
    },
    // The pointer's bytes in parts.
    Trap {
        globals: "unsigned char bytes@[8];
unsigned low@, high@;",
        body: "char *p = malloc(4);
⟨memcpy(bytes@, &p, ⟨8¦4¦7¦1⟩);¦for (unsigned i = 0; i < sizeof p; i++) bytes@[i] = ((unsigned char *)&p)[i];¦low@ = (unsigned long)p;
high@ = (unsigned long)p >> ⟨32¦31⟩;¦memcpy(bytes@ + ⟨0¦1⟩, &p, 7);⟩
⟨if (RARE) p = 0;¦p = 0;¦⟩
⟨memcpy(&p, bytes@, sizeof p);¦p = (char *)((unsigned long)high@ << 32 | low@);¦⟩
free(p);",
    },
    // Held by something that ends.
    Trap {
        globals: "struct box@ { void *inner; int n; };
static void hold@(void *p) {
void *mine = p;
⟨static void *kept;
kept = mine;
¦⟩if (mine == 0) CHECK(mine == 0);
}",
        body: "struct box@ *b = malloc(sizeof *b);
b->inner = malloc(⟨4¦b != 0⟩);
⟨hold@(b->inner);¦⟩
⟨free(b->inner);¦if (ND) free(b->inner);¦void *keep = b->inner;
⟨free(keep);¦if (RARE) keep = 0;
free(keep);⟩¦if (RARE) b->inner = 0;
free(b->inner);¦⟩
free(b);",
    },
    // Inside and behind the end of a block.
    Trap {
        globals: "char *end@;",
        body: "char *p = malloc(⟨4¦8⟩);
end@ = p + ⟨0¦1¦3¦2⟩;
⟨p = 0;¦if (RARE) p = 0;⟩
⟨if (!p) end@ = ⟨end@ + 1¦0¦end@⟩;¦⟩
⟨free(p);¦if (p) free(p);¦free(p ? p : end@);¦⟩
⟨end@ = 0;¦⟩",
    },
    // Overwritten by the next round.
    Trap {
        globals: "int *last@;",
        body: "for (int i = 0; i < ⟨2¦3¦ND⟩; i++) {
⟨free(last@);¦if (i) free(last@);¦if (i != №) free(last@);¦⟩
last@ = malloc(4);
*last@ = i;
if (⟨RARE¦ND¦0⟩) break;
}
⟨free(last@);¦if (last@) free(last@);
last@ = 0;¦⟩",
    },
    // Masked and brought back.
    Trap {
        globals: "unsigned long masked@;",
        body: "int *p = malloc(4);
masked@ = (unsigned long)p ⟨^¦+¦|⟩ ⟨1¦0x55¦1¦0⟩;
p = 0;
p = (int *)(masked@ ⟨^¦-¦& ~⟩ ⟨1¦0x55¦1¦0⟩⟨¦ul⟩);
⟨*p = 1;¦if (ND) *p = 2;¦⟩
free(p);",
    },
    Trap {
        globals: "",
        body: "char *a = malloc(1), *b = malloc(1);
⟨_Bool same = a == b;¦int same = a > b;¦long same = (long)a - (long)b;¦char *same = a;⟩
if (⟨RARE¦ND⟩) ⟨a = b;¦b = 0;¦a = 0;
else b = b;¦if (same) a = 0;⟩
free(a);
⟨if (a != b) free(b);¦free(b);¦if (same) free(b);
else free(b);⟩",
    },
    Trap {
        globals: "static char *pick@(int which) {
char *a = malloc(2), *b = malloc(2);
char *r = which ? a : b;
⟨free(which ? b : a);¦free(b);¦if (which != №) free(r == a ? b : a);⟩
return r;
}",
        body: "char *p = pick@(⟨ND¦1¦RARE⟩);
⟨*p = 1;¦if (ND) p[1] = 1;⟩
free(p);",
    },
];
