#include "motet/roles/evaluate.h"

#include <algorithm>
#include <cmath>
#include <numeric>

#include "motet/base/error.h"
#include "motet/base/numeric.h"
#include "motet/base/streams.h"
#include "motet/data/bit_matrix.h"
#include "motet/roles/mac/posterior.h"
#include "motet/roles/mac/set_unions.h"
#include "motet/roles/merge.h"
#include "motet/roles/sparse/grown_sets.h"

namespace motet::roles {
namespace {

constexpr std::size_t block_groups = 64;

std::vector<std::uint32_t> draw_disclosed(std::size_t permissions, std::size_t count, Rng rng) {
  std::vector<std::uint32_t> order(permissions);
  std::iota(order.begin(), order.end(), 0U);
  for (std::size_t i = 0; i < count; ++i) std::swap(order[i], order[i + rng.below(permissions - i)]);
  order.resize(count);
  std::sort(order.begin(), order.end());
  return order;
}

// Wrong cells of one user among the hidden ones.
double wrong_cells(std::span<const std::uint64_t> guess, std::span<const std::uint64_t> truth,
                   std::span<const std::uint64_t> hidden) {
  std::size_t count = 0;
  for (std::size_t w = 0; w < hidden.size(); ++w) {
    count += static_cast<std::size_t>(std::popcount((guess[w] ^ truth[w]) & hidden[w]));
  }
  return static_cast<double>(count);
}

// Sums of G by repeat and by user.
class Tally {
 public:
  Tally(std::size_t users, std::size_t hidden) : hidden_(static_cast<double>(hidden)), now_(users), by_user_(users) {}

  void add(std::size_t user, double wrong) { now_[user] = wrong / hidden_; }
  void end_repeat() {
    by_repeat_.push_back(mean_sd(now_).mean);
    for (std::size_t n = 0; n < now_.size(); ++n) by_user_[n] += now_[n];
  }
  PredictionError result() const {
    const MeanSd repeats = mean_sd(by_repeat_);
    return {repeats.mean, repeats.error, mean_sd(by_user_).error / static_cast<double>(by_repeat_.size())};
  }

 private:
  double hidden_;
  std::vector<double> now_;
  std::vector<double> by_user_;
  std::vector<double> by_repeat_;
};

// One draw of D*. Users who agree in the disclosed cells are treated as one.
struct Draw {
  std::vector<std::uint32_t> disclosed;
  BitMatrix mask;                                        // one row: 1 = disclosed
  BitMatrix hidden;                                      // one row: 1 = to be predicted
  MergedMatrix groups;                                   // of users; columns are the disclosed ones
  std::vector<std::vector<std::uint32_t>> members = {};  // by group: users
};

Draw make_draw(const EvaluateData& data, std::vector<std::uint32_t> disclosed) {
  const std::size_t permissions = data.held->columns();
  Draw draw{std::move(disclosed), BitMatrix(1, permissions), BitMatrix(1, permissions), {}};
  for (std::size_t d = 0; d < permissions; ++d) draw.hidden.set(0, d);
  for (const std::uint32_t d : draw.disclosed) {
    draw.mask.set(0, d);
    draw.hidden.set(0, d, false);
  }
  // With attributes equal cells do not mean equal posteriors.
  draw.groups = merge_equal(data.held->columns_of(draw.disclosed), {data.attributes == nullptr, false});
  draw.members.resize(draw.groups.bits.rows());
  for (std::size_t n = 0; n < data.held->rows(); ++n) {
    draw.members[draw.groups.row_of[n]].push_back(static_cast<std::uint32_t>(n));
  }
  return draw;
}

struct Tallies {
  Tally nearest;
  Tally common;
  Tally posterior;
  Tally granted;
};

class Experiment {
 public:
  Experiment(const RoleModel& model, const EvaluateData& data, const RunContext& run)
      : model_(model), data_(data), run_(run), truth_(data.truth == nullptr ? *data.held : *data.truth) {}

  // Rule (2.24), ties by lot and by share.
  void nearest_sets(const Draw& draw, const Rng& rng, Tallies& tallies) const {
    const BitMatrix seen = unions_.columns_of(draw.disclosed);
    by_group(draw, [&](std::size_t group) {
      std::vector<std::uint32_t> nearest;
      std::size_t least = draw.disclosed.size() + 1;
      for (std::size_t l = 0; l < seen.rows(); ++l) {
        const std::size_t differing = bits_apart(draw.groups.bits.row(group), seen.row(l));
        if (differing > least) continue;
        if (differing < least) nearest.clear();
        least = differing;
        nearest.push_back(static_cast<std::uint32_t>(l));
      }
      std::uint32_t common = nearest[0];
      for (const std::uint32_t l : nearest) common = model_.set_share[l] > model_.set_share[common] ? l : common;
      for (const std::uint32_t n : draw.members[group]) {
        Rng lot = rng.child(n);
        const std::uint32_t any = nearest[lot.below(nearest.size())];
        tallies.nearest.add(n, wrong_cells(unions_.row(any), truth_.row(n), draw.hidden.row(0)));
        tallies.common.add(n, wrong_cells(unions_.row(common), truth_.row(n), draw.hidden.row(0)));
      }
    });
  }

