//@ truth: violated valid-deref
//@ now: violated valid-deref 19
//@ run: exit 0
// A line is cut at its newline; of a line that is as long as the buffer, the end is cut off too.
#include <stdio.h>
#include <string.h>

int main(void) {
    char line[8];
    if (fgets(line, sizeof line, stdin) == NULL)
        return 0;
    size_t length = strlen(line);
    // The last character is taken for the newline, and what comes behind it is printed over.
    if (length == sizeof line - 1)
        line[length] = '.';
    else if (length > 0)
        line[length - 1] = '\0';
    size_t all = 0;
    while (line[all] != '\0')
        all++;
    printf("%d\n", (int)all);
    return 0;
}
