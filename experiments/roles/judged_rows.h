// What a table of sets and methods says against the default method, in words.
#pragma once

#include <string>
#include <vector>

namespace motet::roles {

struct JudgedMethod {
  double error = 0.0;             // of prediction
  double difference = 0.0;        // the default's minus this
  double difference_error = 0.0;  // NaN with one split
};

struct JudgedRow {
  std::string set;
  std::vector<JudgedMethod> methods;  // the default (mac), asso, 1-NN, majority, mac and known users
  std::size_t wrong_cells = 0;        // of mac
  std::size_t asso_wrong_cells = 0;
};

// One sentence each: where mac predicts worse than asso by more than a standard error of the difference, or more than a
// tenth worse than 1-NN (alone and with known users), or leaves more wrong cells than asso; and by how much.
std::vector<std::string> verdicts(const std::vector<JudgedRow>& rows);

}  // namespace motet::roles
