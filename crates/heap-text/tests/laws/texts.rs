//! Abstract heaps as texts, one of each sort.

pub(crate) const LIST: &str = "
    global head = &b90
    in main at L0
    b90: heap, 16 bytes, list of 2+
      end = 0
      each
        node: heap, 16 bytes
          +0/8 = next
          +8/4 = 3
      end";

pub(crate) const KINDS: &str = "
    global head = &b90
    global count = number.1
    in main at L0
    b90: heap, 16 bytes, list of 1+
      end = 0
      each
        number n1: 32 bits
        node: heap, 16 bytes
          +0/8 = next
          +8/4 = n1
        where 5 <=s n1
        where n1 <=s 9
      end
      each
        node: heap, 24 bytes, zeroed
          +0/8 = next
          +16/8 = &owned1
        owned1: heap, 4 bytes
          +0/4 = number.1
      end
      sequence first 1, last 1 2, 1 then 1 2, 2 then 2
    number number.1: 32 bits
    where 2 <=s number.1";

pub(crate) const RING: &str = "
    global head = &b90 + 8
    global tail = &b91
    in main at L0
    b90: heap, 24 bytes, list of 1+ and back from b91 to +8
      end = &b90 + 8
      back = &b91 + 8
      each
        node: heap, 24 bytes
          +8/8 = next
          +16/8 = previous
      end
    b91: heap, 24 bytes, last of b90";

pub(crate) const SORTED: &str = "
    global head = &b90
    global count = number.1
    in main at L0
    b90: heap, 16 bytes, list of 2+, descending by +8/4
      end = 0
      first = number.1
      last = number.2
      each
        number n1: 32 bits
        node: heap, 16 bytes
          +0/8 = next
          +8/4 = n1
      end
    number number.1: 32 bits
    number number.2: 32 bits
    where number.2 <s number.1";

/// Two lists with the same numbers, but for the last one of the longer, which a variable has too.
pub(crate) const SPELT: &str = "
    global head = &b90
    global tail = &b91
    global count = number.1
    in main at L0
    b90: heap, 16 bytes, list of 1+
      end = 0
      spelt +8/4: some word.2, one number.1
      each
        node: heap, 16 bytes
          +0/8 = next
      end
    b91: heap, 16 bytes, list of 1+
      end = 0
      spelt +12/4: some word.2
      each
        node: heap, 16 bytes
          +0/8 = next
      end
    number word.2: 32 bits
    number number.1: 32 bits";

pub(crate) const TREE: &str = "
    global head = &b90
    global tail = &b92
    global other = &b91
    in main at L0
    b90: heap, 32 bytes, tree by +0 +8 and up by +16 from b91
      end = &b92
      back = 0
      each
        node: heap, 32 bytes
          +24/1 = 7
      end
    b91: heap, 32 bytes, last of b90
    b92: heap, 32 bytes
      +16/8 = &b91";

pub(crate) const SENTINEL: &str = "
    global head = &b90
    global tail = &b92
    global other = &b93
    in main at L0
    b90: heap, 24 bytes, tree by +0 +8
      end = &b92
      leaf = &b93 + 8
      each
        node: heap, 24 bytes
          +16/1 = 7
      end
    b92: heap, 24 bytes
      +0/8 = &b93 + 8
      +8/8 = &b93 + 8
    b93: heap, 24 bytes
      +16/8 = 0";

/// Nodes are told apart by what is at their links; some own a block in the place of one.
pub(crate) const VARIANTS: &str = "
    global head = &b90
    global tail = &b92
    in main at L0
    b90: heap, 24 bytes, tree by +0 +8
      end = &b92
      each with below leaf
        node: heap, 24 bytes
          +16/1 = 1
      end
      each with below below
        node: heap, 24 bytes
          +16/1 = 2
      end
      each with leaf leaf
        node: heap, 24 bytes
          +16/1 = 0
      end
      each with bytes leaf
        node: heap, 24 bytes
          +0/8 = &owned1
          +16/1 = 3
        owned1: heap, 5 bytes
      end
    b92: heap, 24 bytes
      +0/8 = 0
      +8/8 = 0";

