#include "motet/judges/states/item_states.h"

#include <algorithm>
#include <cmath>

#include "motet/base/error.h"
#include "motet/base/numeric.h"

namespace motet::judges {
namespace {

constexpr std::size_t most_plain_votes = 64;    // on one item; with more, logarithms are added instead
constexpr double small_product = 1e-100;        // below it a product is scaled up
constexpr std::size_t votes_between_looks = 8;  // votes multiplied before looking at the size

// Scales to a sum of 1 and returns the logarithm of what the sum was; votes that nothing allows tell nothing.
double to_shares(std::span<double> weights) {
  double sum = 0.0;
  for (const double w : weights) sum += w;
  for (double& w : weights) w = sum > 0.0 ? w / sum : 1.0 / static_cast<double>(weights.size());
  return std::log(sum);
}

void accumulate_rows(const VoteTable& data, const StateTables& tables, std::size_t leaf, std::span<double> statistics) {
  const StateShape& shape = tables.shape();
  const std::size_t states = shape.state_count();
  const std::size_t levels = shape.level_count();
  std::vector<double> q(tables.width());
  for (std::size_t row = data.leaves[leaf]; row < data.leaves[leaf + 1]; ++row) {
    const double weight = data.weight(row);
    const auto codes = data.of_row(row);
    statistics[0] += weight * tables.infer(codes, data.known_class(row), q);
    double* const mass = statistics.data() + 1;
    for (std::size_t at = 0; at < q.size(); ++at) {
      q[at] *= weight;
      mass[at / levels] += q[at];
      mass[states + at % levels] += q[at];
    }
    for (const std::uint32_t code : codes) {
      double* const counts = statistics.data() + 1 + shape.cell(code, 0);
      const double guess = shape.background[code % shape.class_count];
      const double* const said = tables.said(code).data();
      for (std::size_t z = 0, at = 0; z < states; ++z) {
        counts[z] += q[at++];  // level 0 is all about the item
        for (std::size_t h = 1; h < levels; ++h, ++at) {
          counts[z] += q[at] * (1.0 - shape.levels[h] * guess / said[at]);
        }
      }
    }
  }
}

struct StateSteps {
  StateSpec spec;
  std::size_t judges;

  const StateShape& shape() const { return spec.shape; }
  double state_pseudo() const { return pseudo_items_a_class / static_cast<double>(shape().per_class); }

  std::vector<double> maximise(std::span<const double> statistics) const {
    const std::size_t states = shape().state_count();
    const std::size_t k = shape().class_count;
    std::vector<double> next(statistics.begin() + 1, statistics.end());
    for (std::size_t z = 0; z < states; ++z) next[z] += state_pseudo();
    for (std::size_t h = 0; h < shape().level_count(); ++h) next[states + h] += pseudo_items_a_level;
    for (std::size_t j = 0; j < judges; ++j) {
      for (std::size_t z = 0; z < states; ++z) maximise_row(j * k, z, next);
    }
    normalise_all(next);
    return next;
  }

  // Expected counts of one judge in one state become its row.
  void maximise_row(std::size_t first_code, std::size_t z, std::span<double> numbers) const {
    const std::size_t k = shape().class_count;
    const std::size_t y = shape().class_of(z);
    double votes = 0.0;
    for (std::size_t c = 0; c < k; ++c) votes += numbers[shape().cell(first_code + c, z)];
    double& said_right = numbers[shape().cell(first_code + y, z)];
    const double wrong = votes - said_right;
    const double right = (said_right + spec.right_strength * spec.rows[z * k + y]) / (votes + spec.right_strength);
    said_right = right;
    for (std::size_t c = 0; c < k; ++c) {
      if (c == y) continue;
      double& cell = numbers[shape().cell(first_code + c, z)];
      cell = (1.0 - right) * (cell + spec.wrong_strength * spec.wrong_share(z, c)) / (wrong + spec.wrong_strength);
    }
  }

  // Numbers above 0 become shares; known class shares stay what they are.
  void normalise_all(std::span<double> numbers) const {
    const std::size_t states = shape().state_count();
    const std::size_t k = shape().class_count;
    const std::size_t m = shape().per_class;
    if (spec.known_prior.empty()) scale(numbers.first(states), states, 1, 1.0);
    for (std::size_t y = 0; y < k && !spec.known_prior.empty(); ++y) {
      scale(numbers.subspan(y * m), m, 1, spec.known_prior[y]);
    }
    scale(numbers.subspan(states), shape().level_count(), 1, 1.0);
    for (std::size_t j = 0; j < judges; ++j) {
      for (std::size_t z = 0; z < states; ++z) scale(numbers.subspan(shape().cell(j * k, z)), k, states, 1.0);
    }
  }

  static void scale(std::span<double> numbers, std::size_t count, std::size_t step, double to) {
    double total = 0.0;
    for (std::size_t i = 0; i < count; ++i) total += numbers[i * step];
    for (std::size_t i = 0; i < count; ++i) numbers[i * step] *= to / total;
  }

