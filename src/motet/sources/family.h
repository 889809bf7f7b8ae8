// A family of sources as a table of functions: all that the project knows of one distribution of emissions.
//
// families.cpp has the one list. Names, help, checks of values and of model files, densities, draws, training, search,
// standard errors and simulation come from a family's entry; adding one is a file in families/ and a line in the list.
//
// Families are of two kinds. Gaussian ones (`has_scatter`) are vectors with covariances, and share the code for them.
// All others have independent dimensions, one location per source and dimension, and at most one more parameter per
// dimension that all sources share (`shared`). In their closed forms something of the location adds up over the
// sources of a set: `added`, or the location itself.
//
// Loops over many numbers stay inside the functions: they take a row, a block of rows or all dimensions of a set.
#pragma once

#include <array>
#include <cstddef>
#include <limits>
#include <span>
#include <string_view>
#include <vector>

#include "motet/base/rng.h"
#include "motet/data/rows.h"
#include "motet/sources/family_fit.h"
#include "motet/sources/sources.h"

namespace motet {

struct DensityPlan;
struct Marginal;

struct Bounds {
  double low = 0.0;
  double high = std::numeric_limits<double>::max();
  std::string_view allowed = "a finite number";
};

// In which a parameter may take any value; intervals and searches are made there.
enum class ParameterScale { plain, logarithm, logit };

// The log density of u = log|xi|, in one of three forms:
//   square         constant - ((u - location) / spread)^2 / 2
//   square_of_exp  constant + u - ((+-e^u - location) / spread)^2 / 2
//   exp            constant + slope u - rate e^u
enum class LogShape { square, square_of_exp, exp };
struct LogForm {
  LogShape shape = LogShape::square;
  double constant = 0.0;
  double slope = 0.0;
  double rate = 0.0;
  std::array<double, 2> mode{};  // plus, minus
  double width = 1.0;            // over which it changes
};

// One dimension of one source; location and spread as in Marginal.
struct FamilyDensity {
  double (*log_density)(double location, double spread, double x) = nullptr;
  double (*log_survival)(double location, double spread, double x) = nullptr;  // log P(xi > x)
  double (*quantile)(double location, double spread, double level) = nullptr;  // of continuous families
  MeanVariance (*moments)(double location, double spread) = nullptr;
  MeanVariance (*moments_above)(double location, double spread, double x, double log_survival) = nullptr;
  LogForm (*in_logarithm)(double location, double spread) = nullptr;  // of continuous families
  double (*draw)(double location, double spread, Rng& rng) = nullptr;

  // Of the sum y of several emissions: its log density, and the posterior of each emission. Null: by integrals.
  double (*log_sum)(std::span<const Marginal> members, double y) = nullptr;
  std::vector<MeanVariance> (*sum_emissions)(std::span<const Marginal> members, double y) = nullptr;
  // The posterior of each member's emission, where a closed form has one of its own.
  std::vector<MeanVariance> (*closed_emissions)(const Sources& sources, std::span<const std::size_t> all, std::size_t d,
                                                double x) = nullptr;
};

// Densities of label sets, see density_plan.h.
struct FamilyPlan {
  std::size_t lines = 1;  // features of a row, per dimension
  void (*plan_set)(const Sources& sources, const std::vector<std::size_t>& all, std::size_t at,
                   DensityPlan& plan) = nullptr;
  void (*make_features)(const DensityPlan& plan, std::span<const double* const> rows, double* features,
                        double* row_terms) = nullptr;
  // What row and set make together, for a block of rows; null: a weighted sum of the features.
  void (*sum_block)(const DensityPlan& plan, const double* weights, const double* features, double* sums) = nullptr;
};

// The least cost of an item when what adds up is only known to lie in intervals, see multilabel/interval_cost.h.
struct ItemCost {
  const Sources* sources = nullptr;
  std::span<const double> x;
  std::vector<double> mode;   // of the sum, by dimension; may be infinite
  std::vector<double> log_x;  // where it is needed
  double constant = 0.0;      // terms of the cost that no sum changes
  bool is_possible = true;    // x is not outside what the family can make
};
struct FamilySearch {
  void (*prepare)(ItemCost& item) = nullptr;
  double (*least)(const ItemCost& item, std::span<const double> low, std::span<const double> high) = nullptr;
};

// Items of a set in which the locations add up to `total`.
struct SetResponse {
  double mean = 0.0;
  double variance = 0.0;
  double kurtosis = 0.0;      // excess
  double slope = 0.0;         // of the mean by the total
  double shared_slope = 0.0;  // of the mean by the shared parameter
};
struct SharedInformation {
  double total = 0.0;
  double cross = 0.0;
  double shared = 0.0;
};
struct FamilyTheory {
  SetResponse (*response)(double total, double shared) = nullptr;
  // Of `count` items with this mean, where a parameter is shared; null: the mean of x says all.
  SharedInformation (*information)(double count, double mean, double shared) = nullptr;
  bool is_inverse_mean = false;  // the location of a source alone is one over its mean
};

// What `auto` knows of the values of all features.
struct ValueShape {
  bool is_boolean = true;
  bool is_count = true;
  bool has_zero = false;
  bool has_negative = false;
};
struct FamilyWay {
  Combination combination = Combination::sum;
  bool noise = false;
};

struct AllowedValues {
  std::string_view one;   // "0 or 1"
  std::string_view many;  // "0 and 1"
  bool (*are_all)(std::span<const double> x) = nullptr;
};
struct FamilyParameter {
  std::string_view word = {};   // what it is, in results
  std::string_view words = {};  // more than one of it
  Bounds bounds = {};
  ParameterScale scale = ParameterScale::logarithm;
};

struct SourceFamily {
  std::string_view word;          // for --source and in model files
  AllowedValues values = {};      // of an emission
  FamilyParameter location = {};  // of a source
  FamilyParameter shared = {};    // of all sources; without a word: none

  // Combinations with a meaning; the first `closed` have a closed form, and the very first leaves a source alone as it
  // is.
  std::vector<Combination> combinations = {};
  std::size_t closed = 0;

  bool has_scatter = false;   // Gaussian, with covariances
  bool is_logarithm = false;  // Gaussian in the logarithm of x
  bool is_whole = false;      // emissions are whole numbers
  bool has_flips = false;     // noise is D probabilities that a cell is flipped
  bool needs_log = false;     // statistics: the mean of log x
  bool needs_values = false;  // statistics: how often each value occurs

  double (*added)(double location, Combination combination) = nullptr;  // null: the location itself
  // Terms of the log likelihood of some rows of x without parameters.
  double (*log_constant)(std::span<const double> x, std::size_t dimensions, Rows rows) = nullptr;

  FamilyDensity density = {};
  FamilyPlan plan = {};
  FamilyFit fit = {};
  FamilySearch search = {};
  FamilyTheory theory = {};

  double (*random_location)(double separation, Rng& rng) = nullptr;
  double (*random_shared)(Rng& rng) = nullptr;
  std::vector<FamilyWay> ways = {};                                  // that `auto` tries
  bool (*suits)(const ValueShape& values, bool is_named) = nullptr;  // when it tries them

  bool has_shared() const { return !shared.word.empty(); }
  Combination alone() const { return combinations.front(); }
};

const SourceFamily& family_of(Family family);
const std::vector<SourceFamily>& source_families();

}  // namespace motet
