//! Pointers: wide offsets, comparisons, differences, indices of narrow types.

use crate::traps::Trap;

pub(crate) const TRAPS: &[Trap] = &[
    // Steps that add up to more than 32 bits.
    Trap {
        globals: "",
        body: "char *p = malloc(⟨4¦8¦16¦4096⟩), *q = p;
⟨q += ⟨0x7fffffffL¦0x40000000L¦0x3fffffffL¦1¦2¦-1⟩;¦int k = RARE ? ⟨4¦2¦1⟩ : 0;
for (int i = 0; i < k; i++) {
q += ⟨0x40000000L¦0x80000000L¦0x7fffffff¦1⟩;
}¦if (RARE) q -= ⟨1¦0x7fffffffL¦0x80000000L⟩;⟩
⟨q += ⟨0x7fffffffL¦0x80000000L⟩;
q += ⟨0x7fffffffL¦2⟩;
q += 2;¦q -= ⟨1¦0x7fffffffL¦0x40000000L⟩;¦⟩
⟨if (RARE) *q = 1;¦*q = 1;¦if (q == p) *q = 1;¦if (q < p + 4 && q >= p) *q = 1;¦if ((unsigned long)(q - p) < 4) *q = 1;¦if (q >= p) *q = 1;¦if (q < p + 4) *q = 2;¦CHECK(q - p ⟨<¦>¦==¦!=¦<=⟩ ⟨0¦1¦4¦0x7fffffff⟩);¦CHECK(p ⟨<¦<=¦==¦>⟩ q);⟩
free(⟨p¦p¦p¦p¦q¦q == p ? p : q⟩);",
    },
    Trap {
        globals: "int array@[1000];",
        body: "unsigned i = __VERIFIER_nondet_uint();
if (i < 1000) array@[i] = 1;
int *q = array@;
if (⟨RARE¦ND⟩) {
q += ⟨0x1fffffff¦0x3fffffff¦999¦1000¦0x20000000⟩;
⟨q += ⟨0x1fffffff¦0x20000000¦1⟩;
q += ⟨2¦1¦0⟩;¦⟩
⟨*q = 1;¦if (q == array@) *q = 1;¦CHECK(q != array@);¦if (q < array@ + 1000) *q = 3;⟩
}",
    },
    // Blocks that are larger than two gibibytes.
    Trap {
        globals: "",
        body: "char *p = malloc(⟨0x90000000UL¦0xC0000000UL⟩), *e = p + 0x40000000L;
e = e + ⟨0x40000000L¦0x30000000L¦1⟩;
⟨CHECK(e - p ⟨>¦<¦!=⟩ 0);¦CHECK(p ⟨<¦>⟩ e);¦long d = e - p;
CHECK(d ⟨==¦!=⟩ 0x80000000L);¦int d = e - p;
CHECK(d ⟨>¦<⟩ 0);¦if (RARE) *e = 1;⟩
free(p);",
    },
    // Walks with an end that is passed by.
    Trap {
        globals: "",
        body: "int a[⟨4¦5¦6⟩];
int *p = a⟨¦ + 1⟩, *e = a + ⟨4¦5¦3⟩;
while (p ⟨<¦!=¦<=¦<⟩ e) {
*p = ⟨0¦7⟩;
p += ⟨1¦1¦2¦3⟩;
if (⟨p > e¦RARE¦0⟩) break;
}
⟨CHECK(p ⟨==¦>=¦<=⟩ e);¦CHECK(p - a ⟨<=¦<¦==⟩ ⟨4¦5¦6⟩);¦CHECK(a[0] == ⟨0¦7⟩);¦⟩",
    },
    Trap {
        globals: "",
        body: "int a[3], s = 0;
for (int *p = a + ⟨2¦2¦3⟩; p ⟨>=¦>⟩ a⟨¦ - 1⟩; p--) {
*p = 1;
s++;
}
CHECK(s == ⟨3¦2¦4⟩);",
    },
    // Before the start of a block.
    Trap {
        globals: "",
        body: "⟨char¦int¦long⟩ *p = malloc(⟨16¦32⟩), *q = p ⟨-¦+⟩ ⟨1¦2¦№⟩;
⟨unsigned long d = p - q;
CHECK(d ⟨!=¦==⟩ ⟨1¦2⟩);¦long d = p - q;
CHECK(d ⟨>¦<¦==⟩ ⟨0¦1¦-1⟩);¦unsigned d = (char *)p - (char *)q;
CHECK(d ⟨<¦>⟩ ⟨100¦8⟩);¦CHECK(q ⟨<¦<=¦>⟩ p);¦if (q < p) CHECK(⟨0¦p - q == 1⟩);¦CHECK((unsigned long)q ⟨<¦>¦!=⟩ (unsigned long)p);⟩
free(p);",
    },
    // Indices of narrow and of other signs.
    Trap {
        globals: "",
        body: "int a[10];
int i = ND;
⟨char¦short¦unsigned char¦long¦unsigned¦signed char¦int⟩ j = ⟨i¦i + 1¦i * 2¦i >> 3¦-i¦i & 15¦i % 10¦i / 3⟩;
if (j ⟨<¦<=¦<⟩ ⟨9¦10¦10⟩⟨ && j >= 0¦ && i >= 0¦¦ && j >= 0⟩) a[⟨j¦j¦i¦(unsigned char)j¦j > 3 ? j - 1 : j⟩] = 1;",
    },
    Trap {
        globals: "struct pair@ { int first, second; };",
        body: "struct pair@ *a = calloc(3, sizeof *a), *p = &a[⟨0¦1¦2⟩];
⟨p += ⟨1¦-1¦0¦2⟩;¦p = (struct pair@ *)((char *)p + ⟨4¦8¦-8¦16⟩);¦if (RARE) p++;⟩
⟨p->first = 1;¦p->second = 2;¦if (p < a + 3) p->second = 1;¦if (p - a < 3 && p >= a) p->first = 5;⟩
⟨CHECK(a[⟨0¦1¦2⟩].⟨first¦second⟩ == ⟨0¦1¦2⟩);¦⟩
free(⟨a¦a¦a¦p⟩);",
    },
    // Counters that wrap.
    Trap {
        globals: "",
        body: "⟨unsigned char¦unsigned short¦unsigned¦signed char¦int⟩ n = ⟨__VERIFIER_nondet_uchar()¦ND¦ND & 255⟩;
int *p = malloc(sizeof(int) * ⟨256¦(n + 1)¦(unsigned char)n + 1⟩);
⟨if (n >= 0) ¦¦if (n > 0 && n < 100) ⟩p[⟨n¦(unsigned char)n¦(unsigned char)(n + 1)¦(unsigned char)(n - 1)¦n - 1⟩] = 1;
free(p);",
    },
    // Two blocks: comparisons and differences between them.
    Trap {
        globals: "",
        body: "char *a = malloc(4), *b = malloc(4);
⟨CHECK(a ⟨!=¦<¦>¦==⟩ b);¦CHECK(a + 4 ⟨!=¦<=⟩ b);¦if (a < b) CHECK(b ⟨>¦!=⟩ a);¦CHECK((unsigned long)a % ⟨2¦4¦16⟩ == 0);¦CHECK((long)(b - a) != ⟨0¦4¦16¦32⟩);⟩
free(a);
free(b);",
    },
    Trap {
        globals: "",
        body: "unsigned long n = (unsigned)ND;
⟨if (n > 100) n = 100;¦if (n > 1000000) n = 3;¦¦n &= 7;⟩
char *p = malloc(⟨n + 1¦n¦n * 4¦(unsigned)(n * 0x40000000u) + 1⟩);
if (p) {
⟨if (n) ¦⟩p[⟨n¦n - 1¦0¦n / 2⟩] = 1;
}
free(p);",
    },
];
