#include "limit.h"
int helper(int value);
int main(void) {
    return helper(COUNT) > LIMIT ? (int)sizeof(long) : 0;
}
