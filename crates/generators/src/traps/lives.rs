//! Lives of objects: locals that outlive their round or call, jumps over initialisers, values that
//! nobody set.

use crate::traps::Trap;

pub(crate) const TRAPS: &[Trap] = &[
    Trap {
        globals: "",
        body: "int *keep = 0;
for (int i = 0; i < ⟨2¦3¦1⟩; i++) {
int y⟨¦ = i¦ = 7⟩;
⟨if (i == 0) keep = &y;¦if (RARE) keep = &y;¦if (!keep) keep = &y;¦keep = &y;⟩
⟨if (keep⟨ && i > 0¦⟩) ⟨*keep = 1;¦CHECK(*keep == ⟨1¦7¦i⟩);¦CHECK(keep == &y);¦CHECK(keep != &y);⟩¦y = 3;⟩
}
⟨if (keep) ⟨CHECK(*keep == 0);¦*keep = 3;⟩¦keep = 0;⟩",
    },
    Trap {
        globals: "long seen@;",
        body: "for (int i = 0; i < ⟨2¦3⟩; i++) {
int y⟨¦ = i⟩;
long a = (long)&y;
if (i > 0⟨¦ && RARE⟩) CHECK(a ⟨==¦!=⟩ seen@);
seen@ = a;
}",
    },
    Trap {
        globals: "static ⟨long¦int *⟩ where@(int d) {
int y = d;
⟨static int z;
z++;
¦⟩return (void *)&⟨y¦y¦y⟩ ? ⟨(void *)&y¦0¦(void *)&y⟩ : 0;
}",
        body: "long a = 0;
for (int i = 0; i < 3; i++) {
long b = (long)where@(i);
if (i > 0⟨¦ && RARE⟩) CHECK(a ⟨==¦!=¦<=⟩ b);
a = b;
}",
    },
    // Jumps over initialisers.
    Trap {
        globals: "",
        body: "if (⟨ND¦RARE¦ND > 3⟩) goto over@;
int x = ⟨5¦5¦0⟩;
⟨int *p = &x;
*p = 5;¦x++;¦¦⟩
over@:
CHECK(x ⟨==¦!=¦<⟩ ⟨5¦5¦0¦6⟩);",
    },
    Trap {
        globals: "",
        body: "int n = 0, *p = 0;
again@: {
int x = n;
if (p⟨¦ && n > 1⟩) ⟨CHECK(*p == ⟨n¦n - 1¦0⟩);¦*p = 4;¦CHECK(p ⟨==¦!=⟩ &x);⟩
⟨p = &x;¦if (RARE) p = &x;¦p = &n;⟩
n++;
if (n < ⟨2¦3⟩ && ⟨ND¦RARE¦1⟩) goto again@;
⟨CHECK(x == n - 1);¦⟩
}",
    },
    Trap {
        globals: "",
        body: "switch (⟨ND¦ND & 3⟩) {
int x;
case 0:
x = ⟨3¦0⟩;
case 1:
⟨CHECK(x ⟨==¦!=⟩ ⟨3¦0⟩);¦x++;⟩
break;
case 2:
x = 1;
⟨CHECK(x == 1);¦⟩
}",
    },
    // Values that nobody set.
    Trap {
        globals: "struct part@ { int first; int *link; int last; };",
        body: "⟨struct part@ s, *p = &s;¦struct part@ *p = malloc(sizeof *p);¦struct part@ *p = calloc(1, sizeof *p);⟩
⟨p->first = 1;¦if (ND) p->first = 1;¦if (ND) p->link = &p->first;¦*p = (struct part@){ .last = 2 };⟩
⟨CHECK(p->first ⟨==¦!=⟩ ⟨0¦1⟩);¦if (p->link) *p->link = 1;¦if (p->last == 77777) *(int *)0 = 1;¦CHECK(p->last ⟨!=¦==⟩ ⟨0¦2⟩);¦int old = p->last;
CHECK(old == p->last);⟩",
    },
    Trap {
        globals: "",
        body: "int x, y;
if (ND) x = 1;
⟨else x = ⟨0¦2⟩;¦⟩
⟨y = x;
CHECK(⟨y == x¦y == 1 || y == 2¦x != 12345¦x - y == 0⟩);¦int *p = &x;
CHECK(*p ⟨==¦<⟩ ⟨x¦2¦1⟩);¦if (x == 987654321) *(int *)0 = 1;⟩",
    },
    // Addresses of locals in recursion.
    Trap {
        globals: "static int down@(int n, int *up) {
int x = n;
if (n <= 0) return up ? *up : 0;
⟨if (up) *up ⟨= n¦+= 1⟩;¦⟩
int r = down@(n - 1, ⟨&x¦up¦n == 2 ? &x : up⟩);
⟨CHECK(x ⟨==¦>=¦!=⟩ n);¦¦if (up == &x) reach_error();⟩
return r⟨¦ + x - n⟩;
}",
        body: "int n = ⟨2¦3¦ND & 3⟩, start = 0;
int r = down@(n, ⟨0¦&start¦&n⟩);
⟨CHECK(r ⟨==¦>=¦<=⟩ ⟨0¦1¦n¦3⟩);¦CHECK(start ⟨==¦>=⟩ 0);¦⟩",
    },
    Trap {
        globals: "static int *give@(int v) {
⟨static ¦⟩int y⟨¦ = 3⟩;
⟨y = v;¦⟩
⟨int *r = &y;
return r;¦int *r = malloc(sizeof(int));
*r = y;
return r;⟩
}",
        body: "int *p = give@(⟨1¦ND⟩);
⟨int *q = give@(2);
CHECK(p ⟨==¦!=⟩ q);
¦⟩⟨if (RARE) *p = 1;¦if (p) CHECK((long)p != 0);¦⟩
⟨if (RARE) free(p);¦⟩",
    },
    Trap {
        globals: "",
        body: "int *p = 0;
⟨{
p = (int[]){1, 2, 3};
}¦{
int inner[3] = {1, 2, 3};
if (⟨RARE¦ND⟩) p = inner;
}¦p = (int[]){1, 2, 3};⟩
⟨if (p) CHECK(p[⟨0¦2¦3⟩] == ⟨1¦3⟩);¦if (p && RARE) p[1] = 0;⟩",
    },
    Trap {
        globals: "static int count@(void) {
static int calls;
return ⟨calls++¦++calls¦calls⟩;
}",
        body: "int a = count@();
int b = count@();
CHECK(⟨b == a + 1¦a == 0¦b > a¦b >= a¦b <= ⟨1¦2¦5⟩⟩);",
    },
    // Freed, and freed in the next round.
    Trap {
        globals: "",
        body: "char *p = malloc(4), *q = p;
for (int i = 0; i < 3; i++) {
if (⟨i == №¦RARE¦ND⟩) {
free(⟨p¦q⟩);
⟨p = 0;¦p = malloc(4);¦p = q = malloc(4);¦p = 0;
q = 0;⟩
}
⟨if (p) ¦if (q) ¦⟩*⟨p¦q⟩ = 1;
}
free(p);",
    },
];
