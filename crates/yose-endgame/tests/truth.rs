//! The records of `tests/data/goendgame/positions.jsonl`.

use serde_json::Value;
use yose_endgame::{Area, LocalSolver};

fn records() -> Vec<Value> {
    let text = include_str!("../../../tests/data/goendgame/positions.jsonl");
    let records = text.lines().map(|line| serde_json::from_str(line).unwrap());
    records.collect()
}

#[test]
fn every_record_with_a_picture() {
    let mut solver = LocalSolver::default();
    let mut checked = 0;
    for record in records() {
        let id = record["id"].as_str().unwrap();
        let (Some(rows), Some(game)) = (
            record["rows"].as_array(),
            record["derived"]["game"].as_str(),
        ) else {
            continue;
        };
        let rows: Vec<&str> = rows.iter().map(|row| row.as_str().unwrap()).collect();
        let area = Area::from_rows(&rows).unwrap();
        let solution = solver.solve(&area).unwrap();
        let expected = solver.games_mut().parse_value(game).unwrap();
        println!("{id} {} nodes", solution.nodes);
        assert_eq!(solution.exact(), Some(expected), "{id}");
        let worth = solver.worth(expected).unwrap();
        let derived = |key: &str| record["derived"][key].as_str().unwrap();
        assert_eq!(worth.left_stop.to_string(), derived("left_stop"), "{id}");
        assert_eq!(worth.right_stop.to_string(), derived("right_stop"), "{id}");
        assert_eq!(worth.mean.to_string(), derived("mean"), "{id}");
        assert_eq!(
            worth.temperature.to_string(),
            derived("temperature"),
            "{id}"
        );
        assert_eq!(worth.swing.to_string(), derived("swing"), "{id}");
        let chilled = solver.games_mut().parse_value(derived("chilled")).unwrap();
        assert_eq!(worth.chilled, chilled, "{id}");
        checked += 1;
    }
    println!("{checked} checked");
}
