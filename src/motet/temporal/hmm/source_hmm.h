// A small hidden Markov model of one source of sound: a few states, each a Gaussian with its own variances.
//
//   p(x_n | z_n = k) = prod_d N(x_nd; mu_kd, v_kd),  p(z_1), p(z_{n+1} | z_n) as in hidden_chain.h
//
// It stands beside the mixtures of `temporal fit --method hmm`, which have full covariances and classes: sources are
// small, many of them are fitted to little data, and several of them make one clip (source_mix.h).
#pragma once

#include <cstddef>
#include <span>
#include <string>
#include <vector>

#include "motet/data/features.h"
#include "motet/temporal/mixture/mixture.h"

namespace motet::temporal {

struct SourceHmm {
  HiddenChain chain;              // K states
  std::vector<double> means;      // K x D, state by state
  std::vector<double> variances;  // the same, above 0

  std::size_t states() const { return chain.start.size(); }
  std::size_t dimensions() const { return means.size() / chain.start.size(); }
  bool operator==(const SourceHmm&) const = default;
};

// The distribution of its states in the long run.
std::vector<double> long_run_shares(const HiddenChain& chain);

// E[xi] of (5.23): the mean emission in the long run.
std::vector<double> mean_emission(const SourceHmm& source);

// As one list of numbers and back, for the engine.
std::size_t parameter_count(std::size_t states, std::size_t dimensions);
void write_parameters(const SourceHmm& source, std::vector<double>& to);
SourceHmm source_at(std::span<const double> parameters, std::size_t states, std::size_t dimensions);

Value to_value(const SourceHmm& source);
// Throws Error{bad_data} for what is no such model of `dimensions` columns.
SourceHmm source_from_value(const Value& value, std::size_t dimensions);

}  // namespace motet::temporal
