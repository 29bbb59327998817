//! The school's tools: one file a domain, each with its arguments, outputs, ports and handlers.
//!
//! A handler is generic over the ports it needs and never over a database or a broker, so the
//! worker can hold the definitions without holding a line of server code. [`agent_tools`] is the
//! only registration: a tool that is missing here does not compile.

pub mod announcements;
pub mod assessments;
pub mod attendance;
pub mod campuses;
pub mod classes;
pub mod departments;
pub mod grading;
pub mod guardians;
pub mod local;
pub mod marks;
pub mod results;
pub mod skills;
pub mod staff;
pub mod streams;
pub mod students;
pub mod subjects;
pub mod teaching;
pub mod terms;

/// The contract lock of this registry, as it is checked in.
pub const CONTRACT: &str = include_str!("../contract.json");

agent_contract::registry! {
    pub mod agent_tools = [
        departments::create_department,
        departments::list_departments,
        departments::find_departments,
        departments::rename_department,
        departments::archive_department,
        campuses::list_campuses,
        campuses::compare_campuses,
        campuses::rename_campus,
        campuses::close_campus,
        classes::create_class,
        classes::list_classes,
        classes::find_classes,
        classes::list_my_classes,
        classes::assign_teacher,
        students::list_students,
        students::find_students,
        students::get_student,
        students::update_student,
        students::enrol_student,
        students::move_student,
        students::withdraw_student,
        guardians::list_guardians,
        guardians::find_guardians,
        guardians::create_guardian,
        guardians::update_guardian,
        guardians::assign_guardian,
        guardians::unassign_guardian,
        staff::list_staff,
        staff::find_staff,
        staff::add_staff,
        staff::update_staff,
        staff::set_staff_roles,
        staff::set_staff_active,
        staff::get_my_profile,
        terms::list_terms,
        terms::get_current_term,
        terms::set_term_dates,
        terms::open_term,
        terms::close_term,
        terms::list_academic_years,
        terms::create_academic_year,
        attendance::record_attendance,
        attendance::list_class_attendance,
        attendance::get_attendance_summary,
        attendance::get_student_attendance,
        attendance::list_attendance_days,
        announcements::list_announcements,
        announcements::create_announcement,
        announcements::publish_announcement,
        announcements::withdraw_announcement,
        subjects::create_subject,
        subjects::list_subjects,
        subjects::find_subjects,
        subjects::rename_subject,
        subjects::move_subject,
        subjects::archive_subject,
        subjects::add_class_subject,
        subjects::remove_class_subject,
        streams::get_class,
        streams::list_streams,
        streams::update_class,
        streams::move_student_to_stream,
        teaching::list_teaching_assignments,
        teaching::unassign_teacher,
        assessments::create_assessment,
        assessments::update_assessment,
        assessments::list_assessments,
        assessments::find_assessments,
        assessments::publish_assessment,
        assessments::close_assessment,
        marks::record_marks,
        marks::add_mark,
        marks::update_mark,
        marks::list_marks,
        marks::get_mark_sheet,
        grading::get_grading_scale,
        grading::set_grading_scale,
        results::recompute_class_results,
        results::get_class_report,
        results::get_student_report,
        results::compare_terms,
        local::get_current_date,
        local::ask_staffer,
        local::list_agents,
        local::search_tools,
    ];
}
