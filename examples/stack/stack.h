// What the two files of the program agree on.
#ifndef STACK_H
#define STACK_H

struct stack;

struct stack *stack_new(void);
void stack_push(struct stack *stack, int value);
int stack_pop(struct stack *stack);
int stack_is_empty(const struct stack *stack);
void stack_delete(struct stack *stack);

#endif
