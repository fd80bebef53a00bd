#include <stdint.h>

static uintptr_t address(void)
{
    volatile int local = 1;
    return (uintptr_t)&local;
}

static uintptr_t address_elsewhere(void)
{
    volatile int other = 1;
    return (uintptr_t)&other;
}

int main(void)
{
    uintptr_t rounds[2];
    for (int round = 0; round < 2; round++) {
        volatile int local = round;
        rounds[round] = (uintptr_t)&local;
    }
    return (rounds[0] == rounds[1]) + 2 * (address() == address())
        + 4 * (address() == address_elsewhere());
}
