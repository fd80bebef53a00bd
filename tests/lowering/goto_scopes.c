// Jumps into and out of blocks: objects come to life and die on the way.
static int touch(int *p) { return *p; }

int main(void) {
    int rounds = 0, total = 0;
again:
    {
        int inner = rounds;
        total += touch(&inner);
        if (rounds == 1)
            goto into;
        rounds++;
        goto again;
    }
    {
        int skipped = 100;
        total += touch(&skipped);
    into:
        skipped = 5;
        total += touch(&skipped);
        {
            int deep[2] = {1, 2};
            total += touch(deep + 1);
            goto out;
        }
    }
out:
    return total != 8;
}
