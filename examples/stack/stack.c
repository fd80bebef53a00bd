// A stack as an abstract type: only this file knows what it is made of.
#include <stdlib.h>

#include "stack.h"

struct cell {
    int value;
    struct cell *below;
};

struct stack {
    struct cell *top;
};

struct stack *stack_new(void) {
    return calloc(1, sizeof(struct stack));
}

void stack_push(struct stack *stack, int value) {
    struct cell *cell = malloc(sizeof *cell);
    cell->value = value;
    cell->below = stack->top;
    stack->top = cell;
}

int stack_pop(struct stack *stack) {
    struct cell *cell = stack->top;
    int value = cell->value;
    stack->top = cell->below;
    free(cell);
    return value;
}

int stack_is_empty(const struct stack *stack) {
    return !stack->top;
}

void stack_delete(struct stack *stack) {
    while (!stack_is_empty(stack))
        stack_pop(stack);
    free(stack);
}
