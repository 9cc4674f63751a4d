//! Reading the records in `tests/data/cgt`.
#![allow(
    dead_code,
    unreachable_pub,
    missing_debug_implementations,
    reason = "each test binary uses its part"
)]

use std::collections::HashMap;

/// One row, by column name.
pub struct Row(HashMap<String, String>);

impl Row {
    pub fn get(&self, column: &str) -> &str {
        self.0
            .get(column)
            .unwrap_or_else(|| panic!("no column {column}"))
    }
}

/// Rows of a TSV file. `#` starts a comment unless the line holds tabs: then it names the columns.
pub fn rows(file: &str) -> Vec<Row> {
    let path = format!("{}/../../tests/data/cgt/{file}", env!("CARGO_MANIFEST_DIR"));
    let text = std::fs::read_to_string(&path).unwrap_or_else(|e| panic!("{path}: {e}"));
    let mut columns: Vec<String> = Vec::new();
    let mut out = Vec::new();
    for line in text.lines() {
        if let Some(comment) = line.strip_prefix('#') {
            if comment.contains('\t') {
                columns = comment.split('\t').map(String::from).collect();
            }
            continue;
        }
        let cells: Vec<String> = line.split('\t').map(String::from).collect();
        assert_eq!(cells.len(), columns.len(), "{line}");
        out.push(Row(columns.iter().cloned().zip(cells).collect()));
    }
    assert!(!out.is_empty(), "{path} has no rows");
    out
}
