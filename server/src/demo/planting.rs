//! The rows of one school, from its plan.

use jiff::{
    Timestamp, ToSpan as _,
    civil::{Date, Weekday, date},
    tz::TimeZone,
};

use super::{
    PASSWORD, PlantError,
    plan::{ClassPlan, Person, SchoolPlan, terms_around},
};
use crate::{
    db::{
        Locked,
        statements::{
            announcements, attendance, classes, departments, guardians, people, school, students,
            subjects,
        },
        values,
    },
    domain::hash_password,
};

/// A school day that the examples of the tools can name, since it has passed for good.
const EXAMPLE_DAY: Date = date(2026, 9, 14);

/// Given names of guardians.
const MOTHERS: [&str; 7] = ["Rose", "Harriet", "Sylvia", "Annet", "Prossy", "Mary", "Juliet"];

/// Slug, title and text.
const ANNOUNCEMENTS: [(&str, &str, &str); 2] = [
    ("welcome", "Welcome to the new term", "Registers are kept in Rover from now on."),
    ("draft", "Staff meeting", "On Friday at four, in the library."),
];

/// One school being planted, in the frame that it is planted in.
pub(super) struct Planting<'a> {
    pub(super) db: Locked<'a>,
    pub(super) plan: &'static SchoolPlan,
    pub(super) today: Date,
    year_id: String,
}

impl<'a> Planting<'a> {
    pub(super) fn new(db: Locked<'a>, plan: &'static SchoolPlan) -> Result<Self, PlantError> {
        let zone =
            TimeZone::get(plan.time_zone).map_err(|_| PlantError::Plan("an unknown time zone"))?;
        let today = Timestamp::now().to_zoned_datetime(zone).date();
        Ok(Self { db, plan, today, year_id: plan.slug("year", "current") })
    }

    pub(super) async fn run(mut self) -> Result<(), PlantError> {
        self.calendar().await?;
        self.departments_and_subjects().await?;
        self.staff().await?;
        self.grading_scale().await?;
        let mut first_student = 0;
        for class in self.plan.classes {
            self.class(class).await?;
            self.students(class, first_student).await?;
            if class.register {
                self.register(class, first_student).await?;
                self.marks(class, first_student).await?;
            }
            first_student += class.students;
        }
        self.announcements().await
    }

    /// The campuses, and the three terms of the current year on each.
    async fn calendar(&mut self) -> Result<(), PlantError> {
        let (plan, school_id, year_id) = (self.plan, self.plan.id, self.year_id.clone());
        let terms = terms_around(self.today);
        let (year, starts, ends) =
            (i64::from(self.today.year()), terms[0].0.to_string(), terms[2].1.to_string());
        let name = format!("Academic year {year}");
        let row = values![school_id, &year_id, name, year, starts, ends, true];
        self.db.execute(school::ADD_YEAR, row).await?;

        for (campus_id, name) in plan.campuses {
            self.db.execute(school::ADD_CAMPUS, values![school_id, *campus_id, *name]).await?;
            let campus_year = format!("{campus_id}-year");
            let row = values![school_id, &campus_year, *campus_id, &year_id];
            self.db.execute(school::ADD_CAMPUS_YEAR, row).await?;
            for (number, (first, last)) in (1_i64..).zip(terms) {
                let row = values![
                    school_id,
                    format!("{campus_id}-term-{number}"),
                    &campus_year,
                    format!("Term {number}"),
                    number,
                    first.to_string(),
                    last.to_string(),
                ];
                self.db.execute(school::ADD_TERM, row).await?;
            }
        }
        Ok(())
    }

    async fn departments_and_subjects(&mut self) -> Result<(), PlantError> {
        let plan = self.plan;
        for (campus_id, name) in plan.departments {
            let row = values![plan.id, department_id(campus_id, name), *campus_id, *name];
            self.db.execute(departments::ADD_DEPARTMENT, row).await?;
        }
        for (code, name) in plan.subjects {
            let row = values![plan.id, plan.slug("subject", code), *name, *code];
            self.db.execute(subjects::ADD_SUBJECT, row).await?;
        }
        for (campus_id, department, code) in plan.looked_after {
            let department_id = department_id(campus_id, department);
            let row = values![plan.id, department_id, plan.slug("subject", code)];
            self.db.execute(subjects::ENTER_DEPARTMENT, row).await?;
        }
        Ok(())
    }

    /// Staff and their accounts. They share one password, so they share one salted hash of it.
    async fn staff(&mut self) -> Result<(), PlantError> {
        let hash = tokio::task::spawn_blocking(|| hash_password(PASSWORD))
            .await
            .map_err(|_| PlantError::Plan("hashing stopped"))?
            .map_err(PlantError::Password)?;
        let plan = self.plan;
        for person in plan.people {
            self.person(person, &hash).await?;
        }
        Ok(())
    }

    async fn person(&mut self, person: &Person, hash: &str) -> Result<(), PlantError> {
        let plan = self.plan;
        let (staff_id, email) = (plan.slug("staff", person.handle), plan.email(person));
        let row = values![plan.id, &staff_id, person.name, &email];
        self.db.execute(people::ADD_STAFF, row).await?;
        for campus_id in person.campuses {
            let row = values![plan.id, &staff_id, *campus_id];
            self.db.execute(people::ADD_STAFF_CAMPUS, row).await?;
        }
        for role in person.roles {
            self.db.execute(people::ADD_STAFF_ROLE, values![plan.id, &staff_id, *role]).await?;
        }
        let account_id = plan.slug("user", person.handle);
        let row = values![plan.id, account_id, email, person.name, hash, staff_id];
        self.db.execute(people::ADD_ACCOUNT, row).await?;
        Ok(())
    }

