struct node { struct node *next; };
int main(void) {
    struct node node;
    return node.previous != 0;
}
