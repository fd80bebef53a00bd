//@ truth: violated unreach-call
//@ now: violated unreach-call 14
//@ run: exit 0
// A bug that few inputs show: trying some will hardly find it, reasoning about them will.
extern unsigned __VERIFIER_nondet_uint(void);
extern void reach_error(void);

int main(void) {
    unsigned x = __VERIFIER_nondet_uint();
    unsigned y = __VERIFIER_nondet_uint();
    if (x * y == 1234567891 && x > 1 && y > 1 && x + y == 3)
        return 0;
    if (x * 7 + y == 305419896 && x - y == 64)
        reach_error();
    return 0;
}
