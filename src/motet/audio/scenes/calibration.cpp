#include "motet/audio/scenes/calibration.h"

#include <algorithm>
#include <cmath>
#include <set>

#include "motet/base/error.h"
#include "motet/base/streams.h"
#include "motet/data/split.h"
#include "motet/engine/newton.h"

namespace motet::audio {
namespace {

// Scores of clips that were held out, and their classes.
struct HeldScores {
  Rows2d scores;
  std::vector<std::size_t> truth;
};

std::vector<double> softmax_of(std::span<const double> scores, double slope, std::span<const double> offsets) {
  std::vector<double> shares(scores.size());
  double most = slope * scores[0] + offsets[0];
  for (std::size_t c = 0; c < shares.size(); ++c) {
    shares[c] = slope * scores[c] + offsets[c];
    most = std::max(most, shares[c]);
  }
  double sum = 0.0;
  for (double& share : shares) sum += share = std::exp(share - most);
  for (double& share : shares) share /= sum;
  return shares;
}

// Of the parameters a, b_1 ... b_(K-1); b_0 is 0. A weak pull towards 0 keeps classes without a clip in place.
Curvature likelihood_at(const HeldScores& held, std::span<const double> counts, std::span<const double> x) {
  constexpr double pull = 1e-6;
  const std::size_t K = held.scores.width;
  std::vector<double> offsets(K);
  std::copy(x.begin() + 1, x.end(), offsets.begin() + 1);
  Curvature at{0.0, std::vector<double>(K), std::vector<double>(K * K)};
  for (std::size_t n = 0; n < held.truth.size(); ++n) {
    const std::span<const double> s = held.scores.row(n);
    const std::vector<double> p = softmax_of(s, x[0], offsets);
    const double total = counts[held.truth[n]] + static_cast<double>(K);
    double mean = 0.0;
    for (std::size_t c = 0; c < K; ++c) mean += p[c] * s[c];
    for (std::size_t c = 0; c < K; ++c) {
      const double wanted = (c == held.truth[n] ? counts[c] + 1.0 : 1.0) / total;
      at.value += wanted * std::log(std::max(p[c], 1e-300));
      at.gradient[0] += (wanted - p[c]) * s[c];
      at.hessian[0] -= p[c] * (s[c] - mean) * (s[c] - mean);
      if (c == 0) continue;
      at.gradient[c] += wanted - p[c];
      at.hessian[c] -= p[c] * (s[c] - mean);
      at.hessian[c * K] -= p[c] * (s[c] - mean);
      for (std::size_t k = 1; k < K; ++k) at.hessian[c * K + k] -= p[c] * ((c == k ? 1.0 : 0.0) - p[k]);
    }
  }
  for (std::size_t c = 0; c < K; ++c) {
    at.value -= 0.5 * pull * x[c] * x[c];
    at.gradient[c] -= pull * x[c];
    at.hessian[c * K + c] -= pull;
  }
  return at;
}

void calibrate_classes(const HeldScores& held, const RunContext& run, Calibration& calibration) {
  if (held.truth.empty()) return;
  const std::size_t K = held.scores.width;
  std::vector<double> counts(K);
  for (const std::size_t c : held.truth) counts[c] += 1.0;
  std::vector<double> lower(K, -1e300);
  lower[0] = 0.0;
  RunContext quiet = run;
  quiet.observer = {};
  const auto curvature_of = [&](std::span<const double> x) { return likelihood_at(held, counts, x); };
  const NewtonResult found = maximize(curvature_of, std::vector<double>(K), lower, quiet);
  calibration.slope = found.at[0];
  calibration.offsets.assign(K, 0.0);
  std::copy(found.at.begin() + 1, found.at.end(), calibration.offsets.begin() + 1);
}

struct FoldSays {
  std::vector<std::uint32_t> rows;
  std::vector<double> said;  // numbers
  Rows2d scores;             // classes
  std::set<double> learned;  // classes that were there to learn from
};

// What is asked together, and what it may be learned from.
struct Fold {
  std::vector<std::uint32_t> asked;
  std::vector<std::uint32_t> learned_from;
};

// Of one grouping its parts. Of two every pair of a part of the first with one of the second: what is learned from has
// nothing in common with it in either way.
std::vector<Fold> folds_of(const Groupings& groupings, std::size_t folds, const RunContext& run) {
  constexpr std::size_t most_of_two = 5;  // 25 models
  std::vector<Parts> parts;
  std::size_t cells = 1;
  for (std::size_t g = 0; g < groupings.size(); ++g) {
    const std::size_t different = std::set<std::uint32_t>(groupings[g].begin(), groupings[g].end()).size();
    const std::size_t count = std::min({folds, different, groupings.size() > 1 ? most_of_two : folds});
    // Other folds than those that chose cost and gamma.
    parts.push_back(grouped_parts(groupings[g], count, stream(run.seed, Stream::audio_folds, 1 + g)));
    cells *= count;
  }
  std::vector<Fold> found(cells);
  for (std::size_t cell = 0; cell < cells; ++cell) {
    for (std::uint32_t n = 0; n < groupings[0].size(); ++n) {
      std::size_t inside = 0;
      std::size_t rest = cell;
      for (const Parts& one : parts) {
        inside += one.of_row[n] == rest % one.count ? 1 : 0;
        rest /= one.count;
      }
      if (inside == parts.size()) found[cell].asked.push_back(n);
      if (inside == 0) found[cell].learned_from.push_back(n);
    }
  }
  return found;
}

FoldSays fold_says(const Learned& learned, const Rows2d& rows, const Target& target, const Fold& fold,
                   std::size_t number, const LearnOptions& options, const RunContext& run) {
  constexpr std::size_t fewest = 4;  // as of learning at all
  FoldSays says{fold.asked, {}, {target.classes.size(), {}}, {}};
  const Target to_learn = some_targets(target, fold.learned_from);
  says.learned.insert(to_learn.values.begin(), to_learn.values.end());
  if (says.rows.empty() || to_learn.values.size() < fewest || says.learned.size() < 2) return {};
  const Seed seed = drawn_seed(run.seed, Stream::audio_forest, 1 + number);
  const Learned again = relearned(learned, some_rows(rows, fold.learned_from), to_learn, options, seed);
  const Rows2d asked = some_rows(rows, says.rows);
  if (target.is_class()) {
    says.scores = again.scores(asked);
  } else {
    says.said = again.say(asked);
  }
  return says;
}

}  // namespace

void calibrate(Learned& learned, const Rows2d& rows, const Target& target, const Groupings& groupings,
               const LearnOptions& options, const RunContext& run) {
  const std::vector<Fold> cells = folds_of(groupings, options.folds, run);
  std::vector<FoldSays> folds(cells.size());
  for_each_task(cells.size(), run.threads.here(), [&](std::size_t n) {
    if (run.cancelled()) fail(ErrorKind::interrupted, "interrupted while learning how far to trust the model");
    folds[n] = fold_says(learned, rows, target, cells[n], n, options, run);
  });
  Calibration& calibration = learned.calibration;
  HeldScores held{{target.classes.size(), {}}, {}};
  for (const FoldSays& fold : folds) {
    // A fold that lacks a class has no score of it.
    if (target.is_class() && fold.learned.size() < target.classes.size()) continue;
    for (std::size_t i = 0; i < fold.rows.size(); ++i) {
      const double truth = target.values[fold.rows[i]];
      if (!target.is_class()) {
        calibration.residuals.push_back(truth - fold.said[i]);
        continue;
      }
      const std::span<const double> scores = fold.scores.row(i);
      held.scores.values.insert(held.scores.values.end(), scores.begin(), scores.end());
      held.truth.push_back(static_cast<std::size_t>(truth));
    }
  }
  if (target.is_class()) {
    calibrate_classes(held, run, calibration);
    return;
  }
  std::sort(calibration.residuals.begin(), calibration.residuals.end());
  const auto [least, most] = std::minmax_element(target.values.begin(), target.values.end());
  calibration.least = *least;
  calibration.most = *most;
}

std::vector<double> probabilities_of(const Calibration& calibration, std::span<const double> scores) {
  if (calibration.offsets.empty()) return {};
  return softmax_of(scores, calibration.slope, calibration.offsets);
}

AroundSaid around_said(const Calibration& calibration, double confidence) {
  const std::vector<double>& residuals = calibration.residuals;
  if (residuals.empty()) return {};
  // The truth of one more clip is as likely in each of the n + 1 gaps between n residuals.
  const auto gaps = static_cast<double>(residuals.size() + 1);
  const double left_out = std::floor(gaps * (1.0 - confidence) / 2.0 + 1e-9);
  const auto rank = static_cast<std::size_t>(std::clamp(left_out, 1.0, std::max(1.0, std::floor(gaps / 2.0))));
  const double low = residuals[rank - 1];
  const double high = residuals[residuals.size() - rank];
  return {low, high, left_out < 1.0 ? 1.0 - 2.0 / gaps : confidence};
}

}  // namespace motet::audio
