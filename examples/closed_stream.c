//@ truth: violated valid-deref
//@ now: violated valid-deref 14
//@ run: exit 1
// The file is closed where it cannot be read, and once more at the end.
#include <stdio.h>

int main(void) {
    FILE *file = fopen("numbers.txt", "r");
    if (file == NULL)
        return 1;
    int number;
    if (fscanf(file, "%d", &number) != 1)
        fclose(file);
    fclose(file);
    return 0;
}
