// defines: ffs ffsl ffsll
// The position of the lowest set bit, counted from 1; 0 if there is none.

static int first_set(unsigned long long value)
{
    if (value == 0)
        return 0;
    int position = 1;
    while ((value & 1) == 0) {
        value = value >> 1;
        position++;
    }
    return position;
}

int ffs(int value)
{
    return first_set((unsigned int)value);
}

int ffsl(long value)
{
    return first_set((unsigned long)value);
}

int ffsll(long long value)
{
    return first_set((unsigned long long)value);
}
