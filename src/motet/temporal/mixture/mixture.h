// Mixtures whose components belong to classes, with a field over time in place of the
// mixture weights (chapters 4 and 5).
//
//   p(x_n | z_nk = 1) = N(x_n; mu_k, Sigma_k)                                   (4.10)
//                  or   t(x_n; mu_k, Sigma_k, nu_k), see student.h
//   static:    p(z_nk = 1) = pi_k                                               (4.8)
//   temporal:  p(z_n | neighbours) ~ exp(sum_i w_|i-n| [z_i = z_n])             (5.24)
// or with a hidden Markov chain: p(z_n = k | z_{n-1} = j) = A_jk
#pragma once

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include "motet/data/record.h"
#include "motet/temporal/field/field.h"

namespace motet::temporal {

enum class MixtureCovariance { full, diagonal, tied };
std::string_view name_of(MixtureCovariance covariance);

enum class ComponentLaw { gaussian, student_t };
std::string_view name_of(ComponentLaw emission);

// Of Student's t. Below, a component would shrink onto a single row; above, it is Gaussian for all purposes.
constexpr double least_degrees = 0.5;
constexpr double most_degrees = 1000.0;

struct Component {
  std::vector<double> mean;        // D
  std::vector<double> covariance;  // D x D, row by row, whatever the kind; the scale matrix of Student's t
  double share = 0.0;              // pi_k; with a field the mean responsibility, for information only
  std::int32_t of_class = -1;      // number in Mixture::classes; -1: none
  double degrees = 0.0;            // nu_k of Student's t; 0: Gaussian
  // p(class | component), one for each class (soft_classes.h), of_class being the most probable; empty: of_class alone.
  std::vector<double> class_shares{};

  bool operator==(const Component&) const = default;
};

// Over the components of the rows of a sequence: see hidden_chain.h.
struct HiddenChain {
  std::vector<double> start{};       // p(z_1 = k); empty: there is no chain
  std::vector<double> transition{};  // A_jk, K x K, row by row; every entry is above 0

  bool operator==(const HiddenChain&) const = default;
};

struct Mixture {
  static constexpr std::string_view kind = "temporal";
  static constexpr int newest_version = 2;  // 1 is what is written where it suffices

  std::vector<std::string> columns;  // of the features, stacked (stack.h)
  MixtureCovariance covariance = MixtureCovariance::full;
  std::vector<Component> components;
  std::vector<std::string> classes;  // may be empty
  TimeField field;                   // radius 0: static
  HiddenChain chain{};               // in place of a field
  ComponentLaw emission = ComponentLaw::gaussian;
  bool degrees_are_given = false;  // and not estimated
  std::size_t stack = 0;           // rows before and after beside each row; 0: none

  bool has_chain() const { return !chain.start.empty(); }

  std::size_t dimensions() const { return columns.size(); }
  bool has_soft_classes() const { return !components.empty() && !components.front().class_shares.empty(); }
};

// Of each column over all components.
struct MixtureSpread {
  std::vector<double> mean;
  std::vector<double> deviation;
};
MixtureSpread spread_of(const Mixture& mixture);

// -1: unknown, else a number in Mixture::classes. One per row, or empty: nothing is known.
using RowLabels = std::vector<std::int32_t>;
bool has_labels(const RowLabels& labels);

// The most probable class of each row where components are shared by classes; else empty.
struct DecidedClasses {
  std::vector<std::int32_t> of_row;
  std::vector<double> probability;
};

Record to_record(const Mixture& mixture);
Mixture mixture_from_record(const Record& record);

}  // namespace motet::temporal
