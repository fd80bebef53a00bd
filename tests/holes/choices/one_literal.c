// Equal literals may be one object.
extern void reach_error(void);

int main(void)
{
    const char *one = "heap";
    const char *other = "heap";
    if (one == other)
        reach_error();
    return 0;
}
