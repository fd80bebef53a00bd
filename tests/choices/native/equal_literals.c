int main(void)
{
    const char *first = "literal", *second = "literal", *end = "eral";
    return (first == second) + 2 * (first + 3 == end);
}