/// Nobody but the tree leads to the sentinel.
pub(crate) const HIDDEN: &str = "
    global head = &b90
    in main at L0
    b90: heap, 24 bytes, tree by +0 +8
      leaf = &b93
      each
        node: heap, 24 bytes
          +16/1 = 7
      end
    b93: heap, 24 bytes
      +16/8 = 0";

pub(crate) const SEARCH_TREE: &str = "
    global head = &b90
    global tail = &b92
    global count = number.3
    in main at L0
    b90: heap, 24 bytes, tree by +0 +8, strictly ascending by +16/4
      end = &b92
      first = number.1
      last = number.2
      before = number.3
      behind = number.4
      each
        number n1: 32 bits
        node: heap, 24 bytes
          +16/4 = n1
      end
    b92: heap, 24 bytes
      +16/4 = number.5
    number number.1: 32 bits
    number number.2: 32 bits
    number number.3: 32 bits
    number number.4: 32 bits
    number number.5: 32 bits
    where number.3 <s number.5
    where number.5 <s number.4";

pub(crate) const HEAP: &str = "
    global head = &b90
    global tail = &b92
    in main at L0
    b90: heap, 24 bytes, tree by +0 +8, downwards +16/4 > >=
      end = &b92
      root1 = number.1
      above1 = number.2
      each
        number n1: 32 bits
        node: heap, 24 bytes
          +16/4 = n1
      end
    b92: heap, 24 bytes
      +16/4 = number.3
    number number.1: 32 bits
    number number.2: 32 bits
    number number.3: 32 bits
    where number.3 <s number.2";

pub(crate) const COLOURS: &str = "
    global head = &b90
    in main at L0
    b90: heap, 24 bytes, tree by +0 +8, downwards +16/4 nonzero-over-zero, downwards +20/4 one-more
      root1 = 1
      root2 = number.1
      each
        number n1: 32 bits
        number n2: 32 bits
        node: heap, 24 bytes
          +16/4 = n1
          +20/4 = n2
        where (n1 == 0) || (n1 == 1)
      end
    number number.1: 32 bits";

pub(crate) const NESTED: &str = "
    global head = &b90
    in main at L0
    b90: heap, 16 bytes, list of 1+
      end = 0
      each
        node: heap, 16 bytes
          +0/8 = next
          +8/8 = &owned1
        owned1: heap, 16 bytes, list of 1+
          end = &node
          each
            inner.node: heap, 16 bytes
              +0/8 = inner.next
              +8/8 = &node
          end
      end";

/// Elements that are their index, as many as a number says.
pub(crate) const ELEMENTS: &str = "
    global head = &b90
    global count = number.1
    in main at L0
    b90: heap, 64 bytes
      every/4 by 4 from 8 to sext64(number.1) << 2 holds here == place[33:2]
    number number.1: 32 bits
    where 4 <=s number.1
    where number.1 <=s 16";

/// Elements that are the same in two blocks, one place further on in the second.
pub(crate) const COPY: &str = "
    global head = &b90
    global tail = &b91
    global count = number.1
    in main at L0
    b90: heap, 32 bytes
      every/4 by 4 from 0 to sext64(number.1) << 2 beside b91 at 4 holds (here == there) && (here != 0) && (here != 65)
    b91: heap, 32 bytes
    number number.1: 32 bits
    where 1 <=s number.1
    where number.1 <=s 7";

/// Two lists that may be empty, one of which is in a block of its own and as long as a number says.
pub(crate) const EMPTY: &str = "
    global head = &b90
    global tail = &b91
    global other = &b90
    in main at L0
    b90: heap, 16 bytes, list of 0+
      end = 0
      each
        node: heap, 16 bytes
          +0/8 = next
          +8/8 = 7
      end
    b91: heap, 16 bytes
      +0/8 = &b92
      +8/8 = number.1
    b92: heap, 8 bytes, list of 0+
      end = 0
      length = number.1
      each
        node: heap, 8 bytes
          +0/8 = next
      end
    number number.1: 64 bits";

