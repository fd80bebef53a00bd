int main(void) {
    int *pointer = 5;
    return pointer != (int *)5;
}
