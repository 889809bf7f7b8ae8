// How probabilities are sharpened and averaged with nothing but candidates to go by.
//
// Sharpness s of scores g maximises the likelihood of candidates of rows that were not seen,
// sum_n log sum_l M_nl softmax(s g_n)_l. Weights of an average of members on the simplex maximise
// sum_n log sum_m w_m sum_l M_nl p^m_nl by EM, which never lowers it:
//   w_m <- mean_n  w_m c_nm / sum_m w_m c_nm,  c_nm = sum_l M_nl p^m_nl.
#pragma once

#include <span>
#include <vector>

#include "motet/base/run.h"
#include "motet/superset/evidence_matrix.h"

namespace motet::superset {

// softmax(s g), rows x L.
std::vector<double> sharpened(std::span<const double> g, std::size_t classes, double sharpness);

// Probabilities of an average as scores to be sharpened: their logarithms, from -28 on.
std::vector<double> log_scores(std::vector<double> probability);

double fit_sharpness(const EvidenceMatrix& evidence, std::span<const double> g);

struct Stack {
  std::vector<double> weight;
  FitSummary summary;  // the mean log-likelihood per row, at each step
};
Stack fit_stack(const EvidenceMatrix& evidence, std::span<const std::vector<double>> members);

std::vector<double> weighted_average(std::span<const double> weight, std::span<const std::vector<double>> members);

}  // namespace motet::superset
