// typeof: of variables, of expressions that are not evaluated, with arrays and pointers.
int main(void) {
    int calls = 0;
    short small = 3;
    __typeof__(small + 1) promoted = 70000;
    __typeof__(calls++) untouched = 1;
    __typeof__(int[3]) array = {1, 2, 3};
    __typeof__(&array[0]) pointer = array;
    __auto_type guessed = 5L;
    return !(promoted == 70000 && calls == 0 && untouched == 1 && pointer[2] == 3 &&
             sizeof guessed == sizeof(long));
}
