//! The other school. Nobody at the first may see, count or name anything of it, so it has words of
//! its own.

use super::plan::{ClassPlan, Person, SchoolPlan};

const RIVER: &str = "riverbend-campus-river";

pub(super) static SCHOOL: SchoolPlan = SchoolPlan {
    id: "riverbend",
    name: "Riverbend Academy",
    time_zone: "Africa/Nairobi",
    domain: "riverbend.example",
    campuses: &[(RIVER, "Riverbend Campus")],
    departments: &[(RIVER, "Hydrology"), (RIVER, "Boatbuilding")],
    subjects: &[("HYD", "Hydrology"), ("NAV", "Navigation")],
    looked_after: &[(RIVER, "Hydrology", "HYD")],
    offered: &[("form-one", "NAV")],
    people: &[
        Person {
            handle: "victor.otieno",
            name: "Victor Otieno",
            roles: &["head_teacher"],
            campuses: &[RIVER],
        },
        Person {
            handle: "wanjiru.kamau",
            name: "Wanjiru Kamau",
            roles: &["class_teacher", "teacher"],
            campuses: &[RIVER],
        },
    ],
    classes: &[ClassPlan {
        slug: "form-one",
        name: "Form One",
        campus: RIVER,
        class_teacher: Some("wanjiru.kamau"),
        students: 5,
        taught: &[("HYD", "wanjiru.kamau")],
        register: true,
    }],
    given_names: &[
        ("Zawadi", "female"),
        ("Kipchoge", "male"),
        ("Wambui", "female"),
        ("Omondi", "male"),
        ("Chebet", "female"),
    ],
    family_names: &["Kariuki", "Jepkosgei", "Mutua", "Ouma", "Njoroge"],
};
