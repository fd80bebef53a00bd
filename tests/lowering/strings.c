// String initialisers: exact, too short, too long by the terminator, wide, joined.
static char joined[] = "ab"
                       "cd";
static char rows[2][4] = {"no", "yes"};

int main(void) {
    char exact[3] = "xyz";
    char padded[6] = "q";
    char braces[] = {"hi"};
    int wide[] = L"wx";
    const char *literal = "lit";
    return !(sizeof joined == 5 && rows[1][2] == 's' && exact[2] == 'z' && padded[5] == 0 &&
             sizeof braces == 3 && wide[1] == 'x' && literal[3] == 0 && "abc"[1] == 'b');
}
