//! The tests. Each is a case.

use sums::sum_to; // the student's crate, whatever the name of its file

#[test]
fn seven() {
    assert_eq!(sum_to(7), 28);
}

// points: 2
#[test]
fn largest() {
    assert_eq!(sum_to(1000), 500500);
}
