//@ truth: violated valid-free
//@ now: violated valid-free 18
//@ run: exit 0
// A line of a file is searched for a letter by the pointer that is freed afterwards.
#include <stdio.h>
#include <stdlib.h>

int main(void) {
    char *line = malloc(100);
    line[0] = '\0';
    FILE *file = fopen("lines.txt", "r");
    if (file) {
        if (fgets(line, 100, file) == NULL)
            line[0] = '\0';
        fclose(file);
    }
    while (*line != '\0' && *line != 'S') line++;
    free(line);
    return 0;
}
