// How well a model predicts what users hold, told once.
#pragma once

#include <utility>

#include <optional>

#include "motet/report/document.h"

namespace motet::roles {

struct ErrorRate {
  double value = 0.0;
  double standard_error = 0.0;  // NaN after a single repeat
};

struct EvaluateReport {
  std::string source;
  std::size_t users = 0;
  std::size_t roles = 0;
  double reveal = 0.1;  // share of the permissions that is shown to the model
  std::size_t repeats = 0;
  ErrorRate posterior;                                        // predicted by the posterior, the model's answer
  ErrorRate literal;                                          // by the nearest set of roles, (2.24)
  std::optional<ErrorRate> with_known_users;                  // the posterior over roles and known users
  std::vector<std::pair<std::string, ErrorRate>> references;  // such as "no permissions", "majority"
  std::vector<std::string> warnings;
};
Document roles_evaluate_document(const EvaluateReport& report);

}  // namespace motet::roles
