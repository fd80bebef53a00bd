#include "limit.h"
#ifndef COUNT
#error give -D COUNT=...
#endif
int main(void) {
    return COUNT > LIMIT;
}
