//! Aligned columns of text.

use super::Style;

/// A table with a line of headings. Columns of numbers are aligned to the right.
#[derive(Debug)]
pub(crate) struct Table {
    headings: Vec<String>,
    numeric: Vec<bool>,
    rows: Vec<Vec<String>>,
}

impl Table {
    /// Headings; one that begins with `#` is a column of numbers.
    pub(crate) fn new(headings: &[&str]) -> Table {
        Table {
            headings: headings
                .iter()
                .map(|heading| heading.trim_start_matches('#').to_owned())
                .collect(),
            numeric: headings
                .iter()
                .map(|heading| heading.starts_with('#'))
                .collect(),
            rows: Vec::new(),
        }
    }

    pub(crate) fn row(&mut self, cells: impl IntoIterator<Item = impl Into<String>>) {
        let cells: Vec<String> = cells.into_iter().map(Into::into).collect();
        debug_assert_eq!(cells.len(), self.headings.len());
        self.rows.push(cells);
    }

    /// The lines, each indented by two spaces, with values of games in their colours.
    pub(crate) fn render(&self, style: Style) -> String {
        let widths: Vec<usize> = (0..self.headings.len())
            .map(|column| {
                self.rows
                    .iter()
                    .chain([&self.headings])
                    .map(|row| row[column].chars().count())
                    .max()
                    .unwrap_or(0)
            })
            .collect();
        let mut text = String::new();
        for (number, row) in [&self.headings].into_iter().chain(&self.rows).enumerate() {
            let mut line = String::from(" ");
            for (column, cell) in row.iter().enumerate() {
                let padding = " ".repeat(widths[column] - cell.chars().count());
                let cell = if number == 0 {
                    style.dim(cell)
                } else if ["win", "loss", "draw"]
                    .iter()
                    .any(|word| cell.starts_with(word))
                {
                    style.value(cell)
                } else {
                    cell.clone()
                };
                line.push(' ');
                if self.numeric[column] {
                    line.push_str(&padding);
                    line.push_str(&cell);
                } else {
                    line.push_str(&cell);
                    line.push_str(&padding);
                }
                line.push(' ');
            }
            text.push_str(line.trim_end());
            text.push('\n');
        }
        text
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn columns_line_up() {
        let mut table = Table::new(&["value", "#positions"]);
        table.row(["win", "1,234"]);
        table.row(["unknown", "5"]);
        assert_eq!(
            table.render(Style::new(false)),
            "  value    positions\n  win          1,234\n  unknown          5\n"
        );
        assert!(
            table
                .render(Style::new(true))
                .contains("\x1b[34mwin\x1b[0m")
        );
    }
}
