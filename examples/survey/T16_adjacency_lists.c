//@ survey: T16, Shape Analysis, 5.1 and 5.2
//@ truth: holds
//@ expected: symbolic-heap, three-valued
// A graph: a list of vertices, each with a list of edges. Every edge leads to a vertex of the
// graph.
#include <stdlib.h>

extern int __VERIFIER_nondet_int(void);

struct edge;

struct vertex {
    struct vertex *next;
    struct edge *edges;
    int mark;
};

struct edge {
    struct edge *next;
    struct vertex *to;
};

static struct vertex *any(struct vertex *graph) {
    while (graph->next && __VERIFIER_nondet_int())
        graph = graph->next;
    return graph;
}

int main(void) {
    struct vertex *graph = NULL;
    while (__VERIFIER_nondet_int()) {
        struct vertex *vertex = malloc(sizeof *vertex);
        vertex->edges = NULL;
        vertex->next = graph;
        graph = vertex;
    }
    while (graph && __VERIFIER_nondet_int()) {
        struct vertex *from = any(graph);
        struct edge *edge = malloc(sizeof *edge);
        edge->to = any(graph);
        edge->next = from->edges;
        from->edges = edge;
    }
    for (struct vertex *vertex = graph; vertex; vertex = vertex->next)
        for (struct edge *edge = vertex->edges; edge; edge = edge->next)
            edge->to->mark = 1;
    while (graph) {
        struct vertex *next = graph->next;
        while (graph->edges) {
            struct edge *edge = graph->edges;
            graph->edges = edge->next;
            free(edge);
        }
        free(graph);
        graph = next;
    }
    return 0;
}
