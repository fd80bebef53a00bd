// Increments through pointers and of narrow types.
int main(void) {
    int numbers[4] = {1, 2, 3, 4};
    int *p = numbers;
    int first = *p++;
    int second = ++*p;
    int third = (*p)++;
    int fourth = *++p;
    int fifth = p--[1];
    char text[] = "abc", *q = text;
    while (*q)
        *q++ -= 32;
    _Bool flag = 1;
    flag++;
    flag--;
    unsigned char byte = 0;
    byte--;
    signed char wraps = 127;
    wraps++;
    return !(first == 1 && second == 3 && third == 3 && fourth == 3 && fifth == 4 && *p == 4 &&
             text[0] == 'A' && q - text == 3 && !flag && byte == 255 && wraps == -128);
}
