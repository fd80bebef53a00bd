//! Objects with rules of their own: const, arrays of variable size, overlapping copies, volatile,
//! unions, bit-fields.

use crate::traps::Trap;

pub(crate) const TRAPS: &[Trap] = &[
    Trap {
        globals: "⟨const¦static const¦⟩ int fixed@ = 5;
const struct { int a, b; } pair@ = { 1, 2 };
⟨char¦const char⟩ text@[] = \"text\";",
        body: "⟨int *p = (int *)&fixed@;¦int *p = (int *)&pair@.b;¦char *p = ⟨\"lit\"¦(char *)\"abc\"¦(char *)text@⟩;¦const int local = 3;
int *p = (int *)&local;¦int plain;
int *p = &plain;⟩
⟨if (RARE) *p = ⟨1¦5¦'t'⟩;¦*p = 1;¦if (ND && *p == ⟨1¦5¦2⟩) *p = 4;¦CHECK(*p == ⟨5¦2¦3¦'a'¦'t'¦*p⟩);⟩",
    },
    // Arrays of variable size.
    Trap {
        globals: "",
        body: "int n = ⟨RARE ? -5 : 5¦ND & 7¦ND % 5¦RARE ? 0 : 3¦(ND & 7) + 1¦(ND & 3) - 1⟩;
⟨if (n > 0) {¦{¦if (n >= 0) {⟩
⟨int¦char¦long⟩ a[n⟨¦ + 1¦ * 2⟩];
⟨a[⟨0¦n - 1¦n¦n / 2⟩] = 1;¦for (int i = 0; i < n; i++) a[i] = i;
CHECK(a[0] == 0);¦CHECK(sizeof a ⟨==¦>=⟩ n * sizeof a[0]);⟩
}",
    },
    Trap {
        globals: "static int sum@(int n, int a[⟨n¦¦n + 1⟩]) {
int s = 0;
for (int i = 0; i ⟨<¦<=⟩ n; i++) s += a[i];
return s;
}",
        body: "int n = ⟨2¦(ND & 3) + 1⟩;
int a[n⟨¦ + 1⟩];
for (int i = 0; i < n; i++) a[i] = 1;
CHECK(sum@(⟨n¦n - 1¦n + 1⟩, a) == ⟨n¦2⟩);",
    },
    // Copies that overlap or end outside.
    Trap {
        globals: "",
        body: "char a[8] = \"abcdefg\";
unsigned n = ⟨2¦4¦0¦__VERIFIER_nondet_uint() & 7¦RARE ? 5 : 2⟩;
⟨memcpy¦memcpy¦memmove⟩(a + ⟨0¦1¦4¦2⟩, a + ⟨0¦2¦4¦0⟩, n);
CHECK(a[⟨0¦2¦4¦7⟩] == ⟨'a'¦'c'¦0¦'e'⟩);",
    },
    Trap {
        globals: "struct big@ { int a[4]; struct big@ *link; };",
        body: "struct big@ *x = calloc(1, sizeof *x), *y = ⟨x¦calloc(1, sizeof *x)¦x⟩;
x->a[0] = №;
⟨*y = *x;¦memcpy(y, x, sizeof *x⟨¦ + RARE¦ - 8⟩);¦if (x != y) memcpy(y, x, sizeof *y);¦y->link = x;
*x = *y->link;⟩
CHECK(y->a[0] == x->a[⟨0¦0¦1⟩]);
free(x);
⟨if (y != x) free(y);¦free(y == x ? 0 : y);¦⟩",
    },
    Trap {
        globals: "",
        body: "char *p = malloc(⟨4¦8⟩);
memset(p, ⟨0¦-1¦256¦1⟩, ⟨4¦8¦RARE ? 9 : 4¦ND & 7⟩);
⟨CHECK(p[0] ⟨==¦!=⟩ ⟨0¦-1¦255¦1⟩);¦if (ND) CHECK(*(int *)p == ⟨0¦-1¦0x01010101⟩);¦⟩
free(p);",
    },
    Trap {
        globals: "",
        body: "char *p = malloc(⟨4¦5¦8⟩);
strcpy(p, ⟨\"abc\"¦\"abcd\"¦RARE ? \"abcdefgh\" : \"a\"¦\"\"⟩);
⟨CHECK(strlen(p) ⟨==¦<=⟩ ⟨3¦4⟩);¦CHECK(p[⟨0¦3¦4⟩] == ⟨0¦'a'⟩);¦strcat(p, ⟨\"x\"¦\"\"¦\"xyz\"⟩);¦char *q = strchr(p, ⟨'b'¦'z'⟩);
⟨if (q) ¦⟩*q = 0;⟩
free(p);",
    },
    Trap {
        globals: "volatile int sensor@;
⟨volatile ¦⟩int plain@;",
        body: "⟨volatile ¦⟩int x = ⟨0¦ND⟩;
int a = ⟨sensor@¦x¦plain@⟩, b = ⟨sensor@¦x¦plain@⟩;
⟨CHECK(a ⟨==¦!=⟩ ⟨b¦0⟩);¦x = RARE;
CHECK(x ⟨==¦<⟩ ⟨0¦2⟩);¦if (a != b) ⟨reach_error();¦CHECK(1);⟩¦int t[2];
if (x >= 0 && x < 2) t[x] = 1;⟩",
    },
    Trap {
        globals: "union either@ { int i; unsigned char c[4]; int *p; float f; };",
        body: "union either@ u;
u.p = 0;
⟨u.i = ⟨1¦256¦-1¦ND⟩;¦u.p = malloc(4);¦u.f = 1.0f;¦u.c[⟨0¦1¦3⟩] = ⟨1¦255⟩;⟩
⟨CHECK(u.c[⟨0¦1¦3⟩] ⟨==¦!=⟩ ⟨0¦1¦255¦63⟩);¦CHECK(u.i ⟨==¦>=⟩ ⟨1¦256¦0x3f800000⟩);¦if (u.p && RARE) *u.p = 1;¦if (ND) u.c[0] = 1;
free(u.p);¦free(u.p);⟩",
    },
    Trap {
        globals: "struct bits@ { ⟨unsigned¦int⟩ a : ⟨1¦2¦3⟩, b : ⟨4¦7⟩; int c; };",
        body: "struct bits@ s = { 0 };
s.a = ⟨1¦2¦ND¦-1¦3⟩;
s.b = ⟨ND¦15¦16⟩;
⟨CHECK(s.a ⟨==¦!=¦>=¦<=⟩ ⟨1¦0¦-1¦3⟩);¦CHECK(s.b ⟨<=¦<⟩ ⟨15¦127¦16⟩);¦CHECK(s.c == 0);¦int t[16];
if (s.b >= 0) t[s.b] = 1;⟩",
    },
    Trap {
        globals: "static int last@(int n, ...) {
__builtin_va_list list;
__builtin_va_start(list, n);
int r = 0;
for (int i = 0; i < n; i++) r = __builtin_va_arg(list, int);
__builtin_va_end(list);
return r;
}",
        body: "CHECK(last@(⟨2¦1¦3¦2⟩, 4, 5⟨¦, 6⟩) ⟨==¦>=⟩ ⟨5¦4¦6⟩);",
    },
    Trap {
        globals: "",
        body: "int i = ND, j = ⟨ND¦3⟩;
⟨CHECK((unsigned)i ⟨>=¦>⟩ 0);¦CHECK(i ⟨<<¦>>⟩ 1 ⟨!=¦<=⟩ ⟨i¦0x3fffffff⟩);¦if (j) CHECK(i % j ⟨<¦!=⟩ j);¦if (i > 0 && j > 0) CHECK((unsigned)i + j ⟨>¦>=⟩ ⟨0¦j⟩);¦CHECK((i & 7) ⟨<¦<=⟩ ⟨7¦8⟩);¦CHECK((short)i ⟨==¦<=⟩ ⟨i¦0x7fff⟩);¦CHECK((_Bool)i ⟨==¦<=⟩ ⟨i¦1¦(i != 0)⟩);⟩",
    },
];
