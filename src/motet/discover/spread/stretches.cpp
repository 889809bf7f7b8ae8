#include "motet/discover/spread/stretches.h"

#include <algorithm>
#include <cmath>
#include <limits>

namespace motet::discover {
namespace {

constexpr double most_score = 5.0;
constexpr double begins_at = -0.5;
constexpr double goes_on_at = -1.5;

constexpr double most_nearness = 4.0;
constexpr double own_distance = 0.1;        // per column, so that a row equal to an example is not infinitely near
constexpr std::size_t most_looked_at = 64;  // rows of a stretch, evenly spread
constexpr std::size_t scored_a_task = 2048;

// The class of each row that its neighbourhood favours most, and its score; from `first` on.
struct Favoured {
  std::size_t first = 0;
  std::vector<std::int32_t> of_class;
  std::vector<double> score;
};

void score_rows(const SpreadModel& model, std::size_t begin, std::size_t end, Favoured& favoured) {
  const std::size_t classes = model.scores.classes;
  const std::size_t reach = model.radius / 10;
  const std::size_t first = begin - std::min(begin, reach);
  const std::size_t last = std::min(model.cut.starts.back(), end + reach);
  std::vector<double> scores((last - first) * classes);
  for (std::size_t n = first; n < last; ++n) {
    const std::span<double> own = std::span(scores).subspan((n - first) * classes, classes);
    model.scores.score(model.whitened.row(n), own);
    for (double& score : own) score = std::clamp(score, -most_score, most_score);
  }
  for (std::size_t n = begin; n < end; ++n) {
    const RowRange around = rows_around(model.cut.starts, n, reach);
    double best = -std::numeric_limits<double>::infinity();
    std::size_t best_class = 0;
    for (std::size_t c = 0; c < classes; ++c) {
      double sum = 0.0;
      for (std::size_t i = around.begin; i < around.end; ++i) sum += scores[(i - first) * classes + c];
      if (sum > best) {
        best = sum;
        best_class = c;
      }
    }
    const double mean = best / static_cast<double>(around.end - around.begin);
    favoured.score[n - favoured.first] = mean;
    favoured.of_class[n - favoured.first] = mean > goes_on_at ? static_cast<std::int32_t>(best_class) + 1 : 0;
  }
}

// What people said holds, and what looks alike around it goes with it where nothing else is favoured.
void hold_answers(const SpreadModel& model, RowRange range, Favoured& favoured) {
  for (const Example& example : model.examples) {
    if (example.of_class <= 0 || example.rows.empty()) continue;
    const auto [first, last] = std::minmax_element(example.rows.begin(), example.rows.end());
    for (std::size_t n = std::max(*first, range.begin); n < std::min(*last + 1, range.end); ++n) {
      std::int32_t& of_class = favoured.of_class[n - range.begin];
      if (of_class == 0) of_class = example.of_class;
    }
  }
  for (auto entry = model.held.lower_bound(range.begin); entry != model.held.end() && entry->first < range.end;
       ++entry) {
    if (entry->second < 0) continue;
    favoured.of_class[entry->first - range.begin] = entry->second;
    if (entry->second > 0) favoured.score[entry->first - range.begin] = most_score;
  }
}

// Rows that no class is favoured in, between two of one class and not said to be nothing.
void close_pauses(const Sequences& cut, RowRange range, const HeldAnswers& held, Favoured& favoured) {
  for (std::size_t n = range.begin + 1; n < range.end; ++n) {
    const std::int32_t of_class = favoured.of_class[n - 1 - range.begin];
    if (of_class == 0 || favoured.of_class[n - range.begin] != 0) continue;
    std::size_t end = n;
    const std::size_t sequence_end = *std::upper_bound(cut.starts.begin(), cut.starts.end(), n - 1);
    const std::size_t furthest = std::min({n + longest_pause + 1, range.end, sequence_end});
    while (end < furthest && favoured.of_class[end - range.begin] == 0) ++end;
    if (end == furthest || favoured.of_class[end - range.begin] != of_class) continue;
    for (; n < end; ++n) {
      const auto known = held.find(n);
      if (known == held.end() || known->second < 0) favoured.of_class[n - range.begin] = of_class;
    }
  }
}

Favoured favoured_classes(const SpreadModel& model, RowRange range, Threads threads) {
  const std::size_t rows = range.end - range.begin;
  Favoured favoured{range.begin, std::vector<std::int32_t>(rows, 0), std::vector<double>(rows, 0.0)};
  if (model.scores.classes == 0) return favoured;
  for_each_task((rows + scored_a_task - 1) / scored_a_task, threads.here(), [&](std::size_t task) {
    const std::size_t begin = range.begin + task * scored_a_task;
    score_rows(model, begin, std::min(range.end, begin + scored_a_task), favoured);
  });
  hold_answers(model, range, favoured);
  close_pauses(model.cut, range, model.held, favoured);
  return favoured;
}

// log (d_other / d_own) of a row.
double nearness(const SpreadModel& model, std::size_t row, std::int32_t of_class) {
  const std::span<const float> z = model.whitened.row(row);
  const double floor = own_distance * static_cast<double>(z.size());
  double own = std::numeric_limits<double>::infinity();
  double other = 0.0;
  for (const float value : z) other += static_cast<double>(value) * static_cast<double>(value);
  for (const Example& example : model.examples) {
    double& least = example.of_class == of_class ? own : other;
    least = std::min(least, squared_distance(z, example.mean));
  }
  return std::clamp(std::log((other + floor) / (own + floor)), -most_nearness, most_nearness);
}

// What the examples say beside their places: by class, their number and the mean of their log lengths.
struct ClassLengths {
  std::vector<double> count;
  std::vector<double> log_length;

