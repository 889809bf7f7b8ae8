// How many roles: a growing search on all users, priced by BIC and by the length of the description, and one on each
// half of the users, judged by the other half.
//
// In each repeat the users are cut in two halves. On both, roles are found one after the
// other up to the largest number asked for, each model starting from the one before. The
// first half's models are judged by the second half: held-out likelihood, generalisation
// error, stability (labels of the second half by its own model and by the first's) and
// approximation capacity (its pairs of users by the second half's own model); then the
// halves change places. Without repeats only the prices are measured.
#pragma once

#include "motet/base/fields.h"
#include "motet/roles/choice/selection.h"
#include "motet/roles/mine.h"

namespace motet::roles {

struct SelectOptions {
  std::size_t repeats = 2;
  double reveal = 0.1;
};

template <class V>
void visit_fields(V& v, SelectOptions& o) {
  v("select_repeats", o.repeats, Range<std::size_t>{0, 1000},
    "with a range: how many times the users are cut in halves as well, to measure held-out users");
  v("select_reveal", o.reveal, Range<double>{0.0, 1.0},
    "share of the permissions disclosed to measure the generalisation error");
}

struct RoleRange {
  std::size_t low = 1;
  std::size_t high = 1;
};
RoleRange parse_role_range(std::string_view text);  // "7" or "2..9"; throws Error{usage}

struct SelectWanted {
  bool generalization = true;
  bool stability = true;
  bool capacity = true;
};

Selection select_roles(const Access& access, RoleRange range, const MineOptions& options, const SelectOptions& select,
                       SelectWanted wanted, const RunContext& run);

}  // namespace motet::roles
