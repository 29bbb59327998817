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
