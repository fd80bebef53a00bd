//@ truth: holds
//@ now: holds
//@ run: exit 0
// A line of at most 99 characters loses its newline; then a letter is looked for.
#include <stdio.h>
#include <string.h>

int main(void) {
    char line[100];
    if (fgets(line, sizeof line, stdin) == NULL)
        return 0;
    size_t length = strlen(line);
    if (length > 0 && line[length - 1] == '\n')
        line[length - 1] = '\0';
    for (size_t i = 0; line[i] != '\0'; i++)
        if (line[i] == 'S')
            return 1;
    return 0;
}
