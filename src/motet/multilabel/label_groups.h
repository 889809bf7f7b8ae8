// Labels that the training items do not tell apart: those that always come together are one group, which is learnt and
// decided as one label, and those in no item are in no group, so that they are never decided for.
#pragma once

#include <cstddef>
#include <span>
#include <string>
#include <vector>

#include "motet/data/bit_matrix.h"
#include "motet/data/value.h"

namespace motet::multilabel {

inline constexpr std::size_t no_group = static_cast<std::size_t>(-1);

struct LabelGroups {
  std::vector<std::string> labels;  // all, as the data name them
  std::vector<std::size_t> group;   // of each label; groups are numbered by their first labels
  std::size_t count = 0;

  // Each label is a group of its own: nothing is changed by grouping.
  bool is_plain() const { return count == labels.size(); }
  std::vector<std::string> names() const;                      // "a|b", one per group
  std::vector<std::vector<std::size_t>> members() const;       // numbers of labels, one list per group
  std::vector<std::string> absent() const;                     // names of labels in no group
  BitMatrix grouped(const BitMatrix& sets) const;              // a group is there when all its labels are
  BitMatrix widened(const BitMatrix& groups) const;            // all labels of the groups that are there
  std::vector<double> widened(std::span<const double>) const;  // numbers, rows x groups; 0 for a label in no group
};

LabelGroups group_labels(const BitMatrix& sets, const std::vector<std::string>& labels);

Value to_value(const LabelGroups& groups);
LabelGroups label_groups_from(const Value& value);  // throws Error{bad_data} for what cannot be

}  // namespace motet::multilabel
