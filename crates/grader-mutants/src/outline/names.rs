//! Names of functions of libraries that do the same in all languages.

pub(super) fn is_print(name: &str) -> bool {
    matches!(name, "print" | "println" | "printf" | "write" | "puts" | "Println" | "Printf" | "Print" | "log")
}

pub(super) fn is_read(name: &str) -> bool {
    name.starts_with("next")
        || matches!(
            name,
            "input" | "readline" | "readLine" | "scanf" | "getline" | "readln" | "Scan" | "Fscan" | "Scanln"
        )
}

pub(super) fn is_length(name: &str) -> bool {
    matches!(name, "len" | "size" | "length" | "count")
}

/// Functions that only change the form of a value.
pub(super) fn is_conversion(name: &str) -> bool {
    matches!(
        name,
        "int"
            | "str"
            | "float"
            | "double"
            | "list"
            | "tuple"
            | "valueOf"
            | "to_string"
            | "parseInt"
            | "parseDouble"
            | "parseLong"
            | "c_str"
            | "toString"
            | "format"
            | "String"
            | "Number"
            | "long"
            | "strip"
            | "trim"
            | "unwrap"
            | "clone"
            | "iter"
            | "into_iter"
            | "collect"
            | "map"
            | "to_owned"
            | "as_str"
    ) || name.starts_with("static_cast")
}
