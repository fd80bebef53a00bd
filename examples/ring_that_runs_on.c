//@ truth: violated valid-deref
//@ now: violated valid-deref 24
//@ run: exit 1
// A queue in a ring: places are taken modulo its size where numbers are put in, but not where they are taken out.
extern int __VERIFIER_nondet_int(void);

enum { SIZE = 12 };

struct ring {
    int numbers[SIZE];
    unsigned first, count;
};

static void put(struct ring *ring, int number) {
    if (ring->count < SIZE) {
        ring->numbers[(ring->first + ring->count) % SIZE] = number;
        ring->count++;
    }
}

static int take(struct ring *ring) {
    int number = -1;
    if (ring->count > 0) {
        number = ring->numbers[ring->first];
        ring->first++;
        ring->count--;
    }
    return number;
}

int main(void) {
    static struct ring ring;
    int sum = 0;
    while (__VERIFIER_nondet_int()) {
        if (__VERIFIER_nondet_int() > 0) {
            put(&ring, 1);
        } else {
            sum += take(&ring);
        }
    }
    return sum < 0;
}
