// The generative vocabulary: sources that emit, and how emissions make an item.
//
// Source k emits xi_k in D dimensions from its distribution; an item with label set L is
// x = c({xi_k : k in L}) for a combination function c. A background source, when there is
// one, is in every set; it comes last, also carries the empty set, and counts in m = |L|.
//
//   gaussian     sum  N(sum mu_k, sum S_k)      mean  N(sum mu_k / m, sum S_k / m^2)
//   lognormal    product: the logarithms are Gaussian and add
//   bernoulli    or   1 - prod (1 - b_k)        and   prod b_k
//   exponential  min: the rates add             poisson  sum: the rates add
//   gamma        sum, with one rate per dimension shared by all sources: the shapes add
//   any          one-of: the item is one emission of the set, each source equally likely
//                (a mixture; with Gaussians this is mixture discriminant analysis)
// Other pairs have no closed form: integrated_density.h.
//
// Noise, when there is any, is independent of the sources: for gaussian (lognormal: on the
// logarithms) a zero-mean Gaussian that every item carries once, S_L = (sum) + S_noise, also
// for mean; for bernoulli each cell is flipped with a small probability. Only closed forms have it.
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "motet/data/bit_matrix.h"
#include "motet/data/value.h"

namespace motet {

// A place in the list of families.cpp, see family.h; those that code speaks of by name come first.
enum class Family : std::uint32_t { gaussian, bernoulli, exponential, gamma, poisson, lognormal };
enum class Combination { sum, mean, logical_or, logical_and, minimum, product, one_of };
enum class Covariance {
  spherical,  // one variance per source
  diagonal,   // D variances per source
  full,       // a matrix per source
  shared,     // one matrix, the same for all sources
  point       // none: all spread is noise, S_L = S_noise
};

constexpr const char* combination_words[] = {"sum", "mean", "or", "and", "min", "product", "one-of"};
constexpr const char* covariance_words[] = {"spherical", "diagonal", "full", "shared", "point"};

struct Sources {
  Family family = Family::gaussian;
  Combination combination = Combination::sum;
  Covariance covariance = Covariance::diagonal;  // of gaussian and lognormal
  std::size_t dimensions = 0;
  std::size_t count = 0;    // with the background
  bool background = false;  // the last source is in every set

  // count x D: the mean (lognormal: of the logarithm), probability of a one, rate, or shape (gamma).
  std::vector<double> location = {};
  // gaussian, lognormal: count | count x D | count x D x D | D x D | empty, by covariance.
  // Families with a parameter that all sources share (gamma: the rate): D. Else empty.
  std::vector<double> spread = {};
  // gaussian, lognormal: D x D, empty without noise. bernoulli: D probabilities of a flip.
  std::vector<double> noise = {};

  std::size_t label_count() const { return count - (background ? 1 : 0); }
  std::span<const double> location_of(std::size_t source) const {
    return {location.data() + source * dimensions, dimensions};
  }
  bool operator==(const Sources&) const = default;
};

std::vector<std::string_view> family_names();  // all, as --source names them
Family family_named(std::string_view word);    // throws Error{bad_data} for a word that is none of them
std::string family_word(Family family);
bool is_gaussian(Family family);  // or Gaussian in the logarithm
bool has_closed_form(Family family, Combination combination);
bool has_closed_form(const Sources& sources);

// Throws Error{usage} for a pair without a meaning, such as gaussian with or; the text lists those that have one.
void require_pair(Family family, Combination combination);

// The D x D covariance of a source, whatever its kind.
std::vector<double> covariance_of(const Sources& sources, std::size_t source);

// Members of a label set, rising, with the background where there is one.
std::vector<std::size_t> members(const Sources& sources, std::span<const std::uint64_t> set);

// Mean and covariance of an item with this set; gaussian families with sum, mean or product,
// in the space where they are Gaussian.
struct SetMoments {
  std::vector<double> mean;        // D
  std::vector<double> covariance;  // D x D
};
SetMoments set_moments(const Sources& sources, std::span<const std::uint64_t> set);

Value to_value(const Sources& sources);
Sources sources_from(const Value& value);  // throws Error{bad_data} for sizes or numbers that cannot be

}  // namespace motet
