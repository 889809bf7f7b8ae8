// Users assigned to roles that are at hand, and models tried on data they have not
// seen, told to a terminal, to machines and to a browser.
#pragma once

#include <string>
#include <utility>
#include <vector>

#include "motet/data/value.h"
#include "motet/report/page.h"

namespace motet {

struct AssignReport {
  std::string source;  // file the access data came from
  std::size_t users = 0;
  std::size_t users_with_role = 0;
  double confidence = 0.0;                                 // mean probability of the most probable set
  std::vector<std::pair<std::string, std::size_t>> roles;  // name and members, of the model
  std::vector<std::string> unknown_permissions;            // in the data, not in the model: left out
  std::size_t absent_permissions = 0;                      // in the model, held by nobody here
  std::size_t extra = 0;                                   // exceptions
  std::size_t missing = 0;
  std::vector<std::string> warnings;
};
std::string assign_text(const AssignReport& report);
Value assign_json(const AssignReport& report);
Page assign_page(const AssignReport& report);

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
  std::vector<std::pair<std::string, ErrorRate>> references;  // such as "no permissions", "majority"
  std::vector<std::string> warnings;
};
std::string evaluate_text(const EvaluateReport& report);
Value evaluate_json(const EvaluateReport& report);
Page evaluate_page(const EvaluateReport& report);

}  // namespace motet
