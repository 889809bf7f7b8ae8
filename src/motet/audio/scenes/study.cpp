#include "motet/audio/scenes/study.h"

#include <algorithm>
#include <cmath>
#include <map>
#include <numeric>
#include <set>
#include <utility>

#include "motet/base/error.h"
#include "motet/base/numeric.h"
#include "motet/base/quantile.h"
#include "motet/base/streams.h"

namespace motet::audio {
namespace {

struct SplitRows {
  std::vector<std::uint32_t> learn;
  std::vector<std::uint32_t> held;
};

std::vector<std::uint32_t> shuffled_groups(std::size_t count, Rng& rng) {
  std::vector<std::uint32_t> order(count);
  std::iota(order.begin(), order.end(), 0U);
  for (std::size_t i = count; i > 1; --i) std::swap(order[i - 1], order[rng.below(i)]);
  return order;
}

// A share of the groups, at least one and not all.
std::vector<bool> held_of_numbers(std::size_t count, double share, Rng& rng) {
  const std::vector<std::uint32_t> order = shuffled_groups(count, rng);
  const auto wanted = static_cast<std::size_t>(std::llround(share * static_cast<double>(count)));
  std::vector<bool> held(count);
  for (std::size_t i = 0; i < std::clamp<std::size_t>(wanted, 1, std::max<std::size_t>(1, count - 1)); ++i)
    held[order[i]] = true;
  return held;
}

// Groups one by one, by lot, so that of each class about that share of its clips is held out, some where it has two
// groups, and never all.
class HeldOfClasses {
 public:
  HeldOfClasses(std::span<const std::uint32_t> groups, const Target& target, double share)
      : classes_(target.classes.size()),
        clips_(1 + *std::max_element(groups.begin(), groups.end()), std::vector<double>(classes_)),
        is_held_(clips_.size()),
        all_(classes_),
        held_(classes_),
        share_(share) {
    for (std::size_t n = 0; n < groups.size(); ++n) {
      const auto of = static_cast<std::size_t>(target.values[n]);
      clips_[groups[n]][of] += 1.0;
      all_[of] += 1.0;
    }
  }

  std::vector<bool> choose(Rng& rng) {
    const std::vector<std::uint32_t> order = shuffled_groups(clips_.size(), rng);
    for (const std::uint32_t group : order) {
      if (brings_a_new_class(group) && leaves_all_classes(group)) hold(group);
    }
    for (const std::uint32_t group : order) {
      if (!is_held_[group] && leaves_all_classes(group) && distance_with(&clips_[group]) < distance_with(nullptr)) {
        hold(group);
      }
    }
    return is_held_;
  }

 private:
  bool brings_a_new_class(std::uint32_t group) const {
    for (std::size_t c = 0; c < classes_; ++c) {
      if (clips_[group][c] > 0.0 && held_[c] == 0.0) return true;
    }
    return false;
  }

  bool leaves_all_classes(std::uint32_t group) const {
    for (std::size_t c = 0; c < classes_; ++c) {
      if (clips_[group][c] > 0.0 && held_[c] + clips_[group][c] == all_[c]) return false;
    }
    return true;
  }

  // How far the held shares of the classes are from the one that is wanted, perhaps with one more group.
  double distance_with(const std::vector<double>* more) const {
    double sum = 0.0;
    for (std::size_t c = 0; c < classes_; ++c) {
      if (all_[c] > 0.0) sum += std::abs((held_[c] + (more == nullptr ? 0.0 : (*more)[c])) / all_[c] - share_);
    }
    return sum;
  }

  void hold(std::uint32_t group) {
    is_held_[group] = true;
    for (std::size_t c = 0; c < classes_; ++c) held_[c] += clips_[group][c];
  }

