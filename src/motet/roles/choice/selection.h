// How many roles? The rules that turn measurements at several numbers of roles into a choice.
//
// Several numbers often do nearly as well, and the best of them is best by chance. So the choice is the smallest number
// whose score is within one standard error of the best, the error being that of the
// difference to the best, taken over the same users or folds.
#pragma once

#include <cstddef>
#include <limits>
#include <optional>
#include <span>
#include <string>
#include <vector>

namespace motet::roles {

enum class Better { larger, smaller };

// The position of the first score that is not worse than the best by more than its
// `difference_error`. Scores that are NaN do not take part; none when all are. A NaN error counts as 0.
std::optional<std::size_t> smallest_within_one_se(std::span<const double> scores,
                                                  std::span<const double> difference_error, Better better);

// Scores of several alternatives on the same units (users, folds), and their differences to the best.
struct PairedScores {
  std::vector<double> mean;              // NaN for an alternative without values
  std::vector<double> error;             // standard error of the mean; NaN below two values
  std::vector<double> difference_error;  // of mean - best mean; 0 for the best; NaN when it is not known
  std::optional<std::size_t> best;
};

// `values[a][unit]`. Where an alternative has another number of units than the best, a
// unit cannot be paired, and the difference error is the root of the summed squares.
PairedScores compare_paired(std::span<const std::vector<double>> values, Better better);

enum class Criterion { capacity, generalization, stability, held_out, bic, description_length };

// Why a criterion has no value.
struct MissingScore {
  Criterion criterion = Criterion::held_out;
  std::string reason;
};

// What was measured with one number of roles. Lists that were not measured are empty.
struct RoleTrial {
  static constexpr double none = std::numeric_limits<double>::quiet_NaN();

  std::size_t roles = 0;
  std::vector<double> held_out;        // by held-out user, fold after fold: log-likelihood
  std::vector<double> generalization;  // by fold: G, smaller is better
  std::vector<double> stability;       // by fold: the corrected value
  std::vector<double> capacity;        // by fold: bits
  double capacity_error = none;        // of one measurement, for use when there is one fold
  double bic = none;                   // -2 log-likelihood + parameters log(users), smaller is better
  double description_length = none;    // nats (description_length.h), smaller is better
  std::vector<MissingScore> missing;   // measurements that could not be made; the first reason for a criterion counts
};

// One line of the table that `motet roles select` prints; NaN where nothing was measured.
struct SelectionRow {
  std::size_t roles = 0;
  double held_out = 0.0;  // log-likelihood per held-out user
  double held_out_se = 0.0;
  double generalization = 0.0;
  double generalization_se = 0.0;
  double stability = 0.0;
  double stability_se = 0.0;
  double capacity = 0.0;
  double capacity_se = 0.0;
  double bic = 0.0;
  double description_length = 0.0;
};

// A value that is NaN although it was asked for.
struct EmptyScore {
  std::size_t roles = 0;
  Criterion criterion = Criterion::held_out;
  std::string reason;
};

struct Selection {
  std::vector<SelectionRow> rows;  // numbers of roles rising
  // The chosen number of roles by each criterion; none when it was not measured.
  std::optional<std::size_t> capacity;
  std::optional<std::size_t> generalization;
  std::optional<std::size_t> stability;
  std::optional<std::size_t> held_out;
  // These two have their own price for roles and no error: the smallest value.
  std::optional<std::size_t> bic;
  std::optional<std::size_t> description_length;
  std::vector<EmptyScore> empty;  // numbers of roles rising

  std::optional<std::size_t> by(Criterion criterion) const;
};

Selection choose_roles(std::vector<RoleTrial> trials);

}  // namespace motet::roles
