// defines: strerror
// A text for an error number. Which text is up to the locale: all numbers share one here.

static char text[] = "Error";

char *strerror(int number)
{
    (void)number;
    return text;
}
