//! Loops: nested ones with many walks, fields of one name in several places, counters that matter
//! only together.

use crate::traps::Trap;

pub(crate) const TRAPS: &[Trap] = &[
    // Two elements with a field of one name.
    Trap {
        globals: "struct one@ { int f; int pad; };",
        body: "struct one@ *pa = malloc(16), *pb = pa + 1;
pa->f = 1;
pb->f = 2;
int o = 0, key = ND;
while (1) {
int j = 0;
while (j < ⟨3¦100¦1000⟩) {
j++;
if (ND) {
pa->f = ⟨1¦1¦2⟩;
pb->f = 2;
}
}
if (pa->f == pb->f) break;
o++;
if (o >= ⟨2¦3⟩ && ⟨key == 1234567¦1⟩) ⟨reach_error();¦reach_error();¦break;⟩
}
free(pa);",
    },
    // Fields of one name at different places of one block.
    Trap {
        globals: "struct one@ { int f; int pad; };
struct two@ { int pad; int f; };",
        body: "struct one@ *pa = malloc(sizeof *pa);
struct two@ *pb = (struct two@ *)pa;
pa->f = 1;
pb->f = 2;
for (int i = 0; i < ⟨3¦ND⟩; i++) ⟨pa->f = ⟨1¦i⟩;¦pb->f = i;¦if (ND) pa->pad = 2;⟩
CHECK(⟨pa->f == 1¦pb->f == 2¦pa->f != pb->f¦pa->pad == pb->f⟩);
free(pa);",
    },
    Trap {
        globals: "struct lh@ { struct lh@ *next; int id; };
struct both@ { struct lh@ a; struct lh@ b; };
static void touch@(struct lh@ *l, int n) {
⟨if (n > 0) touch@(l, n - 1);
else l->id = ND;¦for (int i = 0; i < n; i++) l->id = ND;¦while (n-- > 0) l->id += 1;⟩
}",
        body: "struct both@ *x = malloc(sizeof *x);
struct lh@ *pa = &x->a, *pb = &x->b;
pa->id = 0;
pb->id = 0;
touch@(pb, ⟨2¦100⟩);
int b = pb->id;
touch@(⟨pa¦pa¦pb⟩, ⟨2¦100⟩);
int a = pa->id;
⟨CHECK(a ⟨==¦<=⟩ b);¦if (a == 77 && b == 78) reach_error();¦CHECK(pb->id == b);⟩
free(x);",
    },
    // Many walks one after the other in a round.
    Trap {
        globals: "",
        body: "int x = 0, y = 0, n = ⟨ND¦3¦ND & 7⟩;
for (int i = 0; i < ⟨2¦3¦n⟩; i++) {
int j = 0;
while (j < ⟨2¦3¦10⟩) {
j++;
⟨x += 1;¦if (ND) x++;¦x = j;⟩
}
int k = ⟨0¦j⟩;
for (; k < ⟨3¦10⟩; k++) ⟨y += 1;¦y = x;¦if (ND) y = k;⟩
⟨while (ND) x = ⟨x¦0¦y⟩;
¦⟩CHECK(⟨j >= 2¦k >= 3¦y <= ⟨3¦10¦30⟩¦x <= ⟨3¦9¦30⟩¦j <= 10¦x >= 0¦y <= x⟩);
}
⟨CHECK(⟨x ⟨==¦<=⟩ ⟨6¦9¦4¦30⟩¦y <= 30¦x >= y⟩);¦⟩",
    },
    Trap {
        globals: "",
        body: "int s = 0, t = ⟨0¦1⟩, key = ND;
while (⟨ND¦s < 10¦s < 1000⟩) {
s ⟨+= 1¦++¦+= 2⟩;
⟨if (s > ⟨5¦100⟩) s = 0;¦t = !t;¦t += 2;¦if (key == s) t = 5;⟩
⟨if (s > 2000) break;¦⟩
}
CHECK(⟨s ⟨<=¦!=¦>=⟩ ⟨10¦1000¦11¦0¦7⟩¦t ⟨<=¦!=⟩ ⟨1¦5¦2⟩¦s >= 0⟩);",
    },
    // A rare value comes by after many rounds.
    Trap {
        globals: "",
        body: "unsigned i = 0, n = __VERIFIER_nondet_uint();
⟨if (n > ⟨10¦1000⟩) n = 10;¦⟩
int *p = malloc(40);
while (i < n) {
⟨if (i < 10) ¦if (i <= 10) ¦if (i == ⟨3¦9¦12⟩) ⟩p[i] = 1;
i⟨++¦ += 1¦ += 2⟩;
if (i > ⟨20¦9¦100⟩) break;
}
free(p);",
    },
    // A list whose values are known, until one is not.
    Trap {
        globals: "struct link@ { struct link@ *next; int value; };",
        body: "struct link@ *h = 0, *c;
int n = 0;
while (⟨ND¦n < 3¦n < ⟨5¦10⟩ && ND⟩) {
c = malloc(sizeof *c);
c->next = h;
c->value = ⟨1¦n¦RARE ? 9 : 1¦n & 1⟩;
h = c;
n++;
}
⟨for (c = h; c; c = c->next) CHECK(c->value ⟨==¦<=¦>=⟩ ⟨1¦0¦9⟩);¦if (h) CHECK(h->value ⟨==¦<⟩ ⟨n - 1¦1¦n⟩);¦int m = 0;
for (c = h; c; c = c->next) m++;
CHECK(m ⟨==¦<=⟩ ⟨n¦3⟩);¦if (h && RARE) h->next = ⟨0¦h¦h->next⟩;⟩
⟨while (h) {
c = h->next;
free(h);
h = c;
}¦while (h⟨¦ && h->next⟩) {
c = h;
h = h->next;
free(c);
}¦for (c = h; c; c = h) {
h = c->next;
⟨if (!RARE) ¦⟩free(c);
}⟩",
    },
    // A state machine.
    Trap {
        globals: "",
        body: "int state = 0, steps = 0;
char *p = 0;
while (steps++ < ⟨4¦10¦1000⟩) {
int in = ND;
if (state == 0 && in == ⟨3¦77⟩) {
p = malloc(4);
state = 1;
} else if (state == 1 && in == ⟨4¦78⟩) {
⟨*p = 1;¦p[⟨3¦4⟩] = 1;⟩
state = ⟨2¦1⟩;
} else if (state ⟨==¦>=⟩ ⟨2¦1⟩ && in == 5) {
free(p);
⟨p = 0;¦⟩
state = ⟨0¦3¦0⟩;
}
}
⟨if (state == 1 || state == 2) free(p);¦free(p);¦if (state) free(p);⟩",
    },
    // Values carried from round to round.
    Trap {
        globals: "int carried@[3];",
        body: "int a = 0, b = 1, c = 2;
for (int i = 0; i < ⟨2¦3¦4¦ND⟩; i++) {
int t = a;
a = b;
b = c;
c = t;
carried@[⟨a¦b¦i % 3¦i⟩] = ⟨i¦a⟩;
}
CHECK(⟨a != b¦a + b + c == 3¦a == ⟨0¦1¦2⟩¦c >= 0⟩);",
    },
    Trap {
        globals: "struct cell@ { int a; int b; } grid@[2];
struct other@ { int b; int a; } more@[2];",
        body: "for (int i = 0; i < ⟨2¦ND & 1⟩; i++) {
grid@[i].a = i;
more@[i].a = i + ⟨1¦10⟩;
for (int j = 0; j <= i; j++) grid@[j].b = more@[j].⟨a¦b⟩;
}
CHECK(⟨grid@[0].a == 0¦grid@[0].b ⟨==¦<=⟩ ⟨1¦0¦10⟩¦grid@[1].b == more@[1].a¦more@[0].b == 0¦grid@[1].a ⟨<=¦==⟩ 1⟩);",
    },
    Trap {
        globals: "static int twice@(int n) {
if (n <= 0) return ⟨0¦1⟩;
return twice@(n - 1) + ⟨2¦1⟩;
}",
        body: "int n = ⟨ND & 7¦3¦ND % 5¦20⟩;
int r = twice@(n);
CHECK(r ⟨==¦>=¦<=⟩ ⟨2 * n¦n¦0¦41⟩);",
    },
];
