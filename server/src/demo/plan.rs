//! What a demo school is made of. Ids are readable, so that a trace of the demo can be read too.

use jiff::{ToSpan as _, civil::Date};

/// A school to plant.
#[derive(Debug)]
pub(super) struct SchoolPlan {
    pub(super) id: &'static str,
    pub(super) name: &'static str,
    pub(super) time_zone: &'static str,
    /// Domain of its addresses.
    pub(super) domain: &'static str,
    /// Id and name.
    pub(super) campuses: &'static [(&'static str, &'static str)],
    /// Campus and name.
    pub(super) departments: &'static [(&'static str, &'static str)],
    /// Code and name.
    pub(super) subjects: &'static [(&'static str, &'static str)],
    /// Campus, department and code of a subject that it looks after.
    pub(super) looked_after: &'static [(&'static str, &'static str, &'static str)],
    /// Class and code of a subject that it takes although nobody teaches it yet.
    pub(super) offered: &'static [(&'static str, &'static str)],
    pub(super) people: &'static [Person],
    pub(super) classes: &'static [ClassPlan],
    /// Given names and what they say about the bearer.
    pub(super) given_names: &'static [(&'static str, &'static str)],
    pub(super) family_names: &'static [&'static str],
}

/// Somebody who works there.
#[derive(Debug)]
pub(super) struct Person {
    /// What comes before the @, and the end of their ids.
    pub(super) handle: &'static str,
    pub(super) name: &'static str,
    pub(super) roles: &'static [&'static str],
    pub(super) campuses: &'static [&'static str],
}

/// A class, who looks after it and who teaches in it.
#[derive(Debug)]
pub(super) struct ClassPlan {
    pub(super) slug: &'static str,
    pub(super) name: &'static str,
    pub(super) campus: &'static str,
    /// Handle of the class teacher.
    pub(super) class_teacher: Option<&'static str>,
    pub(super) students: usize,
    /// Subject code and handle of the teacher.
    pub(super) taught: &'static [(&'static str, &'static str)],
    /// Whether its register of the last days is kept, and its marks of this term and the one before.
    pub(super) register: bool,
}

impl SchoolPlan {
    pub(super) fn email(&self, person: &Person) -> String {
        format!("{}@{}", person.handle, self.domain)
    }

    /// An id of this school, e.g. `naalya-class-s1-east`.
    pub(super) fn slug(&self, kind: &str, name: &str) -> String {
        format!("{}-{kind}-{}", self.id, name.to_lowercase().replace(' ', "-"))
    }

    /// The name and gender of the nth student; no two alike before the names run out.
    pub(super) fn student(&self, n: usize) -> (String, &'static str) {
        let (given, gender) = self.given_names[n % self.given_names.len()];
        let round = n / self.given_names.len();
        let family = self.family_names[(n * 7 + round * 3) % self.family_names.len()];
        (format!("{given} {family}"), gender)
    }
}

/// First and last day of three terms, of which the second holds `today`: thirteen weeks each, three
/// weeks between.
pub(super) fn terms_around(today: Date) -> [(Date, Date); 3] {
    let monday = today.saturating_sub(i64::from(today.weekday().to_monday_zero_offset()).days());
    let second = monday.saturating_sub(6.weeks());
    [-16, 0, 16].map(|offset: i64| {
        let first = second.saturating_add(offset.weeks());
        (first, first.saturating_add(13.weeks()).saturating_sub(3.days()))
    })
}

#[cfg(test)]
mod tests {
    use std::collections::BTreeSet;

    use jiff::civil::date;

    use super::{super::naalya, terms_around};

    #[test]
    fn the_second_term_holds_today_and_terms_do_not_overlap() {
        for today in [date(2026, 12, 1), date(2026, 11, 30), date(2028, 2, 29), date(2027, 1, 3)] {
            let [first, second, third] = terms_around(today);
            assert!(second.0 <= today && today <= second.1, "{today}");
            assert!(first.0 < first.1 && first.1 < second.0 && second.1 < third.0, "{today}");
        }
    }

    #[test]
    fn sixty_students_have_sixty_names() {
        let wanted: usize = naalya::SCHOOL.classes.iter().map(|class| class.students).sum();
        let names: BTreeSet<String> = (0..wanted).map(|n| naalya::SCHOOL.student(n).0).collect();
        assert_eq!((wanted, names.len()), (60, 60));
    }
}
