//@ truth: holds
//@ now: holds
//@ run: exit 0
//@ with: stack.c
// A program of several files, linked: evaluates 2 3 4 * + on the stack of stack.c.
#include <stdio.h>

#include "stack.h"

int main(void) {
    struct stack *stack = stack_new();
    stack_push(stack, 2);
    stack_push(stack, 3);
    stack_push(stack, 4);
    stack_push(stack, stack_pop(stack) * stack_pop(stack));
    stack_push(stack, stack_pop(stack) + stack_pop(stack));
    printf("%d\n", stack_pop(stack));
    stack_delete(stack);
    return 0;
}
