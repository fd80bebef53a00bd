int helper(int value) {
    return value + 1;
}
