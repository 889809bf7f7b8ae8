// The density of every label set in the form in which set_density.cpp computes it: a row becomes a
// few lines of features once, and each set then costs one sum over them.
//
//   diagonal  sum_d (x_d - mu_d)^2 / v_d           spherical or diagonal Gaussian sources
//   whitened  |T x - T mu|^2 / scale               one covariance for all sets, or for all of a degree;
//                                                  means of sets lie in the span of few sources, so with many
//                                                  dimensions a set costs only as many terms as there are sources
//   full      |T_L (x - mu_L)|^2                   T_L T_L' = S_L^-1
//   linear    sum_f w_f x_f                        other families: f runs over x or log x
//   by_value  sum_d g(w_d, x_d)                    families whose densities are no such sum
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <vector>

#include "motet/base/parallel.h"
#include "motet/data/bit_matrix.h"
#include "motet/sources/sources.h"

namespace motet {

enum class DensityForm { diagonal, whitened, full, linear, by_value };

struct DensityPlan {
  DensityForm form = DensityForm::linear;
  Family family = Family::gaussian;
  std::size_t dimensions = 0;
  std::size_t lines = 0;  // features of a row
  std::size_t weights_a_set = 0;
  std::vector<double> shared;              // parameters that all sources share, of the dimensions
  std::vector<double> weights;             // a set: diagonal mu and 1 / v; whitened T mu; full mu; linear w
  std::vector<double> triangles;           // whitened: a class; full: a set
  std::vector<std::uint32_t> triangle_of;  // by set
  std::vector<double> constant;            // by set; -inf without members
  std::vector<double> inverse_scale;       // whitened: a set's
  std::vector<double> bases;               // whitened, per class: weights_a_set x lines, orthonormal rows that span the
                                           // whitened means; empty: means are told line by line

  // by_value: the sums of a block of rows, see family.h
  void (*sum_block)(const DensityPlan& plan, const double* weights, const double* features, double* sums) = nullptr;

  std::size_t sets() const { return constant.size(); }
  const double* weights_of(std::size_t set) const { return weights.data() + set * weights_a_set; }
};

// Sets [begin, end) of `sets`, for closed forms other than one-of.
DensityPlan plan_densities(const Sources& sources, const BitMatrix& sets, std::size_t begin, std::size_t end,
                           Threads threads);

// How many sets a plan may have so that its matrices stay small.
std::size_t sets_a_plan(const Sources& sources);

// Log densities below are zeros of the model (a certain cell that differs), written with numbers that are
// finite so that they can be multiplied by 0.
constexpr double log_of_nothing = -1e300;
constexpr double least_log_density = -1e299;

// Turns up to density_rows rows (each D numbers) into features, lines x density_rows, and what a row adds
// to all its log densities: -inf for a row with a value that no set can give.
void make_features(const DensityPlan& plan, std::span<const double* const> rows, double* features, double* row_terms);

}  // namespace motet
