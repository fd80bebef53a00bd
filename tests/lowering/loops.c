// The three loops, with break, continue and nothing to do.
int main(void) {
    int total = 0;
    for (int i = 0; i < 10; i++) {
        if (i == 2)
            continue;
        if (i == 5)
            break;
        total += i;
    }
    int n = 3;
    while (n)
        total += n--;
    do {
        total++;
        if (total == 16)
            continue;
    } while (total < 18);
    for (;;)
        if (total++ > 20)
            break;
    return total != 22;
}
