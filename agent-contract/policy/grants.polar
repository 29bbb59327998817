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
grant("head_teacher", "campus:update", "school");
grant("head_teacher", "term:create", "school");
grant("head_teacher", "guardian:create", "school");
grant("head_teacher", "guardian:read", "school");
grant("head_teacher", "guardian:update", "school");
grant("head_teacher", "announcement:create", "school");
grant("head_teacher", "announcement:read", "school");
grant("head_teacher", "announcement:update", "school");

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
grant("director_of_studies", "term:create", "school");
grant("director_of_studies", "guardian:read", "school");
grant("director_of_studies", "announcement:create", "school");
grant("director_of_studies", "announcement:read", "school");
grant("director_of_studies", "announcement:update", "school");

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
grant("campus_admin", "term:create", "campus");
grant("campus_admin", "guardian:create", "campus");
grant("campus_admin", "guardian:read", "campus");
grant("campus_admin", "guardian:update", "campus");
grant("campus_admin", "announcement:create", "campus");
grant("campus_admin", "announcement:read", "campus");
grant("campus_admin", "announcement:update", "campus");

grant("registrar", "campus:read", "school");
grant("registrar", "department:read", "school");
grant("registrar", "class:read", "school");
grant("registrar", "student:create", "school");
grant("registrar", "student:read", "school");
grant("registrar", "student:update", "school");
grant("registrar", "student:delete", "school");
grant("registrar", "term:read", "school");
grant("registrar", "guardian:create", "school");
grant("registrar", "guardian:read", "school");
grant("registrar", "guardian:update", "school");
grant("registrar", "announcement:read", "school");

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
grant("class_teacher", "guardian:read", "class");
grant("class_teacher", "announcement:read", "campus");

grant("teacher", "campus:read", "campus");
grant("teacher", "department:read", "campus");
grant("teacher", "class:read", "campus");
grant("teacher", "student:read", "teaching");
grant("teacher", "staff:read", "campus");
grant("teacher", "term:read", "campus");
grant("teacher", "announcement:read", "campus");

grant("bursar", "campus:read", "school");
grant("bursar", "class:read", "school");
grant("bursar", "student:read", "school");
grant("bursar", "term:read", "school");
grant("bursar", "guardian:read", "school");
grant("bursar", "announcement:read", "school");
