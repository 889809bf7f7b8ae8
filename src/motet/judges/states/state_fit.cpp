#include "motet/judges/states/state_fit.h"

#include <algorithm>
#include <array>
#include <cmath>

#include "motet/base/numeric.h"

namespace motet::judges {
namespace {

constexpr std::size_t learning_rounds = 5;
constexpr std::size_t steps_a_round = 8;
constexpr double round_tolerance = 1e-3;  // of the first rounds: what they learn is rough anyway
constexpr double first_strength = 2.0;
constexpr std::array strengths = {1.0, 2.0, 4.0, 8.0, 16.0, 32.0, 64.0, 128.0};
constexpr double usual_strength = 4.0;
constexpr double row_pseudo = 2.0;  // votes that keep a row from the border
constexpr double row_right = 0.6;   // and how many of them are right

// Items on which judges are divided begin in the later subtypes of their class.
constexpr double subtype_contrast = 4.0;
constexpr double most_divided = 0.9;

double division(std::span<const double> share) {  // entropy in units of the largest
  double sum = 0.0;
  for (const double p : share) sum -= p > 0.0 ? p * std::log(p) : 0.0;
  return sum / std::log(static_cast<double>(share.size()));
}

// p(state) of one row, from the shares of its votes.
void first_guess(const StateShape& shape, std::span<const double> share, std::span<double> q) {
  const double divided = division(share);
  double total = 0.0;
  for (std::size_t z = 0; z < q.size(); ++z) {
    const double middle = (static_cast<double>(z % shape.per_class) + 0.5) / static_cast<double>(shape.per_class);
    const double pull =
        shape.per_class == 1 ? 1.0 : std::exp(-subtype_contrast * std::abs(divided - most_divided * middle));
    total += q[z] = share[shape.class_of(z)] * pull;
  }
  for (double& value : q) value /= total;
}

// Statistics as of an E-step, from shares of votes.
std::vector<double> first_statistics(const VoteTable& table, const StateShape& shape) {
  const std::size_t k = table.class_count;
  std::vector<double> statistics(1 + shape.cell(table.judge_count * k, 0), 0.0);
  std::vector<double> share(k);
  std::vector<double> q(shape.state_count());
  for (std::size_t row = 0; row < table.row_count(); ++row) {
    const auto codes = table.of_row(row);
    const std::int32_t known = table.known_class(row);
    std::fill(share.begin(), share.end(),
              codes.empty() && known == Votes::unknown ? 1.0 / static_cast<double>(k) : 0.0);
    if (known != Votes::unknown) share[static_cast<std::size_t>(known)] = 1.0;
    for (const std::uint32_t code : codes) {
      if (known == Votes::unknown) share[code % k] += 1.0 / static_cast<double>(codes.size());
    }
    first_guess(shape, share, q);
    for (std::size_t z = 0; z < q.size(); ++z) {
      statistics[1 + z] += table.weight(row) * q[z];
      for (const std::uint32_t code : codes) statistics[1 + shape.cell(code, z)] += table.weight(row) * q[z];
    }
  }
  return statistics;
}

// m_zc at [z * K + c].
std::vector<double> common_rows(std::span<const double> statistics, const StateShape& shape, std::size_t judges) {
  const std::size_t k = shape.class_count;
  std::vector<double> rows(shape.state_count() * k);
  for (std::size_t z = 0; z < shape.state_count(); ++z) {
    double total = 0.0;
    for (std::size_t c = 0; c < k; ++c) {
      double& value = rows[z * k + c];
      value = row_pseudo * (c == shape.class_of(z) ? row_right : (1.0 - row_right) / static_cast<double>(k - 1));
      for (std::size_t j = 0; j < judges; ++j) value += statistics[1 + shape.cell(j * k + c, z)];
      total += value;
    }
    for (std::size_t c = 0; c < k; ++c) rows[z * k + c] /= total;
  }
  return rows;
}

// log p(counts) of Dirichlet-multinomial draws around `centre`.
double log_of_counts(std::span<const double> counts, std::span<const double> centre, double strength) {
  double votes = 0.0;
  double value = 0.0;
  for (std::size_t c = 0; c < counts.size(); ++c) {
    value += std::lgamma(strength * centre[c] + counts[c]) - std::lgamma(strength * centre[c]);
    votes += counts[c];
  }
  return value + std::lgamma(strength) - std::lgamma(strength + votes);
}

template <class LogOf>
double likeliest(const LogOf& log_of) {
  double best = usual_strength;
  double highest = -infinity;
  for (const double s : strengths) {
    const double value = log_of(s) - 0.5 * std::pow(std::log(s / usual_strength), 2);
    if (value > highest) {
      highest = value;
      best = s;
    }
  }
  return best;
}

}  // namespace

std::vector<double> usual_levels() { return {0.0, 0.25, 0.5, 0.75}; }

StateSpec with_likeliest_strengths(StateSpec spec, std::span<const double> statistics) {
  const StateShape& shape = spec.shape;
  const std::size_t k = shape.class_count;
  const std::size_t judges = (statistics.size() - 1 - shape.table_begin()) / (shape.state_count() * k);
  std::vector<double> wrong(k - 1);
  std::vector<double> wrong_centre(k - 1);
  const auto sum_over_rows = [&](bool of_right, double strength) {
    double value = 0.0;
    for (std::size_t z = 0; z < shape.state_count(); ++z) {
      const std::size_t y = shape.class_of(z);
      for (std::size_t j = 0; j < judges; ++j) {
        std::array<double, 2> right{};
        for (std::size_t c = 0, place = 0; c < k; ++c) {
          const double n = statistics[1 + shape.cell(j * k + c, z)];
          right[c == y ? 0 : 1] += n;
          if (c == y) continue;
          wrong[place] = n;
          wrong_centre[place++] = spec.wrong_share(z, c);
        }
        const double m = spec.rows[z * k + y];
        value += of_right ? log_of_counts(right, std::array{m, 1.0 - m}, strength)
                          : log_of_counts(wrong, wrong_centre, strength);
      }
    }
    return value;
  };
  spec.right_strength = likeliest([&](double s) { return sum_over_rows(true, s); });
  if (k > 2) spec.wrong_strength = likeliest([&](double t) { return sum_over_rows(false, t); });
  return spec;
}

StateFit learn_states(const VoteTable& table, const StateOptions& options, const std::vector<double>& known_prior,
                      const RunContext& run) {
  StateFit fit;
  fit.spec.shape = {table.class_count, options.per_class, options.levels, said_shares(table)};
  fit.spec.known_prior = known_prior;
  fit.spec.right_strength = fit.spec.wrong_strength = first_strength;
  std::vector<double> statistics = first_statistics(table, fit.spec.shape);
  std::vector<double> parameters;
  for (std::size_t round = 0; round <= learning_rounds; ++round) {
    fit.spec.rows = common_rows(statistics, fit.spec.shape, table.judge_count);
    if (round > 0) fit.spec = with_likeliest_strengths(std::move(fit.spec), statistics);
    const EmProblem problem = state_problem(table, fit.spec);
    if (parameters.empty()) parameters = problem.maximise(statistics, {});
    fit.result = run_em(problem, parameters, {steps_a_round, round_tolerance, 1.0, true}, unheard(run));
    if (fit.result.summary.stop == Stop::interrupted) return fit;
    parameters = fit.result.parameters;
    statistics = fit.result.statistics;
  }
  return fit;
}

StateFit finish_states(const VoteTable& table, StateFit learnt, const EmRule& rule, const RunContext& run,
                       std::string_view stage) {
  if (learnt.result.summary.stop == Stop::interrupted) return learnt;
  learnt.result = run_em(state_problem(table, learnt.spec), std::move(learnt.result.parameters), rule, run, stage);
  return learnt;
}

}  // namespace motet::judges
