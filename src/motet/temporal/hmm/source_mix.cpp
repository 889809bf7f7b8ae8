#include "motet/temporal/hmm/source_mix.h"

#include <algorithm>
#include <cmath>

#include "motet/base/error.h"
#include "motet/base/numeric.h"
#include "motet/temporal/chain/hidden_chain.h"
#include "motet/temporal/field/field_problem.h"

namespace motet::temporal {
namespace {

// What the sources of a joint state say of one feature.
struct SourcePart {
  double mean;
  double variance;
  double weight;  // w_a
};

void set_weights(std::vector<SourcePart>& parts, SourceCombination combination, double& mean) {
  const double count = static_cast<double>(parts.size());
  mean = 0.0;
  if (combination == SourceCombination::mean) {
    for (SourcePart& part : parts) {
      part.weight = 1.0 / count;
      mean += part.mean / count;
    }
    return;
  }
  double largest = -infinity;
  for (const SourcePart& part : parts) largest = std::max(largest, part.mean);
  double sum = 0.0;
  for (const SourcePart& part : parts) sum += std::exp(part.mean - largest);
  for (SourcePart& part : parts) part.weight = std::exp(part.mean - largest) / sum;
  mean = largest + std::log(sum / count);
}

// Forward and backward through all joint states; `counts` may be empty.
double run_chain(const SourceMix& mix, std::span<const double> rows, std::vector<double>& responsibilities,
                 std::span<double> counts) {
  const std::size_t frames = rows.size() / mix.dimensions;
  const std::vector<double> densities = joint_densities(mix, rows);
  const std::size_t starts[] = {0, frames};
  const FieldProblem problem{starts, densities, mix.joint, {}, {}};
  responsibilities.resize(mix.joint * frames);
  return chain_posterior(problem, AllowedComponents(problem), mix.chain, 0, frames, responsibilities, counts);
}

void set_chain(SourceMix& mix, std::span<const SourceHmm* const> sources) {
  mix.chain.start.assign(mix.joint, 1.0);
  mix.chain.transition.assign(mix.joint * mix.joint, 1.0);
  for (std::size_t a = 0; a < sources.size(); ++a) {
    const HiddenChain& own = sources[a]->chain;
    const std::size_t states = own.start.size();
    for (std::size_t j = 0; j < mix.joint; ++j) {
      mix.chain.start[j] *= own.start[mix.state_of[a][j]];
      for (std::size_t k = 0; k < mix.joint; ++k) {
        mix.chain.transition[j * mix.joint + k] *= own.transition[mix.state_of[a][j] * states + mix.state_of[a][k]];
      }
    }
  }
}

void set_emissions(SourceMix& mix, std::span<const SourceHmm* const> sources, SourceCombination combination) {
  std::vector<SourcePart> parts(sources.size());
  for (std::size_t j = 0; j < mix.joint; ++j) {
    for (std::size_t d = 0; d < mix.dimensions; ++d) {
      for (std::size_t a = 0; a < sources.size(); ++a) {
        const std::size_t at = mix.state_of[a][j] * mix.dimensions + d;
        parts[a] = {sources[a]->means[at], sources[a]->variances[at], 0.0};
      }
      const std::size_t at = j * mix.dimensions + d;
      set_weights(parts, combination, mix.means[at]);
      for (const SourcePart& part : parts) mix.variances[at] += part.weight * part.weight * part.variance;
      for (std::size_t a = 0; a < sources.size(); ++a) {
        mix.share[a][at] = parts[a].weight * parts[a].variance / mix.variances[at];
        mix.residual_variance[a][at] = parts[a].variance * (1.0 - parts[a].weight * mix.share[a][at]);
      }
    }
  }
}

}  // namespace

std::string_view name_of(SourceCombination combination) {
  return combination == SourceCombination::mean ? "mean" : "log-add";
}

SourceMix::SourceMix(std::span<const SourceHmm* const> sources, SourceCombination combination) {
  for (const SourceHmm* source : sources) {
    joint *= source->states();
    if (joint > most_joint_states) {
      fail(ErrorKind::usage, std::to_string(sources.size()) + " sources of " + std::to_string(source->states()) +
                                 " states at once have more than " + std::to_string(most_joint_states) +
                                 " joint states; take fewer states");
    }
  }
  dimensions = sources.empty() ? 0 : sources[0]->dimensions();
  std::size_t stride = joint;
  for (const SourceHmm* source : sources) {
    stride /= source->states();
    std::vector<std::uint8_t> own(joint);
    for (std::size_t j = 0; j < joint; ++j) own[j] = static_cast<std::uint8_t>(j / stride % source->states());
    state_of.push_back(std::move(own));
  }
  means.assign(joint * dimensions, 0.0);
  variances.assign(joint * dimensions, 0.0);
  share.assign(sources.size(), std::vector<double>(joint * dimensions));
  residual_variance = share;
  set_chain(*this, sources);
  set_emissions(*this, sources, combination);
}

std::vector<double> joint_densities(const SourceMix& mix, std::span<const double> rows) {
  const std::size_t frames = rows.size() / mix.dimensions;
  std::vector<double> table(mix.joint * frames);
  for (std::size_t j = 0; j < mix.joint; ++j) {
    double constant = -static_cast<double>(mix.dimensions) * log_root_two_pi;
    std::vector<double> half_inverse(mix.dimensions);
    for (std::size_t d = 0; d < mix.dimensions; ++d) {
      const double variance = mix.variances[j * mix.dimensions + d];
      constant -= 0.5 * std::log(variance);
      half_inverse[d] = 0.5 / variance;
    }
    const double* const mean = mix.means.data() + j * mix.dimensions;
    for (std::size_t n = 0; n < frames; ++n) {
      const double* const row = rows.data() + n * mix.dimensions;
      double sum = constant;
      for (std::size_t d = 0; d < mix.dimensions; ++d) {
        sum -= (row[d] - mean[d]) * (row[d] - mean[d]) * half_inverse[d];
      }
      table[j * frames + n] = sum;
    }
  }
  return table;
}

MixPosterior mix_posterior(const SourceMix& mix, std::span<const double> rows) {
  MixPosterior posterior;
  posterior.counts.assign(chain_count(mix.joint), 0.0);
  posterior.log_likelihood = run_chain(mix, rows, posterior.responsibilities, posterior.counts);
  return posterior;
}

double log_likelihood(const SourceMix& mix, std::span<const double> rows) {
  std::vector<double> responsibilities;
  return run_chain(mix, rows, responsibilities, {});
}

}  // namespace motet::temporal