    async fn class(&mut self, class: &ClassPlan) -> Result<(), PlantError> {
        let plan = self.plan;
        let class_id = plan.slug("class", class.slug);
        let row = values![
            plan.id,
            &class_id,
            class.campus,
            &self.year_id,
            class.name,
            class.name.rsplit_once(' ').map(|(_, stream)| stream),
            class.class_teacher.map(|handle| plan.slug("staff", handle)),
        ];
        self.db.execute(classes::ADD_CLASS, row).await?;
        for (code, teacher) in class.taught {
            let row = values![
                plan.id,
                plan.slug("assignment", &format!("{}-{code}", class.slug)),
                plan.slug("staff", teacher),
                &class_id,
                plan.slug("subject", code),
            ];
            self.db.execute(classes::ADD_ASSIGNMENT, row).await?;
        }
        for (_, code) in plan.offered.iter().filter(|(slug, _)| *slug == class.slug) {
            let row = values![plan.id, &class_id, plan.slug("subject", code)];
            self.db.execute(subjects::OFFER, row).await?;
        }
        Ok(())
    }

    async fn students(&mut self, class: &ClassPlan, first: usize) -> Result<(), PlantError> {
        let plan = self.plan;
        for n in first..first + class.students {
            let (name, gender) = plan.student(n);
            let id = student_id(plan, n);
            // Twelve years old, with birthdays spread over the year.
            let days = i64::try_from(n * 6).unwrap_or_default();
            let born = self.today.saturating_sub(13.years()).saturating_add(days.days());
            let number = format!("{}/{:04}", self.today.year(), n + 1);
            let row = values![plan.id, &id, class.campus, number, name, gender, born.to_string(),];
            self.db.execute(students::ADD_STUDENT, row).await?;
            let row = values![plan.id, &id, plan.slug("class", class.slug), None::<String>];
            self.db.execute(students::ENROL, row).await?;
            if n % 2 == 0 {
                self.guardian(n, &id).await?;
            }
        }
        Ok(())
    }

    /// Every other student has a mother on record, who bears their family name.
    async fn guardian(&mut self, n: usize, student_id: &str) -> Result<(), PlantError> {
        let plan = self.plan;
        let (name, _) = plan.student(n);
        let family = name.rsplit_once(' ').map_or(name.as_str(), |(_, family)| family);
        let given = MOTHERS[n / 2 % MOTHERS.len()];
        let id = plan.slug("guardian", &format!("{:03}", n + 1));
        let phone = format!("+256 772 {n:06}");
        let row = values![plan.id, &id, format!("{given} {family}"), phone, None::<String>];
        self.db.execute(guardians::ADD_GUARDIAN, row).await?;
        let row = values![plan.id, student_id, id, "mother", 1_i64];
        self.db.execute(guardians::LINK_GUARDIAN, row).await?;
        Ok(())
    }

    /// One announcement that everybody reads, and a draft.
    async fn announcements(&mut self) -> Result<(), PlantError> {
        let plan = self.plan;
        let Some(writer) = plan.people.first() else { return Ok(()) };
        let now = Timestamp::now().as_microsecond();
        for (slug, title, body) in ANNOUNCEMENTS {
            let id = plan.slug("announcement", slug);
            let writer = plan.slug("staff", writer.handle);
            let nobody = None::<String>;
            let row = values![
                plan.id,
                &id,
                title,
                body,
                nobody.clone(),
                nobody.clone(),
                nobody,
                writer,
                now
            ];
            self.db.execute(announcements::ADD_ANNOUNCEMENT, row).await?;
            if slug != "draft" {
                let row = values![plan.id, id, 1_i64, now];
                self.db.execute(announcements::PUBLISH_ANNOUNCEMENT, row).await?;
            }
        }
        Ok(())
    }

    /// The last three school days before today, and the day of the examples: nearly everyone came.
    async fn register(&mut self, class: &ClassPlan, first: usize) -> Result<(), PlantError> {
        let plan = self.plan;
        let Some(teacher) = class.class_teacher else { return Ok(()) };
        let days = school_days_before(self.today).take(3).chain([EXAMPLE_DAY]);
        for (past, day) in days.enumerate() {
            for n in first..first + class.students {
                let status = match (n + past * 5) % 9 {
                    0 => "absent",
                    4 => "late",
                    _ => "present",
                };
                let row = values![
                    plan.id,
                    student_id(plan, n),
                    plan.slug("class", class.slug),
                    day.to_string(),
                    status,
                    plan.slug("staff", teacher),
                    Timestamp::now().as_microsecond(),
                ];
                self.db.execute(attendance::RECORD_MARK, row).await?;
            }
        }
        Ok(())
    }
}

fn department_id(campus_id: &str, name: &str) -> String {
    format!("{campus_id}-department-{}", name.to_lowercase())
}

pub(super) fn student_id(plan: &SchoolPlan, n: usize) -> String {
    plan.slug("student", &format!("{:03}", n + 1))
}

fn school_days_before(today: Date) -> impl Iterator<Item = Date> {
    (1..)
        .map(move |back: i64| today.saturating_sub(back.days()))
        .filter(|day| !matches!(day.weekday(), Weekday::Saturday | Weekday::Sunday))
}