  void posterior(const Draw& draw, Tallies& tallies) const {
    const std::size_t groups = draw.members.size();
    std::vector<std::uint32_t> one_each;
    for (const std::vector<std::uint32_t>& members : draw.members) one_each.push_back(members[0]);
    BitMatrix known(groups, draw.mask.columns());
    for (std::size_t g = 0; g < groups; ++g) std::ranges::copy(draw.mask.row(0), known.row(g).begin());
    const BitMatrix held = data_.held->rows_of(one_each);
    RoleModel model = model_;
    add_sets_of(model, held, &known, run_.threads);
    const UserPosteriors posteriors = user_posteriors(model, held, {&known, data_.attributes}, run_);
    by_group(draw, [&](std::size_t group) {
      const std::vector<double> grants = granted(model, posteriors.of(group));
      BitMatrix guess(2, grants.size());  // held, granted
      for (std::size_t d = 0; d < grants.size(); ++d) {
        const double p0 = model_.p0_of(d);
        if (p0 + (model_.p1_of(d) - p0) * grants[d] > 0.5) guess.set(0, d);
        if (grants[d] > 0.5) guess.set(1, d);
      }
      for (const std::uint32_t n : draw.members[group]) {
        tallies.posterior.add(n, wrong_cells(guess.row(0), truth_.row(n), draw.hidden.row(0)));
        tallies.granted.add(n, wrong_cells(guess.row(1), truth_.row(n), draw.hidden.row(0)));
      }
    });
  }

  void reference(const Draw& draw, const Guess& guess, Tally& tally) const {
    const BitMatrix guessed = guess(*data_.held, draw.disclosed);
    if (guessed.rows() != truth_.rows() || guessed.columns() != truth_.columns()) {
      fail(ErrorKind::internal, "evaluate: a guess of another shape");
    }
    for (std::size_t n = 0; n < guessed.rows(); ++n) {
      tally.add(n, wrong_cells(guessed.row(n), truth_.row(n), draw.hidden.row(0)));
    }
  }

 private:
  template <class Body>
  void by_group(const Draw& draw, const Body& body) const {
    const std::size_t groups = draw.members.size();
    for_each_task((groups + block_groups - 1) / block_groups, run_.threads, [&](std::size_t task) {
      if (run_.cancelled()) return;
      const std::size_t end = std::min(groups, (task + 1) * block_groups);
      for (std::size_t g = task * block_groups; g < end; ++g) body(g);
    });
    if (run_.cancelled()) fail(ErrorKind::interrupted, "interrupted while evaluating roles");
  }

  const RoleModel& model_;
  const EvaluateData& data_;
  const RunContext& run_;
  const BitMatrix& truth_;
  BitMatrix unions_ = set_unions(model_);  // by label set: permissions of the rounded roles
};

void check(const RoleModel& model, const EvaluateData& data) {
  const std::size_t permissions = model.permission_count();
  const bool fits =
      data.held->columns() == permissions &&
      !(data.truth != nullptr && (data.truth->rows() != data.held->rows() || data.truth->columns() != permissions));
  if (!fits) fail(ErrorKind::internal, "evaluate: data of another shape than the model");
  if (data.held->rows() == 0) fail(ErrorKind::unanswerable, "evaluate: there are no users to predict");
  if (permissions < 2) {
    fail(ErrorKind::unanswerable, "evaluate: permissions = " + std::to_string(permissions) +
                                      " is too few; one must be disclosed and one be left to predict");
  }
}

}  // namespace

GeneralizationResult evaluate_roles(const RoleModel& model, const EvaluateData& data, const EvaluateOptions& options,
                                    std::span<const NamedGuess> references, const RunContext& run) {
  check(model, data);
  const std::size_t permissions = model.permission_count();
  const auto wanted = static_cast<std::size_t>(std::llround(options.reveal * static_cast<double>(permissions)));
  GeneralizationResult result;
  result.disclosed = std::clamp<std::size_t>(wanted, 1, permissions - 1);
  result.repeats = options.repeats;

  const Experiment experiment(model, data, run);
  const Tally empty(data.held->rows(), permissions - result.disclosed);
  Tallies tallies{empty, empty, empty, empty};
  std::vector<Tally> of_references(references.size(), empty);
  const Rng root = stream(run.seed, Stream::roles_disclosed);
  for (std::size_t r = 0; r < options.repeats; ++r) {
    const Rng rng = root.child(r);
    const Draw draw = make_draw(data, draw_disclosed(permissions, result.disclosed, rng.child(0)));
    experiment.nearest_sets(draw, rng.child(1), tallies);
    experiment.posterior(draw, tallies);
    for (Tally* tally : {&tallies.nearest, &tallies.common, &tallies.posterior, &tallies.granted}) tally->end_repeat();
    for (std::size_t i = 0; i < references.size(); ++i) {
      experiment.reference(draw, references[i].guess, of_references[i]);
      of_references[i].end_repeat();
    }
    if (run.observer) {
      run.observer({"predicting", static_cast<double>(r + 1), static_cast<double>(options.repeats), "draws"});
    }
  }
  result.nearest = tallies.nearest.result();
  result.common = tallies.common.result();
  result.posterior = tallies.posterior.result();
  result.granted = tallies.granted.result();
  for (std::size_t i = 0; i < references.size(); ++i) {
    result.references.push_back({references[i].name, of_references[i].result()});
  }
  return result;
}

}  // namespace motet::roles
