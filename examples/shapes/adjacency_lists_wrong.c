//@ truth: violated unreach-call
//@ now: violated unreach-call 60
//@ run: exit 101
//@ property: unreach-call
//@ engine: three-valued
//@ shape-classes: classes.txt
// A graph: a list of vertices, each with a list of edges, but an edge to its own vertex has no end. Edges wait in a
// pool, where they join nothing, until they are used.
#include <stdlib.h>

extern int __VERIFIER_nondet_int(void);
static void reach_error(void) {}

struct vertex;

struct edge {
    struct vertex *from, *to;
    struct edge *next;
};

struct vertex {
    struct vertex *next;
    struct edge *edges;
};

int main(void) {
    struct edge *pool = 0;
    while (__VERIFIER_nondet_int()) {
        struct edge *fresh = malloc(sizeof *fresh);
        fresh->from = 0;
        fresh->to = 0;
        fresh->next = pool;
        pool = fresh;
    }
    struct vertex *graph = malloc(sizeof *graph);
    graph->next = 0;
    graph->edges = 0;
    while (pool && __VERIFIER_nondet_int()) {
        struct vertex *fresh = malloc(sizeof *fresh);
        struct edge *edge = pool;
        pool = edge->next;
        edge->from = fresh;
        edge->to = graph;
        edge->next = 0;
        fresh->next = graph;
        fresh->edges = edge;
        graph = fresh;
        if (pool && __VERIFIER_nondet_int()) {
            edge = pool;
            pool = edge->next;
            edge->from = graph;
            edge->next = graph->edges;
            graph->edges = edge;
        }
    }
    while (graph->next && __VERIFIER_nondet_int())
        graph = graph->next;
    for (struct edge *edge = graph->edges; edge; edge = edge->next)
        if (!edge->from || !edge->to)
            reach_error();
    return 0;
}
