// defines: basename
// GNU's basename, of <string.h>: what follows the last slash. (The one of <libgen.h> is another
// function, __xpg_basename.)

typedef __SIZE_TYPE__ size_t;

char *basename(const char *path)
{
    const char *name = path;
    for (size_t at = 0; path[at] != '\0'; at++) {
        if (path[at] == '/')
            name = path + (at + 1);
    }
    return (char *)name;
}
