// Frames that several sources make together: the factorial hidden Markov model, exactly.
//
// Each source has its own chain (source_hmm.h); a clip of m sources of K states has K^m joint states j, whose chain is
// the product of theirs, and in each a frame is Gaussian:
//   mean     x = (sum_a xi_a) / m:   mean and variance are sum mu_a / m and sum v_a / m^2          (5.22)
//   log_add  x = log(sum_a e^xi_a / m): energies add up. Linear about the means,
//            w_a = e^mu_a / sum_b e^mu_b, it has mean log(sum_a e^mu_a / m) and variance sum w_a^2 v_a.
// Given a frame and j, what a source emitted is Gaussian too, with mean mu_a + c_a (x - mean_j) and variance r_a, where
// c_a = w_a v_a / variance_j and r_a = v_a (1 - w_a c_a); w_a = 1 / m for the mean. So the E-step has a closed form and
// no emission needs to be guessed, as (5.23) does.
#pragma once

#include <cstdint>
#include <span>
#include <string_view>
#include <vector>

#include "motet/temporal/hmm/source_hmm.h"

namespace motet::temporal {

enum class SourceCombination { mean, log_add };
std::string_view name_of(SourceCombination combination);

constexpr std::size_t most_joint_states = 255;

struct SourceMix {
  // Throws Error{usage} for more than 255 joint states.
  SourceMix(std::span<const SourceHmm* const> sources, SourceCombination combination);

  std::size_t joint = 1;  // number of joint states
  std::size_t dimensions = 0;
  HiddenChain chain;
  std::vector<double> means;                           // joint x D
  std::vector<double> variances;                       // joint x D
  std::vector<std::vector<std::uint8_t>> state_of;     // by source and joint state
  std::vector<std::vector<double>> share;              // c_a, by source: joint x D
  std::vector<std::vector<double>> residual_variance;  // r_a, by source: joint x D
};

// log p(x_n | z_n = j), joint state by joint state, of the frames `rows` (each of D numbers).
std::vector<double> joint_densities(const SourceMix& mix, std::span<const double> rows);

// log p(frames) of one clip.
double log_likelihood(const SourceMix& mix, std::span<const double> rows);

struct MixPosterior {
  double log_likelihood = 0.0;
  std::vector<double> responsibilities;  // joint x frames
  std::vector<double> counts;            // of the joint chain, as chain_posterior gives them
};
MixPosterior mix_posterior(const SourceMix& mix, std::span<const double> rows);

}  // namespace motet::temporal
