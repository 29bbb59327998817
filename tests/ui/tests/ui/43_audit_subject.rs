//! Why: An audit row names one record by kind and id.
//! Repair: Write `#[audit(kind = "…")]` above the struct and `#[audit(id)]` on one field.

use ui_tests::*;

#[derive(AuditSubject)]
pub struct Nameless {
    pub id: String,
}

#[derive(AuditSubject)]
#[audit(kind = "thing")]
pub struct Twice {
    #[audit(id)]
    pub id: String,
    #[audit(id)]
    pub other: String,
}

fn main() {}
