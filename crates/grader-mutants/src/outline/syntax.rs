//! Which nodes of the grammars mean the same: blocks, types, literals, calls that print or read, and parts of nodes.

use tree_sitter::Node;

pub(super) fn children(node: Node<'_>) -> Vec<Node<'_>> {
    node.named_children(&mut node.walk()).filter(|child| !child.is_extra()).collect()
}

pub(super) fn last(node: Node<'_>) -> Option<Node<'_>> {
    children(node).pop()
}

/// The elements of a tuple without parentheses, or the node alone.
pub(super) fn elements(node: Node<'_>) -> Vec<Node<'_>> {
    match node.kind() {
        "pattern_list" | "expression_list" | "tuple" | "tuple_pattern" => children(node),
        _ => vec![node],
    }
}

pub(super) fn field<'tree>(node: Node<'tree>, names: &[&str]) -> Option<Node<'tree>> {
    names.iter().find_map(|name| node.child_by_field_name(name))
}

/// The first operand of a chain of operators.
pub(super) fn leftmost(node: Node<'_>) -> Node<'_> {
    let mut node = node;
    while let Some(left) = node.child_by_field_name("left") {
        node = left;
    }
    node
}

pub(super) fn operator_of<'a>(node: Node<'_>, source: &'a str) -> &'a str {
    let operator = field(node, &["operator"]).or_else(|| node.child(1));
    operator.and_then(|operator| source.get(operator.byte_range())).unwrap_or_default()
}

/// Whether an expression adds a number to a name, as counters do.
pub(super) fn is_counting(node: Node<'_>) -> bool {
    matches!(node.kind(), "binary_operator" | "binary_expression") && {
        let kinds: Vec<&str> = children(node).iter().map(Node::kind).collect();
        let is_place = |kind| {
            matches!(
                kind,
                "identifier"
                    | "attribute"
                    | "field_expression"
                    | "field_access"
                    | "subscript"
                    | "subscript_expression"
                    | "array_access"
            )
        };
        matches!(kinds[..], [one, other] if (is_number(one) && is_place(other)) || (is_number(other) && is_place(one)))
    }
}

pub(super) fn is_number(kind: &str) -> bool {
    matches!(kind, "integer" | "float" | "number_literal" | "number")
        || kind.ends_with("_literal") && (kind.contains("int") || kind.contains("float"))
}

pub(super) fn is_string(kind: &str) -> bool {
    matches!(kind, "string" | "string_literal" | "concatenated_string" | "raw_string_literal" | "template_string")
        || kind.ends_with("string_literal")
}

/// Nodes that say nothing about what a program does.
pub(super) fn is_silent(kind: &str) -> bool {
    kind.contains("comment")
        || kind.starts_with("preproc")
        || kind.starts_with("import")
        || matches!(
            kind,
            "using_declaration"
                | "package_declaration"
                | "package_clause"
                | "type_definition"
                | "alias_declaration"
                | "pass_statement"
                | "empty_statement"
                | "break_statement"
                | "continue_statement"
                | "global_statement"
                | "use_declaration"
                | "modifiers"
                | "access_specifier"
                | "parameters"
                | "formal_parameters"
                | "parameter_list"
                | "future_import_statement"
                | "case_label"
                | "switch_label"
                | "template_argument_list"
        )
}

pub(super) fn is_type(kind: &str) -> bool {
    matches!(
        kind,
        "type" | "primitive_type" | "type_identifier" | "type_descriptor" | "generic_type" | "dimensions_expr"
    ) || kind.ends_with("_type")
}

/// Nodes whose children are statements of one block.
pub(super) fn is_block(kind: &str) -> bool {
    matches!(
        kind,
        "module"
            | "program"
            | "translation_unit"
            | "source_file"
            | "block"
            | "compound_statement"
            | "statement_block"
            | "class_body"
            | "field_declaration_list"
            | "declaration_list"
            | "constructor_body"
            | "switch_block"
            | "enum_body"
            | "interface_body"
            | "function_body"
            | "statements"
            | "enum_body_declarations"
            | "ERROR"
    )
}

/// Nodes around statements that are no step of their own.
pub(super) fn is_wrapper(kind: &str) -> bool {
    matches!(
        kind,
        "else_clause"
            | "finally_clause"
            | "except_clause"
            | "catch_clause"
            | "try_statement"
            | "with_statement"
            | "decorated_definition"
            | "case_statement"
            | "switch_block_statement_group"
            | "switch_rule"
            | "case_clause"
            | "labeled_statement"
            | "template_declaration"
            | "namespace_definition"
            | "try_with_resources_statement"
            | "expression_case"
            | "default_case"
            | "match_block"
            | "match_arm"
            | "synchronized_statement"
            | "linkage_specification"
            | "unsafe_block"
            | "export_statement"
            | "impl_item"
    )
}

/// Definitions of functions and types.
pub(super) fn is_definition(kind: &str) -> bool {
    kind.starts_with("function_d")
        || matches!(
            kind,
            "class_definition"
                | "class_declaration"
                | "class_specifier"
                | "struct_specifier"
                | "method_declaration"
                | "constructor_declaration"
                | "function_item"
                | "method_definition"
                | "interface_declaration"
                | "enum_declaration"
                | "record_declaration"
                | "compact_constructor_declaration"
                | "object_declaration"
                | "companion_object"
                | "secondary_constructor"
        )
}

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
