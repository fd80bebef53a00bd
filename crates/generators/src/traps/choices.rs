//! What the implementation decides: where blocks go, whether they move, which literals are one.

use crate::traps::Trap;

pub(crate) const TRAPS: &[Trap] = &[
    Trap {
        globals: "",
        body: "char *p = malloc(⟨4¦8¦100⟩);
long n = (long)p;
char *q = realloc(p, ⟨4¦8¦1¦200⟩);
⟨CHECK((long)q ⟨==¦!=⟩ n);¦if ((long)q == n⟨ && RARE¦⟩) ⟨*q = 1;¦reach_error();¦*p = 1;⟩¦q[⟨0¦3¦7⟩] = 1;¦⟩
free(⟨q¦q¦q¦p⟩);",
    },
    Trap {
        globals: "",
        body: "int *p = malloc(⟨8¦16⟩), *old = p⟨¦ + 1⟩;
p[0] = 7;
p = realloc(p, ⟨RARE ? 4 : 8¦16¦8¦ND & 31¦4⟩);
⟨if (p) ¦⟩CHECK(p[0] == ⟨7¦7¦0⟩);
⟨p[1] = 1;¦if (RARE) *old = 1;¦p[⟨0¦1¦2⟩] = 2;¦if (old == p) *old = 2;¦⟩
free(⟨p¦p¦p¦old⟩);",
    },
    // A block at the address of a freed one.
    Trap {
        globals: "",
        body: "char *p = malloc(⟨4¦8⟩);
unsigned long n = (unsigned long)p;
free(p);
char *q = malloc(⟨4¦8¦100⟩);
⟨CHECK((unsigned long)q ⟨!=¦==⟩ n);¦if ((unsigned long)q == n) ⟨*q = 1;¦reach_error();¦*(char *)n = 1;¦*p = 1;⟩¦CHECK(q ⟨!=¦==⟩ p);⟩
free(q);",
    },
    Trap {
        globals: "static int same@(const char *a, const char *b) {
return a == b;
}",
        body: "const char *a = ⟨\"abc\"¦\"abc\"¦\"xabc\"⟩, *b = ⟨\"abc\"¦\"abc\"¦\"abd\"¦a⟩;
⟨CHECK(a ⟨!=¦==⟩ b);¦CHECK(same@(a, b) == ⟨0¦1⟩);¦if (a == b) ⟨reach_error();¦CHECK(a[0] == b[0]);⟩¦CHECK(a[⟨0¦3¦2⟩] == b[⟨0¦3¦2⟩]);¦CHECK(a + 1 != b);⟩",
    },
    Trap {
        globals: "",
        body: "char *p = malloc(⟨0¦№⟩);
⟨CHECK(p ⟨!=¦==⟩ 0);¦if (p) ⟨p[0] = 1;¦CHECK(1);⟩¦char *q = malloc(0);
CHECK(p ⟨!=¦==⟩ q);
free(q);⟩
⟨p = realloc(p, ⟨0¦1¦4⟩);
⟨if (p) p[0] = 1;¦⟩¦⟩
free(p);",
    },
    // Where objects stand.
    Trap {
        globals: "int one@, two@;
struct { char c; int i; } both@;",
        body: "int a, b;
⟨CHECK(&one@ ⟨<¦!=¦+ 1 !=⟩ &two@);¦CHECK(&a ⟨!=¦<¦+ 1 !=⟩ &b);¦CHECK((unsigned long)&both@.i % ⟨4¦8⟩ == 0);¦CHECK((char *)&both@.i - &both@.c ⟨==¦>¦>=⟩ ⟨4¦1⟩);¦CHECK((unsigned long)&one@ ⟨>¦!=⟩ ⟨0¦4096¦0x10000000⟩);¦CHECK(((unsigned long)&a & 3) == 0);⟩",
    },
    Trap {
        globals: "static int f@(void) { return 1; }
static int g@(void) { return ⟨1¦2⟩; }",
        body: "int (*h)(void) = ⟨ND ? f@ : g@¦f@¦RARE ? 0 : f@⟩;
⟨CHECK(h() == ⟨1¦2⟩);¦CHECK(⟨f@ != g@¦h == f@¦(long)f@ != (long)g@¦h != 0⟩);⟩",
    },
    Trap {
        globals: "",
        body: "int r = rand();
⟨CHECK(r >= 0);¦CHECK(r ⟨!=¦>¦<⟩ ⟨0¦5¦1804289383¦0x7fffffff⟩);¦srand(1);
int s = rand();
CHECK(r ⟨==¦!=⟩ s);¦int a[10];
a[r % 10] = 1;¦int a[10];
if (r < 1000) a[r / ⟨100¦99⟩] = 1;⟩",
    },
    // The order of evaluation has no part in these; widths and signs have.
    Trap {
        globals: "",
        body: "char c = ⟨ND¦(char)200¦(char)ND⟩;
⟨CHECK(c ⟨<=¦<⟩ 127);¦CHECK(c ⟨>=¦==⟩ ⟨0¦-128¦-56¦200⟩);¦unsigned char u = c;
CHECK(u ⟨==¦>=⟩ c);¦int a[128];
if (c >= 0⟨¦ && RARE⟩) a[c] = 1;¦int a[127];
if (c >= 0) a[c] = 1;⟩",
    },
    Trap {
        globals: "",
        body: "long double d = ⟨(long double)0x7fffffffffffffffLL¦(long double)__VERIFIER_nondet_long()¦9007199254740993.0L¦0.1L¦1.0L / 3⟩;
⟨CHECK((double)d ⟨==¦!=⟩ d);¦CHECK((unsigned long long)d ⟨!=¦==⟩ 0x7fffffffffffffffULL);¦CHECK((long long)d ⟨!=¦==⟩ 9007199254740993LL);¦CHECK(d + 1 ⟨!=¦==⟩ d);¦CHECK(d * 3 ⟨==¦!=⟩ ⟨1¦0.3L¦0.3⟩);⟩",
    },
];