  double log_prior(std::span<const double> parameters) const {
    const std::size_t states = shape().state_count();
    const std::size_t k = shape().class_count;
    double sum = 0.0;
    for (std::size_t z = 0; z < states; ++z) sum += times_log(state_pseudo(), std::max(parameters[z], 1e-300));
    for (std::size_t h = 0; h < shape().level_count(); ++h) {
      sum += times_log(pseudo_items_a_level, parameters[states + h]);
    }
    for (std::size_t code = 0; code < judges * k; ++code) {
      const std::size_t c = code % k;
      for (std::size_t z = 0; z < states; ++z) {
        const std::size_t y = shape().class_of(z);
        const double right = spec.rows[z * k + y];
        const double cell = parameters[shape().cell(code, z)];
        if (c != y) {
          sum += times_log(spec.wrong_strength * spec.wrong_share(z, c), cell);
          continue;
        }
        // 1 - pi(y|z) stands in the prior of right against wrong, and below every share of the wrong ones.
        sum += times_log(spec.right_strength * right, cell);
        sum += (spec.right_strength * (1.0 - right) - spec.wrong_strength) * std::log(1.0 - cell);
      }
    }
    return sum;
  }

  void project(std::span<const double> em_point, std::span<double> candidate) const {
    constexpr double share = 1e-3;  // of the EM point that probabilities keep
    for (std::size_t i = 0; i < candidate.size(); ++i) candidate[i] = std::max(candidate[i], share * em_point[i]);
    if (spec.known_prior.empty()) {
      normalise_all(candidate);
      return;
    }
    for (std::size_t z = 0; z < shape().state_count(); ++z) candidate[z] = em_point[z];
    normalise_all(candidate);
    for (std::size_t z = 0; z < shape().state_count(); ++z) candidate[z] = em_point[z];
  }
};

}  // namespace

std::vector<double> state_numbers(const StateShape& shape, std::span<const double> parameters) {
  const std::size_t states = shape.state_count();
  const std::size_t levels = shape.level_count();
  const std::size_t codes = (parameters.size() - shape.table_begin()) / states;
  std::vector<double> numbers;
  numbers.reserve((codes + 1) * states * levels);
  for (std::size_t z = 0; z < states; ++z) {
    for (std::size_t h = 0; h < levels; ++h) numbers.push_back(parameters[z] * parameters[states + h]);
  }
  for (std::size_t code = 0; code < codes; ++code) {
    const double guess = shape.background[code % shape.class_count];
    for (std::size_t z = 0; z < states; ++z) {
      const double own = parameters[shape.cell(code, z)];
      for (const double level : shape.levels) numbers.push_back((1.0 - level) * own + level * guess);
    }
  }
  return numbers;
}

double StateTables::infer(std::span<const std::uint32_t> codes, std::int32_t known, std::span<double> weights) const {
  for (std::size_t at = 0; at < width_; ++at) {
    const std::size_t y = shape_.class_of(at / shape_.level_count());
    weights[at] = known == Votes::unknown || static_cast<std::int32_t>(y) == known ? numbers_[at] : 0.0;
  }
  if (codes.size() > most_plain_votes) {
    for (double& w : weights) w = std::log(w);
    for (const std::uint32_t code : codes) {
      const double* const row = said(code).data();
      for (std::size_t at = 0; at < width_; ++at) weights[at] += std::log(row[at]);
    }
    const double total = log_sum_exp(weights);
    const double none = 1.0 / static_cast<double>(width_);
    for (double& w : weights) w = std::isinf(total) ? none : std::exp(w - total);
    return total;
  }
  double shift = 0.0;
  for (std::size_t v = 0; v < codes.size(); ++v) {
    const double* const row = said(codes[v]).data();
    for (std::size_t at = 0; at < width_; ++at) weights[at] *= row[at];
    if (v % votes_between_looks != votes_between_looks - 1) continue;
    const double most = *std::max_element(weights.begin(), weights.end());
    if (most >= small_product || most == 0.0) continue;
    for (double& w : weights) w /= most;
    shift += std::log(most);
  }
  return shift + to_shares(weights);
}

EmProblem state_problem(const VoteTable& table, const StateSpec& spec) {
  const StateSteps steps{spec, table.judge_count};
  EmProblem problem;
  problem.leaf_count = table.leaf_count();
  problem.statistic_count = 1 + spec.shape.cell(table.judge_count * table.class_count, 0);
  problem.prepare = [shape = spec.shape](std::span<const double> parameters) {
    return state_numbers(shape, parameters);
  };
  problem.accumulate = [&table, shape = spec.shape](std::span<const double> prepared, std::size_t leaf,
                                                    double inverse_temperature, std::span<double> statistics) {
    if (inverse_temperature != 1.0) fail(ErrorKind::internal, "state_problem: cannot be annealed");
    accumulate_rows(table, StateTables(shape, prepared), leaf, statistics);
  };
  problem.maximise = [steps](std::span<const double> statistics, std::span<const double>) {
    return steps.maximise(statistics);
  };
  problem.log_prior = [steps](std::span<const double> parameters) { return steps.log_prior(parameters); };
  problem.project = [steps](std::span<const double> em_point, std::span<double> candidate) {
    steps.project(em_point, candidate);
  };
  return problem;
}

std::vector<double> said_shares(const VoteTable& table) {
  const std::vector<double> counts = vote_counts(table);
  std::vector<double> shares(table.class_count, 1.0);
  for (std::size_t i = 0; i < counts.size(); ++i) shares[i % table.class_count] += counts[i];
  double total = 0.0;
  for (const double share : shares) total += share;
  for (double& share : shares) share /= total;
  return shares;
}

}  // namespace motet::judges
