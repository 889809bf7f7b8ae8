// What is known of the labels as one matrix of non-negative numbers M, rows x L: how likely the
// evidence of item n were if its label were l (data/candidate_items.h). All methods start from it.
//
// Where a set may miss the truth with probability d and is otherwise drawn blindly, a set of s of
// L labels is (d / (1 - d)) (s / (L - s)) times as likely when the truth is outside it as when it
// is a candidate: of the sets of that size, C(L-1, s-1) hold a given label and C(L-1, s) do not.
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <vector>

#include "motet/base/parallel.h"
#include "motet/data/candidate_items.h"

namespace motet::superset {

struct EvidenceMatrix {
  std::size_t rows = 0;
  std::size_t classes = 0;
  std::vector<double> values;  // rows x classes; the largest of a row is 1

  std::span<const double> row(std::size_t n) const { return {values.data() + n * classes, classes}; }
  double* row(std::size_t n) { return values.data() + n * classes; }
};

EvidenceMatrix evidence_of(const CandidateItems& items, double outside_probability);

// The evidence as candidates with weights, of items without features and classes without names.
CandidateItems candidates_of(const EvidenceMatrix& evidence);

EvidenceMatrix rows_of(const EvidenceMatrix& evidence, std::span<const std::uint32_t> rows);

// Rows that sum to 1: the candidates averaged.
EvidenceMatrix averaged(const EvidenceMatrix& evidence);

// A row that says the same of all labels says nothing.
bool is_silent(std::span<const double> row);

// q_nl proportional to M_nl p_nl, both rows x classes. Where that is 0 all over, the row of M averaged.
std::vector<double> posterior(const EvidenceMatrix& evidence, std::span<const double> probability);

// sum_n log sum_l M_nl p_nl, one term per row.
std::vector<double> log_likelihoods(const EvidenceMatrix& evidence, std::span<const double> probability);

// Rows scaled to length sqrt(dimensions), that of a standardised row on average; a row of zeros stays.
std::vector<double> unit_rows(std::span<const double> x, std::size_t dimensions);

// Rows of x, `dimensions` numbers each.
std::vector<double> pick_rows(std::span<const double> x, std::size_t dimensions, std::span<const std::uint32_t> rows);

}  // namespace motet::superset
