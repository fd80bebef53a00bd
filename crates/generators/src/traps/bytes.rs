//! Bytes of objects: pointers copied in parts, numbers written through other types, padding.

use crate::traps::Trap;

pub(crate) const TRAPS: &[Trap] = &[
    Trap {
        globals: "",
        body: "int x = ⟨1¦ND⟩, *p = &x, *q = 0;
⟨memcpy(&q, &p, ⟨sizeof p¦4¦sizeof p - 1⟩);¦for (unsigned i = 0; i < sizeof p⟨¦ - 1⟩; i++) ((char *)&q)[i] = ((char *)&p)[i];¦*(unsigned long *)&q = (unsigned long)p;⟩
⟨CHECK(q ⟨==¦!=⟩ p);¦if (q == p) CHECK(*q == ⟨x¦1⟩);¦*q = 1;¦if (q) *q = 2;⟩",
    },
    // A byte of a pointer is changed.
    Trap {
        globals: "",
        body: "char *p = malloc(⟨1¦256¦512⟩);
unsigned char *b = (unsigned char *)&p;
⟨if (RARE) ¦if (ND) ¦⟩b[⟨0¦1¦7¦3⟩] ⟨^=¦+=¦=¦|=⟩ ⟨1¦0¦128⟩;
⟨*p = 1;¦if (b[0] == 0) *p = 1;¦CHECK(p != 0);¦⟩
⟨free(p);¦b[0] ^= 1;
free(p);⟩",
    },
    Trap {
        globals: "",
        body: "int n = ⟨0¦ND¦0x01020304⟩;
⟨char¦unsigned char¦short¦signed char⟩ *c = (void *)&n;
c[⟨0¦1¦2⟩] = ⟨1¦-1¦255¦ND⟩;
CHECK(n ⟨==¦!=¦>=¦<⟩ ⟨0¦1¦0x0102ff04¦256¦0x01020301⟩);",
    },
    Trap {
        globals: "struct mixed@ { char c; ⟨int¦short¦long⟩ i; char d; };",
        body: "struct mixed@ a⟨ = { 0 }¦¦ = { 1, 2, 3 }⟩, b⟨ = { 0 }¦ = a¦¦ = { 1, 2, 3 }⟩;
⟨memset(&a, 0, sizeof a);¦a.c = b.c = 1;
a.i = b.i = 2;
a.d = b.d = 3;¦b = a;⟩
⟨CHECK(memcmp(&a, &b, sizeof a) ⟨==¦!=⟩ 0);¦CHECK(a.⟨c¦d⟩ == b.⟨c¦d⟩);¦CHECK(((char *)&a)[⟨1¦3¦8⟩] == 0);⟩",
    },
    Trap {
        globals: "",
        body: "char buffer[16];
int **slot = (int **)(buffer + ⟨0¦8⟩);
int *p = malloc(4);
*slot = p;
⟨buffer[⟨0¦7¦8¦15⟩] = 0;¦memset(buffer, 0, ⟨8¦4¦1¦16⟩);¦if (RARE) *slot = 0;¦memcpy(buffer, buffer + 8, ⟨8¦4⟩);¦⟩
⟨if (*slot == p) **slot = 1;¦**slot = 1;¦CHECK(*slot ⟨==¦!=⟩ p);¦⟩
free(⟨p¦*slot⟩);",
    },
    // Tags in the low bits.
    Trap {
        globals: "",
        body: "int *p = malloc(4);
unsigned long tagged = (unsigned long)p | ⟨1¦0¦ND & 1¦2⟩;
int *q = (int *)(tagged & ~⟨1ul¦3ul¦0ul⟩);
⟨*q = 1;¦CHECK(q ⟨==¦!=⟩ p);¦if (tagged & 1) *q = 2;¦CHECK((tagged & 1) == ⟨0¦1⟩);⟩
free(⟨p¦q⟩);",
    },
    Trap {
        globals: "",
        body: "unsigned long n = (unsigned long)__VERIFIER_nondet_long();
char *p = malloc(8);
⟨if (n == (unsigned long)p) {
*(char *)n = 1;
¦if (n - (unsigned long)p < ⟨8¦9⟩) {
*(char *)n = 2;
¦if (n != 0 && RARE) {
*(char *)n = 1;
¦if ((int)n == (int)(unsigned long)p) {
⟨CHECK(n == (unsigned long)p);¦p[0] = 1;⟩
⟩}
free(p);",
    },
    Trap {
        globals: "static void swap@(void *a, void *b, unsigned n) {
for (unsigned i = 0; i ⟨<¦<=¦<⟩ n; i++) {
char t = ((char *)a)[i];
((char *)a)[i] = ((char *)b)[i];
((char *)b)[i] = t;
}
}",
        body: "int *p = malloc(4), *q = malloc(⟨4¦8⟩), *oldp = p;
*p = 1;
*q = 2;
swap@(&p, &q, ⟨sizeof p¦sizeof p¦4¦7⟩);
⟨CHECK(p ⟨!=¦==⟩ oldp);¦CHECK(*p == ⟨2¦1⟩);¦if (q == oldp) CHECK(*q == 1);¦⟩
free(p);
free(q);",
    },
    Trap {
        globals: "",
        body: "float f = ⟨1.5f¦ND¦(float)0x1000001⟩;
int i;
memcpy(&i, &f, ⟨4¦2⟩);
⟨CHECK(i ⟨==¦!=¦>=⟩ ⟨0x3fc00000¦0⟩);¦CHECK((int)f == ⟨1¦0x1000001¦0x1000000⟩);¦CHECK(f ⟨==¦!=⟩ f);⟩",
    },
];
