# Who may do what, and how far: grant(staff role, "resource:action", reach).
#
# One fact a line and nothing else: rules live in server/policy/rules.polar. This file is read twice:
# by the compiler (policy_vocabulary!, which makes the enums Action and Resource and the grant table)
# and by oso at start-up. A test compares the two readings.
#
# Reach: school = every campus of the school; campus = campuses the person works on;
# class = classes the person is class teacher of; teaching = classes the person teaches in.

grant("head_teacher", "campus:read", "school");
grant("head_teacher", "department:create", "school");
grant("head_teacher", "department:read", "school");
grant("head_teacher", "department:update", "school");
grant("head_teacher", "department:delete", "school");
grant("head_teacher", "class:create", "school");
grant("head_teacher", "class:read", "school");
grant("head_teacher", "class:update", "school");
grant("head_teacher", "student:create", "school");
grant("head_teacher", "student:read", "school");
grant("head_teacher", "student:update", "school");
grant("head_teacher", "student:delete", "school");
grant("head_teacher", "staff:create", "school");
grant("head_teacher", "staff:read", "school");
grant("head_teacher", "staff:update", "school");
grant("head_teacher", "assignment:create", "school");
grant("head_teacher", "assignment:read", "school");
grant("head_teacher", "assignment:update", "school");
grant("head_teacher", "term:read", "school");
grant("head_teacher", "term:update", "school");
grant("head_teacher", "attendance:read", "school");
grant("head_teacher", "subject:create", "school");
grant("head_teacher", "subject:read", "school");
grant("head_teacher", "subject:update", "school");
grant("head_teacher", "subject:delete", "school");
grant("head_teacher", "assessment:create", "school");
grant("head_teacher", "assessment:read", "school");
grant("head_teacher", "assessment:update", "school");
grant("head_teacher", "mark:read", "school");
grant("head_teacher", "grading_scale:read", "school");
grant("head_teacher", "grading_scale:update", "school");
grant("head_teacher", "result:read", "school");
grant("head_teacher", "result:update", "school");

grant("director_of_studies", "campus:read", "school");
grant("director_of_studies", "department:create", "school");
grant("director_of_studies", "department:read", "school");
grant("director_of_studies", "department:update", "school");
grant("director_of_studies", "class:create", "school");
grant("director_of_studies", "class:read", "school");
grant("director_of_studies", "class:update", "school");
grant("director_of_studies", "student:read", "school");
grant("director_of_studies", "staff:read", "school");
grant("director_of_studies", "assignment:create", "school");
grant("director_of_studies", "assignment:read", "school");
grant("director_of_studies", "assignment:update", "school");
grant("director_of_studies", "term:read", "school");
grant("director_of_studies", "term:update", "school");
grant("director_of_studies", "attendance:read", "school");
grant("director_of_studies", "subject:create", "school");
grant("director_of_studies", "subject:read", "school");
grant("director_of_studies", "subject:update", "school");
grant("director_of_studies", "subject:delete", "school");
grant("director_of_studies", "assessment:create", "school");
grant("director_of_studies", "assessment:read", "school");
grant("director_of_studies", "assessment:update", "school");
grant("director_of_studies", "mark:read", "school");
grant("director_of_studies", "grading_scale:read", "school");
grant("director_of_studies", "grading_scale:update", "school");
grant("director_of_studies", "result:read", "school");
grant("director_of_studies", "result:update", "school");

grant("campus_admin", "campus:read", "campus");
grant("campus_admin", "department:create", "campus");
grant("campus_admin", "department:read", "campus");
grant("campus_admin", "department:update", "campus");
grant("campus_admin", "class:create", "campus");
grant("campus_admin", "class:read", "campus");
grant("campus_admin", "class:update", "campus");
grant("campus_admin", "student:create", "campus");
grant("campus_admin", "student:read", "campus");
grant("campus_admin", "student:update", "campus");
grant("campus_admin", "staff:read", "campus");
grant("campus_admin", "term:read", "campus");
grant("campus_admin", "term:update", "campus");
grant("campus_admin", "attendance:read", "campus");
grant("campus_admin", "assignment:read", "campus");
grant("campus_admin", "subject:read", "campus");
grant("campus_admin", "assessment:read", "campus");
grant("campus_admin", "mark:read", "campus");
grant("campus_admin", "grading_scale:read", "campus");
grant("campus_admin", "result:read", "campus");

grant("registrar", "campus:read", "school");
grant("registrar", "department:read", "school");
grant("registrar", "class:read", "school");
grant("registrar", "student:create", "school");
grant("registrar", "student:read", "school");
grant("registrar", "student:update", "school");
grant("registrar", "student:delete", "school");
grant("registrar", "term:read", "school");
grant("registrar", "subject:read", "school");
grant("registrar", "result:read", "school");
grant("registrar", "grading_scale:read", "school");

grant("class_teacher", "campus:read", "campus");
grant("class_teacher", "department:read", "campus");
grant("class_teacher", "class:read", "campus");
grant("class_teacher", "student:read", "class");
grant("class_teacher", "student:update", "class");
grant("class_teacher", "staff:read", "campus");
grant("class_teacher", "term:read", "campus");
grant("class_teacher", "attendance:create", "class");
grant("class_teacher", "attendance:read", "class");
grant("class_teacher", "attendance:update", "class");
grant("class_teacher", "assignment:read", "class");
grant("class_teacher", "subject:read", "campus");
grant("class_teacher", "assessment:read", "class");
grant("class_teacher", "mark:read", "class");
grant("class_teacher", "grading_scale:read", "campus");
grant("class_teacher", "result:read", "class");
grant("class_teacher", "result:update", "class");

grant("teacher", "campus:read", "campus");
grant("teacher", "department:read", "campus");
grant("teacher", "class:read", "campus");
grant("teacher", "student:read", "teaching");
grant("teacher", "staff:read", "campus");
grant("teacher", "term:read", "campus");
grant("teacher", "assignment:read", "teaching");
grant("teacher", "subject:read", "campus");
grant("teacher", "assessment:create", "teaching");
grant("teacher", "assessment:read", "teaching");
grant("teacher", "assessment:update", "teaching");
grant("teacher", "mark:read", "teaching");
grant("teacher", "grading_scale:read", "campus");

grant("bursar", "campus:read", "school");
grant("bursar", "class:read", "school");
grant("bursar", "student:read", "school");
grant("bursar", "term:read", "school");
