// Variable-length arrays: bounds are evaluated once, where they are declared.
static int row_size(int n, int rows[n][n]) {
    n = 100;
    return sizeof rows[0];
}

int main(void) {
    int n = 3, total = 0;
    typedef int row[n];
    n = 4;
    row fixed;
    int square[2][n];
    for (int i = 0; i < 2; i++)
        for (int j = 0; j < n; j++)
            square[i][j] = i * n + j;
    int(*second)[n] = square + 1;
    n = 50;
    for (int round = 1; round < 4; round++) {
        int buffer[round];
        buffer[round - 1] = round;
        total += buffer[round - 1] + sizeof buffer;
    }
    int grid[2][2];
    return !(sizeof fixed == 12 && (*second)[1] == 5 && sizeof *second == 16 && total == 30 &&
             row_size(2, grid) == 8);
}
