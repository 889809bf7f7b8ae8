// Would the roles have told what new users hold? The generalisation experiment of
// section 2.4.3, behind `motet roles evaluate`.
//
// A share of the permissions, D*, is disclosed, the same for all users; the others are
// predicted, and G is the share of wrong cells among them, (2.25) and (2.26) with p = 1.
// D* is drawn anew in each repeat. Predictions are made in four ways:
//   nearest    (2.24): the union of rounded roles of the label set that differs from the
//              user in the fewest disclosed cells. With few disclosed cells there are
//              many such sets; (2.24) leaves open which one, here one of them by lot
//   common     the same, of such sets the one with the largest share p(L)
//   posterior  1 where P(held | disclosed cells) = p0 + (p1 - p0) P(granted) > 1/2
//   granted    1 where P(a role grants it | disclosed cells) > 1/2: the structure
//              behind the noise, to be compared with clean data
#pragma once

#include <cmath>
#include <cstdint>
#include <functional>
#include <span>
#include <string>
#include <vector>

#include "motet/base/fields.h"
#include "motet/base/run.h"
#include "motet/data/access.h"
#include "motet/roles/role_model.h"

namespace motet::roles {

struct EvaluateOptions {
  double reveal = 0.1;
  std::size_t repeats = 10;
};

template <class V>
void visit_fields(V& v, EvaluateOptions& o) {
  v("reveal", o.reveal, Range<double>{0.0, 1.0},
    "share of the permissions that is disclosed; at least one is, and one is left to predict");
  v("repeats", o.repeats, Range<std::size_t>{1, 100'000}, "how many times the disclosed permissions are drawn");
}

struct EvaluateData {
  const BitMatrix* held = nullptr;         // users x the model's permissions in its order
  const BitMatrix* truth = nullptr;        // what predictions are compared with; null: `held`
  const Attributes* attributes = nullptr;  // of these users; null: none
};

// All cells of users of whom the disclosed permissions are known; see roles/neighbours.h.
using Guess = std::function<BitMatrix(const BitMatrix& held, std::span<const std::uint32_t> disclosed)>;

struct NamedGuess {
  std::string name;
  Guess guess;
};

struct PredictionError {
  double mean = 0.0;        // G
  double error = 0.0;       // standard error over the repeats: the lot of D*; 0 for one repeat
  double user_error = 0.0;  // standard error over users: the lot of who was asked

  double both() const { return std::hypot(error, user_error); }
};

struct NamedError {
  std::string name;
  PredictionError error;
};

struct GeneralizationResult {
  std::size_t disclosed = 0;  // permissions
  std::size_t repeats = 0;
  PredictionError nearest;
  PredictionError common;
  PredictionError posterior;
  PredictionError granted;
  std::vector<NamedError> references;  // as given
};

// Throws Error{unanswerable} without users or with fewer than two permissions.
GeneralizationResult evaluate_roles(const RoleModel& model, const EvaluateData& data, const EvaluateOptions& options,
                                    std::span<const NamedGuess> references, const RunContext& run);

}  // namespace motet::roles
