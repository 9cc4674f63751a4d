use yose_cgt::*;
fn main() {
    let mut g = Games::new();
    let t = std::env::args().nth(1).unwrap();
    let f = g.parse(&t).unwrap();
    let parts = g.components(f);
    let s = g.solve_sum(&parts, Player::Left, SumLimits::default()).unwrap();
    for p in &s.parts { println!("{} {:?}", g.print_form(p.form).unwrap(), p.v); for (o,b) in &p.options { println!("    {} {:?}", g.print_form(*o).unwrap(), b); } }
    println!("{:?} {:?}", s.left_stop, s.best);
}