  ClassLengths(std::span<const Example> examples, std::size_t classes) : count(classes + 1), log_length(classes + 1) {
    for (const Example& example : examples) {
      const auto c = static_cast<std::size_t>(example.of_class);
      count[c] += 1.0;
      log_length[c] += std::log(example.length);
    }
    for (std::size_t c = 0; c < count.size(); ++c) log_length[c] /= std::max(1.0, count[c]);
  }
};

bool is_near_answer(const SpreadModel& model, const SpreadStretch& stretch, std::int32_t of_class) {
  const std::size_t reach = model.radius / 2;
  const RowRange before = rows_around(model.cut.starts, stretch.begin, reach);
  const RowRange after = rows_around(model.cut.starts, stretch.end - 1, reach);
  for (auto entry = model.held.lower_bound(before.begin); entry != model.held.end() && entry->first < after.end;
       ++entry) {
    if (entry->second == of_class) return true;
  }
  return false;
}

void weigh(const SpreadModel& model, const ClassLengths& lengths, double best_score, SpreadStretch& stretch) {
  const auto set = [&](Evidence which, double value) { stretch.evidence[static_cast<std::size_t>(which)] = value; };
  const std::size_t length = stretch.end - stretch.begin;
  const std::size_t looked = std::min(length, most_looked_at);
  double sum = 0.0;
  double most = -most_nearness;
  for (std::size_t i = 0; i < looked; ++i) {
    const double near = nearness(model, stretch.begin + (2 * i + 1) * length / (2 * looked), stretch.of_class);
    sum += near;
    most = std::max(most, near);
  }
  const auto c = static_cast<std::size_t>(stretch.of_class);
  set(Evidence::score, best_score);
  set(Evidence::nearness, sum / static_cast<double>(looked));
  set(Evidence::nearest, most);
  set(Evidence::shortness, std::min(0.0, std::log(static_cast<double>(length)) - lengths.log_length[c]));
  set(Evidence::examples, std::log(std::max(1.0, lengths.count[c])));
  set(Evidence::near_nothing, is_near_answer(model, stretch, 0) ? 1.0 : 0.0);
  set(Evidence::near_own, is_near_answer(model, stretch, stretch.of_class) ? 1.0 : 0.0);
}

}  // namespace

std::vector<double> rivals_of(std::span<const SpreadStretch> stretches, std::size_t classes) {
  std::vector<double> rivals(classes + 1, 0.0);
  for (const SpreadStretch& stretch : stretches) {
    if (!stretch.is_answered) rivals[static_cast<std::size_t>(stretch.of_class)] += 1.0;
  }
  return rivals;
}

void set_rivals(std::span<const double> rivals, SpreadStretch& stretch) {
  stretch.evidence[static_cast<std::size_t>(Evidence::rivals)] =
      std::log(std::max(1.0, rivals[static_cast<std::size_t>(stretch.of_class)]));
}

std::vector<SpreadStretch> spread_stretches(const SpreadModel& model, RowRange range, Threads threads) {
  const Favoured favoured = favoured_classes(model, range, threads);
  std::vector<SpreadStretch> stretches;
  std::vector<double> best_scores;
  std::size_t sequence_end = range.begin;
  for (std::size_t n = range.begin; n < range.end;) {
    if (n >= sequence_end) sequence_end = *std::upper_bound(model.cut.starts.begin(), model.cut.starts.end(), n);
    const std::int32_t of_class = favoured.of_class[n - range.begin];
    double best = favoured.score[n - range.begin];
    std::size_t end = n + 1;
    for (; end < std::min(range.end, sequence_end) && favoured.of_class[end - range.begin] == of_class; ++end) {
      best = std::max(best, favoured.score[end - range.begin]);
    }
    if (of_class > 0 && best > begins_at) {
      SpreadStretch stretch{n, end, of_class, false, {}, 0.0};
      for (auto entry = model.held.lower_bound(n); entry != model.held.end() && entry->first < end; ++entry) {
        stretch.is_answered = stretch.is_answered || entry->second == of_class;
      }
      stretches.push_back(stretch);
      best_scores.push_back(best);
    }
    n = end;
  }
  const ClassLengths lengths(model.examples, model.scores.classes);
  for_each_task(stretches.size(), threads.here(),
                [&](std::size_t i) { weigh(model, lengths, best_scores[i], stretches[i]); });
  return stretches;
}

}  // namespace motet::discover