  std::size_t classes_;
  std::vector<std::vector<double>> clips_;  // of each group and class
  std::vector<bool> is_held_;
  std::vector<double> all_;   // clips of each class
  std::vector<double> held_;  // of these, held out
  double share_;
};

std::vector<bool> held_groups(std::span<const std::uint32_t> groups, const Target& target, double share, Rng& rng) {
  if (target.is_class()) return HeldOfClasses(groups, target, share).choose(rng);
  return held_of_numbers(1 + *std::max_element(groups.begin(), groups.end()), share, rng);
}

SplitRows one_split(const std::vector<std::span<const std::uint32_t>>& groupings, const Target& target, double share,
                    Rng& rng) {
  std::vector<std::vector<bool>> held;
  held.reserve(groupings.size());
  for (const auto& groups : groupings) held.push_back(held_groups(groups, target, share, rng));
  SplitRows split;
  for (std::uint32_t n = 0; n < groupings[0].size(); ++n) {
    std::size_t outside = 0;
    for (std::size_t g = 0; g < groupings.size(); ++g) outside += held[g][groupings[g][n]] ? 1 : 0;
    if (outside == 0) split.learn.push_back(n);
    if (outside == groupings.size()) split.held.push_back(n);
  }
  return split;
}

std::size_t classes_in(const std::vector<std::uint32_t>& rows, const Target& target) {
  std::set<double> different;
  for (const std::uint32_t n : rows) different.insert(target.values[n]);
  return different.size();
}

// Where sources and responses cross, what is on one side of both may lack a class: of some draws the one that lacks
// fewest, to learn from above all.
SplitRows split_by(const std::vector<std::span<const std::uint32_t>>& groupings, const Target& target, double share,
                   Rng rng) {
  constexpr std::size_t most_draws = 50;
  SplitRows split = one_split(groupings, target, share, rng);
  if (!target.is_class() || groupings.size() < 2) return split;
  const auto worth = [&](const SplitRows& one) {
    return std::pair(classes_in(one.learn, target), classes_in(one.held, target));
  };
  const std::pair most(target.classes.size(), target.classes.size());
  for (std::size_t draw = 1; draw < most_draws && worth(split) != most; ++draw) {
    SplitRows other = one_split(groupings, target, share, rng);
    if (worth(other) > worth(split)) split = std::move(other);
  }
  return split;
}

double reference_of(const Target& learned) {
  if (!learned.is_class()) return quantile_of(learned.values, 0.5);
  std::map<double, std::size_t> counts;
  for (const double value : learned.values) ++counts[value];
  return std::max_element(counts.begin(), counts.end(),
                          [](const auto& a, const auto& b) { return a.second < b.second; })
      ->first;
}

// What one split says.
struct SplitResult {
  double error = 0.0;
  double reference = 0.0;
  std::vector<double> residuals;
  std::vector<double> confusion;
  std::size_t learned = 0;
  std::size_t held = 0;
  std::vector<double> increases;  // per column
};

void permute_column(Rows2d& rows, std::size_t column, Rng rng) {
  for (std::size_t i = rows.rows(); i > 1; --i) {
    std::swap(rows.values[(i - 1) * rows.width + column], rows.values[rng.below(i) * rows.width + column]);
  }
}

std::vector<double> increases_of(const Learned& learned, const Rows2d& rows, const Target& target, double error,
                                 std::uint64_t repeat, const RunContext& run) {
  std::vector<double> increases(rows.width);
  for_each_task(rows.width, run.threads.here(), [&](std::size_t column) {
    if (run.cancelled()) fail(ErrorKind::interrupted, "interrupted while weighing features");
    Rows2d permuted = rows;
    permute_column(permuted, column, stream(run.seed, Stream::audio_importance, repeat * rows.width + column));
    increases[column] = error_of_said(target, learned.say(permuted)) - error;
  });
  return increases;
}

// Counts, truth by what is said.
std::vector<double> confusion_of(const Target& held, const std::vector<double>& said) {
  const std::size_t classes = held.classes.size();
  std::vector<double> counts(classes * classes);
  for (std::size_t i = 0; i < said.size(); ++i) {
    ++counts[static_cast<std::size_t>(held.values[i]) * classes + static_cast<std::size_t>(said[i])];
  }
  return counts;
}

SplitResult result_of(const Clips& clips, const SplitRows& split, const StudyOptions& options, bool weighs,
                      std::uint64_t repeat, const RunContext& run) {
  const Target to_learn = some_targets(clips.target, split.learn);
  const Target held = some_targets(clips.target, split.held);
  std::vector<std::uint32_t> groups;
  for (const std::uint32_t n : split.learn) groups.push_back(clips.source[n]);
  RunContext of_split = run;
  of_split.seed = drawn_seed(run.seed, Stream::audio_split, (std::uint64_t{1} << 32) + repeat);
  const Learned learned = learn(some_rows(clips.rows, split.learn), to_learn, groups, options.learn, of_split);
  const Rows2d asked = some_rows(clips.rows, split.held);
  const std::vector<double> said = learned.say(asked);
  SplitResult result;
  result.learned = split.learn.size();
  result.held = split.held.size();
  result.error = error_of_said(held, said);
  result.reference = error_of_said(held, std::vector<double>(said.size(), reference_of(to_learn)));
  if (held.is_class()) {
    result.confusion = confusion_of(held, said);
  } else {
    for (std::size_t i = 0; i < said.size(); ++i) result.residuals.push_back(std::abs(said[i] - held.values[i]));
  }
  if (weighs) result.increases = increases_of(learned, asked, held, result.error, repeat, run);
  return result;
}

// `increases`: of each split and column.
std::vector<Importance> greatest(const Clips& clips, const std::vector<std::vector<double>>& increases,
                                 const StudyOptions& options) {
  std::vector<Importance> list;
  for (std::size_t d = 0; d < clips.columns.size(); ++d) {
    std::vector<double> of_column;
    of_column.reserve(increases.size());
    for (const std::vector<double>& of_split : increases) of_column.push_back(of_split[d]);
    const MeanSd mean = mean_sd(of_column);
    list.push_back({clips.columns[d], mean.mean, of_column.size() > 1 ? mean.error : 0.0});
  }
  std::stable_sort(list.begin(), list.end(),
                   [](const Importance& a, const Importance& b) { return a.increase > b.increase; });
  list.resize(std::min(list.size(), options.importance));
  return list;
}

}  // namespace

Study study(const Clips& clips, const StudyOptions& options, const RunContext& run) {
  check_ranges(options);
  std::vector<std::uint32_t> alone(clips.rows.rows());
  std::iota(alone.begin(), alone.end(), 0U);
  std::vector<std::pair<std::string, std::vector<std::span<const std::uint32_t>>>> ways = {{"clips", {alone}}};
  if (clips.source != alone) ways.push_back({"sources", {clips.source}});
  if (!clips.response.empty()) ways.push_back({"sources and responses", {clips.source, clips.response}});
  Study study;
  std::vector<std::vector<double>> increases;
  for (const auto& [way, groupings] : ways) {
    HeldOut& held = study.ways.emplace_back();
    held.way = way;
    const bool weighs = options.importance > 0 && way == ways.back().first;
    for (std::uint64_t repeat = 0; repeat < options.repeats; ++repeat) {
      const SplitRows split =
          split_by(groupings, clips.target, options.held_out, stream(run.seed, Stream::audio_split, repeat));
      if (split.held.empty())
        fail(ErrorKind::unanswerable, "no clips are held out by " + way + "; give more, or a larger --held-out");
      if (run.observer) {
        run.observer(
            {"learning by " + way, static_cast<double>(repeat), static_cast<double>(options.repeats), "splits"});
      }
      const SplitResult result = result_of(clips, split, options, weighs, repeat, run);
      held.errors.push_back(result.error);
      held.references.push_back(result.reference);
      held.residuals.insert(held.residuals.end(), result.residuals.begin(), result.residuals.end());
      held.confusion.resize(result.confusion.size());
      for (std::size_t i = 0; i < result.confusion.size(); ++i) held.confusion[i] += result.confusion[i];
      held.mean_learned += static_cast<double>(result.learned) / static_cast<double>(options.repeats);
      held.mean_held += static_cast<double>(result.held) / static_cast<double>(options.repeats);
      if (weighs) increases.push_back(result.increases);
    }
    std::sort(held.residuals.begin(), held.residuals.end());
  }
  if (options.importance > 0) study.importance = greatest(clips, increases, options);
  return study;
}

}  // namespace motet::audio
