// Gaussian mixtures whose components belong to classes, with a field over time in
// place of the mixture weights (chapters 4 and 5).
//
//   p(x_n | z_nk = 1) = N(x_n; mu_k, Sigma_k)                                   (4.10)
//   static:    p(z_nk = 1) = pi_k                                               (4.8)
//   temporal:  p(z_n | neighbours) ~ exp(sum_i w_|i-n| [z_i = z_n])             (5.24)
// or with a hidden Markov chain: p(z_n = k | z_{n-1} = j) = A_jk
#pragma once

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include "motet/data/record.h"
#include "motet/temporal/field.h"

namespace motet {

enum class MixtureCovariance { full, diagonal, tied };
std::string_view name_of(MixtureCovariance covariance);

struct Component {
  std::vector<double> mean;        // D
  std::vector<double> covariance;  // D x D, row by row, whatever the kind
  double share = 0.0;              // pi_k; with a field the mean responsibility, for information only
  std::int32_t of_class = -1;      // number in Mixture::classes; -1: none

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
  static constexpr int newest_version = 2;  // 1 has no chain

  std::vector<std::string> columns;  // of the features
  MixtureCovariance covariance = MixtureCovariance::full;
  std::vector<Component> components;
  std::vector<std::string> classes;  // may be empty
  TimeField field;                   // radius 0: static
  HiddenChain chain{};               // in place of a field

  bool has_chain() const { return !chain.start.empty(); }

  std::size_t dimensions() const { return columns.size(); }
};

// -1: unknown, else a number in Mixture::classes. One a row, or empty: nothing is known.
using RowLabels = std::vector<std::int32_t>;

Record to_record(const Mixture& mixture);
Mixture mixture_from_record(const Record& record);

}  // namespace motet