/// A node of which it is open which links are null.
pub(crate) const EMPTY_TREES: &str = "
    global head = &b90
    in main at L0
    b90: heap, 32 bytes
      +0/8 = &b91
      +8/8 = &b92
      +16/8 = 0
      +24/4 = 1
    b91: heap, 32 bytes, tree of 0+ by +0 +8 +16
      each
        node: heap, 32 bytes
          +24/4 = 2
      end
    b92: heap, 32 bytes, tree of 0+ by +0 +8 +16
      each
        node: heap, 32 bytes
          +24/4 = 3
      end";

/// Each node tells how long it is.
pub(crate) const SIZES: &str = "
    global head = &b90
    in main at L0
    b90: heap, 12 bytes, list of 1+
      end = 0
      each
        number n1: 32 bits
        node: heap, (sext64(n1) + 12) bytes
          +0/8 = next
          +8/4 = n1
        where 0 <=s n1
        where n1 <=s 9
      end";

/// Pointers in an array, up to one that was taken out: each to a list, or null.
pub(crate) const ROWS: &str = "
    global head = &b90
    global count = n1
    in main at L0
    b90: heap, zext64(n1) << 3 bytes
    b91: elements, 8 bytes, row by 8
      of = &b90
      from = 0
      to = (zext64(n1) << 3) + -8
      each
        node: elements, 8 bytes
          +0/8 = &owned1
        owned1: heap, 16 bytes, list of 1+
          end = 0
          each
            inner.node: heap, 16 bytes
              +0/8 = inner.next
              +8/4 = 3
          end
      end
      each
        node: elements, 8 bytes
          +0/8 = 0
      end
    b92: elements, 8 bytes, slot
      +0/8 = &b93
      of = &b90
      from = (zext64(n1) << 3) + -8
    b93: heap, 4 bytes
      +0/4 = 7
    number n1: 32 bits
    where 1 <=s n1
    where n1 <=s 9";

/// Each node knows the link that leads to it.
pub(crate) const LINKS: &str = "
    global head = &b90
    global tail = &b91
    in main at L0
    b89: heap, 8 bytes
      +0/8 = &b90
    b90: heap, 24 bytes, list of 1+ and back from b91 to +0 and +8
      end = 0
      back = &b89
      each
        node: heap, 24 bytes
          +0/8 = 5
          +8/8 = next
          +16/8 = previous
      end
    b91: heap, 24 bytes, last of b90";

/// A list of lists by predicates; the nodes of the inner ones point behind their owner.
pub(crate) const INSTANCE: &str = "
    global head = &b90
    in main at L0
    b90: heap, 16 bytes, instance of combs
    predicate combs/0 of 16 bytes: empty null; node +0/8 = c1, +8/8 = c2, c1 is combs(), c2 is teeth(c1)
    predicate teeth/1 of 24 bytes: empty null; node +0/8 = c1, +8/8 = p1, +16/4 = 7, c1 is teeth(p1)";

/// A doubly linked list by a predicate, but for what hangs on a cursor.
pub(crate) const HOLE: &str = "
    global head = &b90
    global tail = &b92
    in main at L0
    b89: heap, 1 bytes
    b90: heap, 24 bytes, instance of dll without dll from b91
      end = &b92
      argument1 = 0
      argument2 = &b89
      wanted1 = &b91
      wanted2 = &b89
    b91: heap, 24 bytes, last of b90
    b92: heap, 24 bytes
      +0/8 = 0
      +8/8 = &b91
      +16/8 = &b89
    predicate dll/2 of 24 bytes: empty null; node +0/8 = c1, +8/8 = p1, +16/8 = p2, c1 is dll(this, p2)";

pub(crate) const ALL: [&str; 22] = [
    LIST,
    KINDS,
    RING,
    SORTED,
    TREE,
    SENTINEL,
    VARIANTS,
    HIDDEN,
    SEARCH_TREE,
    HEAP,
    COLOURS,
    NESTED,
    ELEMENTS,
    COPY,
    EMPTY,
    EMPTY_TREES,
    SIZES,
    ROWS,
    LINKS,
    INSTANCE,
    HOLE,
    SPELT,
];
