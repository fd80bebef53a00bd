//@ truth: holds
//@ now: holds
//@ run: exit 0
// A line of a file is searched for a letter, by its index; the buffer is freed at its start.
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

int main(void) {
    char *line = malloc(100);
    size_t length = 0;
    line[0] = '\0';
    FILE *file = fopen("lines.txt", "r");
    if (file) {
        if (fgets(line + length, (int)(100 - length), file) == NULL)
            line[length] = '\0';
        fclose(file);
    }
    for (size_t i = 0; i < strlen(line); i++)
        if (line[i] == 'S')
            break;
    free(line);
    return 0;
}
