// The object may change between two reads.
extern void reach_error(void);

static volatile int device;

int main(void)
{
    int first = device;
    int second = device;
    if (first != second)
        reach_error();
    return 0;
}
