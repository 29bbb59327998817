# How far a grant goes. Who is granted what stands in agent-contract/policy/grants.polar; oso reads both as one text.
#
# House rules of this file: the operation is a word of a fact and never left open; places are lists, because an
# optional attribute never equals anything; no `not`, no `cut`, no method, no rule that calls itself.

allow(caller: Caller, operation: String, record: Record) if
    record.school = caller.school and
    role in caller.roles and
    grant(role, operation, reach) and
    in_scope(reach, caller, record);

# Every campus of the school.
in_scope("school", _caller: Caller, _record: Record);

# The campuses that the person works on.
in_scope("campus", caller: Caller, record: Record) if
    campus in record.campuses and
    campus in caller.campuses;

# The classes that the person is class teacher of.
in_scope("class", caller: Caller, record: Record) if
    class in record.classes and
    class in caller.classes;

# The classes that the person teaches in.
in_scope("teaching", caller: Caller, record: Record) if
    assignment in record.assignments and
    assignment in caller.assignments;
