// Who is in which group, from a directory: LDIF (RFC 2849), as ldapsearch and ldifde write it.
#pragma once

#include <string>

#include "motet/io/access_csv.h"
#include "motet/io/access_pairs.h"

namespace motet {

// An entry that has members (member, uniqueMember, memberUid), or whose objectClass is a group's, is a group: its dn is
// the permission and its members are the users. Any other entry with memberOf holds those groups; one without either is
// a user who holds nothing when its objectClass is a person's, else it is left out. A user is called by the dn, or by
// the attribute that format.user_column names, where the entry has it; memberUid names users by themselves. Groups
// within groups are not followed. Throws Error{bad_data} with file and line.
AccessPairs read_ldif(const std::string& path, const AccessFormat& format, const RunContext& run);

}  // namespace motet
