//! The figures that the papers print.

use heapwright_property::Property;

/// A category of Malík, Hruška, Schrammel, Vojnar, FMCAD 2018, table I.
pub(super) struct Category {
    pub(super) name: &'static str,
    pub(super) property: Property,
    /// Its folders in SV-COMP 2018. Folders that came later are not among them.
    pub(super) folders: &'static [&'static str],
    /// Processor seconds and score, with heap domain and without.
    pub(super) with_heap: (f64, i64),
    pub(super) without: (f64, i64),
}

pub(super) const CATEGORIES: [Category; 5] = [
    Category {
        name: "RS-ControlFlow",
        property: Property::UnreachCall,
        folders: &["locks", "ntdrivers", "ntdrivers-simplified", "ssh", "ssh-simplified"],
        with_heap: (252.0, 64),
        without: (1400.0, 45),
    },
    Category {
        name: HEAP_REACHABILITY,
        property: Property::UnreachCall,
        folders: &[
            "ddv-machzwd",
            "forester-heap",
            "heap-manipulation",
            "ldv-regression",
            "ldv-sets",
            "list-ext-properties",
            "list-ext2-properties",
            "list-properties",
        ],
        with_heap: (41.0, 106),
        without: (53.0, -161),
    },
    Category {
        name: "MS-Heap",
        property: Property::ValidMemsafety,
        folders: &[
            "ldv-memsafety",
            "ldv-memsafety-bitfields",
            "list-ext-properties",
            "memory-alloca",
            "memsafety",
            "memsafety-ext",
            "memsafety-ext2",
        ],
        with_heap: (17.5, 59),
        without: (190.0, -194),
    },
    Category {
        name: "MS-LinkedLists",
        property: Property::ValidMemsafety,
        folders: &["ddv-machzwd", "forester-heap", "heap-manipulation", "list-properties"],
        with_heap: (107.0, 7),
        without: (96.0, -182),
    },
    Category {
        name: "MS-Other",
        property: Property::ValidMemsafety,
        folders: &["locks", "loop-acceleration", "loops", "ntdrivers", "ntdrivers-simplified"],
        with_heap: (29.0, 46),
        without: (23.0, 46),
    },
];

/// The category that the thesis before FMCAD 2018 measures, too.
pub(super) const HEAP_REACHABILITY: &str = "RS-Heap";

/// FMCAD 2018, table II: the task in `heap-data`, its name there, and what 2LS, CPA-Seq, PredatorHP,
/// Forester, Symbiotic and UAutomizer answer, seconds where they are right.
pub(super) const DATA_IN_LISTS: [(&str, [&str; 7]); 10] = [
    ("calendar", ["Calendar", "2.88", "timeout", "false", "unknown", "timeout", "timeout"]),
    ("cart", ["Cart", "23.70", "timeout", "false", "unknown", "timeout", "timeout"]),
    ("hash_fun", ["Hash Function", "3.65", "8.51", "unknown", "unknown", "unknown", "timeout"]),
    ("min_max", ["MinMax", "5.14", "timeout", "false", "unknown", "timeout", "timeout"]),
    (
        "packet_filter",
        ["Packet Filter", "431.00", "timeout", "timeout", "unknown", "unknown", "timeout"],
    ),
    (
        "process_queue",
        ["Process Queue", "6.62", "7.68", "timeout", "unknown", "timeout", "timeout"],
    ),
    ("quick_sort_split", ["Quick Sort", "18.20", "3.50", "timeout", "unknown", "unknown", "5.75"]),
    (
        "running_example",
        ["Running Example", "1.24", "timeout", "timeout", "unknown", "timeout", "unknown"],
    ),
    ("shared_mem1", ["SM1", "0.53", "timeout", "0.31", "false", "timeout", "timeout"]),
    ("shared_mem2", ["SM2", "0.55", "5.41", "false", "false", "timeout", "14.50"]),
];

/// The thesis on heap domains in 2LS, table 5.1: without its extension, and with it.
pub(super) const HEAP_OF_2017: [(&str, [&str; 2]); 8] = [
    ("tasks", ["173", "173"]),
    ("correct true", ["54", "62"]),
    ("correct false", ["23", "20"]),
    ("incorrect true", ["6", "3"]),
    ("incorrect false", ["11", "1"]),
    ("inconclusive", ["79", "87"]),
    ("score", ["-237", "32"]),
    ("CPU s for each finished task", ["0.31", "0.37"]),
];

/// Beyer, Henzinger, Théoduloz, Zufferey, SAS 2010, table 1: seconds with the largest class; class and
/// families that refinement finds, refinements of pointers and classes, seconds with annotations and with
/// explicit heaps.
pub(super) const SHAPE_REFINEMENT: [(&str, [&str; 5]); 14] = [
    ("cancel_list_link", ["10.04", "dll 1/3", "1, 1", "12.65", "13.76"]),
    ("cancel_list_insert_after", ["23.62", "dll 1/3", "1, 1", "24.41", "26.82"]),
    ("cancel_list_insert_before", ["30.90", "dll 3/3", "2, 2", "69.01", "77.22"]),
    ("cancel_list_remove", ["4.42", "dll 2/3", "1, 1", "28.49", "29.05"]),
    ("acyclic_list_link", ["11.57", "sll 2/2", "1, 1", "6.32", "6.49"]),
    ("acyclic_list_insert_after", ["24.21", "sll 2/2", "1, 1", "23.57", "26.06"]),
    ("acyclic_list_insert_before", ["34.53", "dll 3/3", "2, 2", "80.81", "88.21"]),
    ("acyclic_list_remove", ["4.23", "sll 2/2", "1, 2", "96.77", "99.75"]),
    ("bintree_rotate_left", ["> 9000", "tree 2/4", "3, 2", "414.28", "521.31"]),
    ("bintree_rotate_right", ["> 9000", "tree 2/4", "3, 1", "419.24", "437.30"]),
    ("bintree_rotate_left_right", ["> 9000", "tree 2/4", "2, 2", "7023.41", "7401.74"]),
    ("treep_rotate_left", ["> 9000", "tree+p 2/5", "4, 2", "180.58", "66.63"]),
    ("treep_rotate_right", ["> 9000", "tree+p 2/5", "4, 2", "402.70", "384.19"]),
    ("treep_rotate_left_right", ["> 9000", "tree+p 2/5", "4, 2", "1175.14", "1189.42"]),
];
