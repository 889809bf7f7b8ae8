// Labels that keep the truth company in sets of candidates.
//
// M_nl = 1 for every candidate says that a set is as likely under each of its labels. Where a label is
// in many sets without being the truth (the sky behind the cows), it is not: a class that is always
// around explains any set, and rare classes starve. Let label a join a set of which it is not the
// truth with probability r_a, whatever the truth and the other labels are:
//   p(Y | l) = [l in Y] prod_{a in Y, a != l} r_a prod_{a not in Y} (1 - r_a),
// so that a candidate counts 1 / r_l. This is a likelihood of whole sets: by it fits can be compared
// and calibrated where sum_l M_nl p_nl cannot tell a companion from the truth. Real labels do not join
// one by one, and rates cannot be known before the labels are; to learn from, a candidate counts
// r_l^(-1/2) with the r of candidates shared evenly, half way between both views.
//
// Only rows of plain candidates are counted so; weights say themselves how likely a set is.
#pragma once

#include <span>
#include <vector>

#include "motet/base/run.h"
#include "motet/superset/evidence_matrix.h"

namespace motet::superset {

// A row of candidates without weights that does not hold all classes.
bool is_plain(std::span<const double> row);

// r where an item's label is shared evenly by its candidates.
std::vector<double> even_companion_rates(const EvidenceMatrix& evidence);

// r of the highest posterior for p(l | x), rows x L, one pseudo-row with the common rate being its
// prior; by EM, which never lowers it. Of very many rows some, evenly spaced, are enough.
struct CompanionFit {
  std::vector<double> rate;
  FitSummary summary;  // log-likelihood of the sets and log-prior, at each step
};
CompanionFit fit_companions(const EvidenceMatrix& evidence, std::span<const double> probability);

// log p(Y_n | x_n), one term per row; rows that are not plain as log_likelihoods has them.
std::vector<double> companion_log_likelihoods(const EvidenceMatrix& evidence, std::span<const double> probability,
                                              std::span<const double> rate);

// What a candidate of each class counts: r^-power, the largest 1.
std::vector<double> credits(std::span<const double> rate, double power);

// Plain rows with every candidate counted so, the largest of a row being 1.
EvidenceMatrix credited(EvidenceMatrix evidence, std::span<const double> credit);

}  // namespace motet::superset
