#include "motet/roles/baselines/ino.h"

#include <algorithm>
#include <atomic>

#include "motet/base/error.h"
#include "motet/base/streams.h"
#include "motet/roles/baselines/ino_chain.h"

namespace motet::roles {
namespace {

constexpr double most_steps = 4e12;
constexpr std::size_t most_climbs = 100;

void check_size(const BitMatrix& held, const InoOptions& options) {
  if (options.iterations == 0 || options.chains == 0 || options.max_features == 0) {
    fail(ErrorKind::usage, "ino: iterations, chains and max features must be at least 1");
  }
  if (options.max_features > 10'000) {
    fail(ErrorKind::usage, "max features = " + std::to_string(options.max_features) + " is above 10000");
  }
  const double steps = static_cast<double>(options.iterations) * static_cast<double>(options.chains) *
                       static_cast<double>(held.rows()) * static_cast<double>(held.columns()) *
                       static_cast<double>(options.max_features);
  if (steps > most_steps) {
    fail(ErrorKind::machine_limit, "method ino: " + std::to_string(held.rows()) + " users x " +
                                       std::to_string(held.columns()) +
                                       " permissions would take hours; use fewer of them, or the method mac");
  }
}

struct Best {
  InoState state;
  double log_posterior = 0.0;
};

Best run_chain(const BitMatrix& held, const InoOptions& options, Rng rng, const RunContext& run,
               std::atomic<std::size_t>& done) {
  InoChain chain(held, options.max_features, rng);
  Best best{chain.state(), chain.log_posterior()};
  for (std::size_t i = 0; i < options.iterations && !run.cancelled(); ++i) {
    chain.sweep();
    const double now = chain.log_posterior();
    if (now > best.log_posterior) best = {chain.state(), now};
    const std::size_t count = ++done;
    if (run.observer && count % 16 == 0) {
      run.observer({"sampling roles", static_cast<double>(count),
                    static_cast<double>(options.iterations * options.chains), "sweeps"});
    }
  }
  chain.restore(best.state);
  for (std::size_t i = 0; i < most_climbs && !run.cancelled() && chain.climb(); ++i) {
  }
  return {chain.state(), chain.log_posterior()};
}

}  // namespace

InoFit fit_ino(const BitMatrix& held, const InoOptions& options, const RunContext& run) {
  check_size(held, options);
  const Rng root = stream(run.seed, Stream::roles_ino_chains);
  std::vector<Best> found(options.chains);
  std::atomic<std::size_t> done{0};
  for_each_task(options.chains, run.threads,
                [&](std::size_t c) { found[c] = run_chain(held, options, root.child(c), run, done); });
  if (run.cancelled()) fail(ErrorKind::interrupted, "interrupted while sampling roles");
  Best& best = *std::max_element(found.begin(), found.end(),
                                 [](const Best& a, const Best& b) { return a.log_posterior < b.log_posterior; });
  std::vector<InoFeature>& features = best.state.features;
  std::erase_if(features, [](const InoFeature& feature) {
    return std::count(feature.permissions.begin(), feature.permissions.end(), 1) == 0;
  });
  std::stable_sort(features.begin(), features.end(),
                   [](const InoFeature& a, const InoFeature& b) { return a.user_count > b.user_count; });
  InoFit fit{{BitMatrix(features.size(), held.columns()), BitMatrix(held.rows(), features.size())},
             best.state.lambda,
             best.state.eps,
             best.state.alpha,
             best.log_posterior};
  for (std::size_t k = 0; k < features.size(); ++k) {
    for (std::size_t d = 0; d < held.columns(); ++d) fit.result.roles.set(k, d, features[k].permissions[d] != 0);
    for (std::size_t n = 0; n < held.rows(); ++n) fit.result.assignments.set(n, k, features[k].users[n] != 0);
  }
  return fit;
}

Factorization ino(const BitMatrix& held, const InoOptions& options, const RunContext& run) {
  return fit_ino(held, options, run).result;
}

}  // namespace motet::roles
