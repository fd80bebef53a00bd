// The inner loop is walked once in the first round of the outer one and once in every other, and
// both parts of the array are called `key`. `reach_error` is called in the second round.
extern void reach_error(void);
extern int __VERIFIER_nondet_int(void);

struct part {
    int key;
    int rest;
};

static struct part parts[2];

int main(void)
{
    struct part *first = parts;
    struct part *second = first + 1;
    int round = 0;

    first->key = 3;
    second->key = 4;
    while (round < 2) {
        int i = 0;
        while (i < 50) {
            i++;
            if (__VERIFIER_nondet_int()) {
                first->key = 3;
                second->key = 4;
            }
        }
        if (first->key == second->key)
            return 0;
        round++;
    }
    reach_error();
    return 0;
}
