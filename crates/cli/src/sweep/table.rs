//! The table of a sweep: a row for every run, in the order of the plan.

use throng::report::number::csv_field;

use crate::sweep::journal::{Outcome, Rows};
use crate::sweep::runs::Sweep;

/// A column and its cells; what is not there is `None`.
pub(crate) struct Column {
    pub(crate) name: String,
    pub(crate) cells: Cells,
}

pub(crate) enum Cells {
    Whole(Vec<Option<u64>>),
    /// Numbers as they are written, and as values.
    Number(Vec<Option<(String, f64)>>),
    Text(Vec<Option<String>>),
}

/// The names of all measures of some rows, in the order in which they turn up.
pub(crate) fn measures(rows: &Rows) -> Vec<String> {
    let mut names: Vec<String> = Vec::new();
    for outcome in rows.values() {
        let Outcome::Fine { measures, .. } = outcome else { continue };
        // Nearly always all are known, in the same order.
        if measures.iter().map(|(name, _)| name).eq(names.iter().take(measures.len())) {
            continue;
        }
        for (name, _) in measures {
            if !names.contains(name) {
                names.push(name.clone());
            }
        }
    }
    names
}

/// The columns of the table.
pub(crate) fn columns(sweep: &Sweep, rows: &Rows) -> Vec<Column> {
    let whole =
        |cell: &dyn Fn(u64) -> u64| Cells::Whole(rows.keys().map(|&run| Some(cell(run))).collect());
    let text = |cell: &dyn Fn(u64) -> String| {
        Cells::Text(rows.keys().map(|&run| Some(cell(run))).collect())
    };
    let of_outcome =
        |cell: &dyn Fn(&Outcome) -> Option<String>| Cells::Text(rows.values().map(cell).collect());
    let mut columns = vec![
        Column { name: "run".to_owned(), cells: whole(&|run| run) },
        Column {
            name: "scenario".to_owned(),
            cells: text(&|run| sweep.run(run).scenario.to_string()),
        },
    ];
    for (index, parameter) in sweep.def.parameters.iter().enumerate() {
        let value = |run| sweep.run(run).values[index];
        let number = |run| Some((value(run).to_string(), value(run).number?));
        let cells = if parameter.values.iter().all(|value| value.number.is_some()) {
            Cells::Number(rows.keys().map(|&run| number(run)).collect())
        } else {
            text(&|run| value(run).to_string())
        };
        columns.push(Column { name: parameter.path.clone(), cells });
    }
    columns.push(Column { name: "seed".to_owned(), cells: whole(&|run| sweep.run(run).seed) });
    let digest = |outcome: &Outcome| match outcome {
        Outcome::Fine { digest, .. } => Some(digest.clone()),
        Outcome::Failed(_) => None,
    };
    columns.push(Column { name: "digest".to_owned(), cells: of_outcome(&digest) });
    for (index, name) in measures(rows).into_iter().enumerate() {
        let cell = |outcome: &Outcome| {
            let Outcome::Fine { measures, .. } = outcome else { return None };
            let same = |pair: &&(String, _)| pair.0 == name;
            let found = measures.get(index).filter(same).or_else(|| measures.iter().find(same));
            found.and_then(|(_, number)| Some((number.to_string(), number.as_f64()?)))
        };
        let cells = Cells::Number(rows.values().map(cell).collect());
        columns.push(Column { name, cells });
    }
    let error = |outcome: &Outcome| match outcome {
        Outcome::Fine { .. } => None,
        Outcome::Failed(error) => Some(error.clone()),
    };
    columns.push(Column { name: "error".to_owned(), cells: of_outcome(&error) });
    columns
}

/// Columns as CSV: a line of names, then a line a run. What is not there is empty.
pub(crate) fn csv(columns: &[Column]) -> String {
    let names: Vec<String> = columns.iter().map(|column| csv_field(&column.name)).collect();
    let mut text = names.join(",") + "\n";
    let rows = columns.first().map_or(0, |column| column.cells.len());
    for row in 0..rows {
        for (index, column) in columns.iter().enumerate() {
            if index > 0 {
                text.push(',');
            }
            match &column.cells {
                Cells::Whole(cells) => {
                    text.push_str(&cells[row].map_or(String::new(), |n| n.to_string()));
                }
                Cells::Number(cells) => {
                    text.push_str(cells[row].as_ref().map_or("", |(text, _)| text));
                }
                Cells::Text(cells) => {
                    text.push_str(&cells[row].as_deref().map_or(String::new(), csv_field));
                }
            }
        }
        text.push('\n');
    }
    text
}

impl Cells {
    fn len(&self) -> usize {
        match self {
            Self::Whole(cells) => cells.len(),
            Self::Number(cells) => cells.len(),
            Self::Text(cells) => cells.len(),
        }
    }
}
