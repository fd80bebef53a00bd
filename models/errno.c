// defines: __errno_location
// The object that `errno` names. One thread, hence one object.

static int error_number;

int *__errno_location(void)
{
    return &error_number;
}
