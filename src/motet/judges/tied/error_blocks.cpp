#include "motet/judges/tied/error_blocks.h"

#include <algorithm>
#include <cmath>
#include <numeric>

#include "motet/base/error.h"
#include "motet/data/eigen.h"

namespace motet::judges {
namespace {

using Vector = Eigen::Map<const Eigen::VectorXd>;

constexpr int newton_steps = 3;         // an EM step need not end at the maximum
constexpr double longest_step = 3.0;    // of any coordinate: far more than data ask for
constexpr double good_enough = 1e-10;   // a gain that is not worth another step
constexpr double sum_rounding = 1e-13;  // by which a sum may fall, relative to its size
constexpr double border = 1e-12;        // how near to always right or always wrong
constexpr double most_shared = 0.999;   // rho stays below, or separate mistakes were impossible
constexpr int most_halvings = 30;

RowMatrixView features_of(const ErrorBlock& block) {
  return {block.features.data(), static_cast<Eigen::Index>(block.pattern_count()),
          static_cast<Eigen::Index>(block.feature_count())};
}

Vector view(std::span<const double> numbers) { return {numbers.data(), static_cast<Eigen::Index>(numbers.size())}; }

std::vector<std::size_t> lowest_linked(std::size_t judge_count, std::span<const ErrorPair> pairs) {
  std::vector<std::size_t> parent(judge_count);
  std::iota(parent.begin(), parent.end(), std::size_t{0});
  const auto root = [&](std::size_t j) {
    while (parent[j] != j) j = parent[j];
    return j;
  };
  for (const ErrorPair& pair : pairs) {
    const std::size_t first = root(pair.first);
    const std::size_t second = root(pair.second);
    parent[std::max(first, second)] = std::min(first, second);
  }
  std::vector<std::size_t> lowest(judge_count);
  for (std::size_t j = 0; j < judge_count; ++j) lowest[j] = root(j);
  return lowest;
}

void fill_features(ErrorBlock& block, std::span<const ErrorPair> pairs) {
  const auto place = [&](std::size_t judge) {
    return static_cast<std::size_t>(std::lower_bound(block.judges.begin(), block.judges.end(), judge) -
                                    block.judges.begin());
  };
  const auto sign = [](std::size_t pattern, std::size_t t) { return (pattern >> t & 1U) != 0 ? 1.0 : -1.0; };
  block.features.reserve(block.pattern_count() * block.feature_count());
  for (std::size_t s = 0; s < block.pattern_count(); ++s) {
    for (std::size_t t = 0; t < block.size(); ++t) block.features.push_back(sign(s, t));
    for (const std::size_t p : block.pairs) {
      block.features.push_back(sign(s, place(pairs[p].first)) * sign(s, place(pairs[p].second)));
    }
  }
}

std::size_t cell_of_pattern(std::size_t pattern) {
  std::size_t cell = 0;
  for (std::size_t weight = 1; pattern != 0; pattern >>= 1U, weight *= 3) cell += (pattern & 1U) * weight;
  return cell;
}

std::size_t power_of_three(std::size_t exponent) {
  std::size_t power = 1;
  for (std::size_t t = 0; t < exponent; ++t) power *= 3;
  return power;
}

std::size_t wrong_votes(std::size_t cell, std::size_t judges) {
  std::size_t wrong = 0;
  for (std::size_t t = 0; t < judges; ++t, cell /= 3) wrong += cell % 3 == 0 ? 1 : 0;
  return wrong;
}

// Calls visit(cell with t missing, same with t right, same with t wrong).
template <class Visit>
void along_axis(std::size_t cells, std::size_t stride, const Visit& visit) {
  for (std::size_t base = 0; base < cells; base += 3 * stride) {
    for (std::size_t wrong = base; wrong < base + stride; ++wrong) visit(wrong + 2 * stride, wrong + stride, wrong);
  }
}

double gamma_weight(const ErrorPenalty& penalty) {
  return std::isfinite(penalty.gamma_scale) ? 1.0 / (penalty.gamma_scale * penalty.gamma_scale) : 0.0;
}

double value_at(const ErrorBlock& block, std::span<const double> theta, const Eigen::VectorXd& moments, double total,
                const ErrorPenalty& penalty) {
  double value = moments.dot(view(theta)) - (total + penalty.pseudo_items) * pattern_law(block, theta).log_normaliser;
  for (std::size_t g = block.size(); g < theta.size(); ++g) value -= 0.5 * gamma_weight(penalty) * theta[g] * theta[g];
  return value;
}

std::vector<double> maximise_single(std::span<const double> theta, const PatternCounts& counts,
                                    const ErrorPenalty& penalty) {
  const double all = counts.total + penalty.pseudo_items;
  if (!(all > 0.0)) return {theta.begin(), theta.end()};
  const double right = std::clamp((counts.count[1] + 0.5 * penalty.pseudo_items) / all, border, 1.0 - border);
  return {0.5 * std::log(right / (1.0 - right))};
}

}  // namespace

std::vector<ErrorBlock> make_blocks(std::size_t judge_count, std::span<const ErrorPair> pairs) {
  const std::vector<std::size_t> lowest = lowest_linked(judge_count, pairs);
  std::vector<ErrorBlock> blocks;
  std::vector<std::size_t> block_of(judge_count);
  for (std::size_t j = 0; j < judge_count; ++j) {
    if (lowest[j] == j) {
      block_of[j] = blocks.size();
      blocks.emplace_back();
    }
    blocks[block_of[lowest[j]]].judges.push_back(j);
  }
  for (std::size_t p = 0; p < pairs.size(); ++p) blocks[block_of[lowest[pairs[p].first]]].pairs.push_back(p);
  for (ErrorBlock& block : blocks) {
    if (block.size() > most_in_block) fail(ErrorKind::internal, "make_blocks: too many judges are linked");
    block.cell_count = power_of_three(block.size());
    fill_features(block, pairs);
  }
  return blocks;
}

std::size_t largest_block(std::size_t judge_count, std::span<const ErrorPair> pairs) {
  std::vector<std::size_t> size(judge_count, 0);
  for (const std::size_t lowest : lowest_linked(judge_count, pairs)) ++size[lowest];
  return judge_count == 0 ? 0 : *std::max_element(size.begin(), size.end());
}

PatternLaw pattern_law(const ErrorBlock& block, std::span<const double> theta) {
  PatternLaw law;
  law.probability.resize(block.pattern_count());
  Eigen::Map<Eigen::VectorXd> q(law.probability.data(), static_cast<Eigen::Index>(block.pattern_count()));
  q = features_of(block) * view(theta);
  const double peak = q.maxCoeff();
  for (double& p : law.probability) p = std::exp(p - peak);
  const double sum = q.sum();
  q /= sum;
  law.log_normaliser = peak + std::log(sum);
  return law;
}

ErrorMoments error_moments(const ErrorBlock& block, const PatternLaw& law) {
  const auto b = static_cast<Eigen::Index>(block.size());
  const auto signs = features_of(block).leftCols(b);
  const Vector q = view(law.probability);
  const Eigen::VectorXd mean = signs.transpose() * q;
  const Eigen::MatrixXd covariance = signs.transpose() * q.asDiagonal() * signs - mean * mean.transpose();
  return {{mean.data(), mean.data() + mean.size()}, {covariance.data(), covariance.data() + covariance.size()}};
}

std::vector<double> sum_out_missing(std::size_t judges, std::span<const double> by_pattern) {
  std::vector<double> by_cell(power_of_three(judges), 0.0);
  for (std::size_t s = 0; s < by_pattern.size(); ++s) by_cell[cell_of_pattern(s)] = by_pattern[s];
  for (std::size_t stride = 1; stride < by_cell.size(); stride *= 3) {
    along_axis(by_cell.size(), stride, [&](std::size_t missing, std::size_t right, std::size_t wrong) {
      by_cell[missing] = by_cell[right] + by_cell[wrong];
    });
  }
  return by_cell;
}

std::vector<double> sum_over_cells(std::size_t judges, std::vector<double> by_cell) {
  for (std::size_t stride = 1; stride < by_cell.size(); stride *= 3) {
    along_axis(by_cell.size(), stride, [&](std::size_t missing, std::size_t right, std::size_t wrong) {
      by_cell[right] += by_cell[missing];
      by_cell[wrong] += by_cell[missing];
    });
  }
  std::vector<double> by_pattern(std::size_t{1} << judges);
  for (std::size_t s = 0; s < by_pattern.size(); ++s) by_pattern[s] = by_cell[cell_of_pattern(s)];
  return by_pattern;
}

std::size_t layer_count(const ErrorBlock& block, std::size_t class_count) {
  return class_count > 2 && block.size() > 1 ? 2 : 1;
}

std::vector<double> log_cells(const ErrorBlock& block, const PatternLaw& law, double rho, std::size_t class_count) {
  std::vector<double> cells = sum_out_missing(block.size(), law.probability);
  for (double& p : cells) p = std::log(p);
  if (class_count == 2) return cells;
  const double others = static_cast<double>(class_count - 1);
  const std::size_t count = cells.size();
  if (layer_count(block, class_count) == 2) cells.insert(cells.end(), cells.begin(), cells.end());
  for (std::size_t cell = 0; cell < count; ++cell) {
    const auto wrong = static_cast<double>(wrong_votes(cell, block.size()));
    const double apart = -wrong * std::log(others);
    cells[cell] += wrong < 2.0 ? apart : std::log1p(-rho) + apart;
    if (cells.size() == count) continue;
    cells[count + cell] += wrong < 2.0 ? apart : std::log(rho / others + (1.0 - rho) * std::exp(apart));
  }
  return cells;
}

PatternCounts pattern_counts(const ErrorBlock& block, const PatternLaw& law, std::span<const double> cell_counts) {
  PatternCounts result;
  std::vector<double> ratio = sum_out_missing(block.size(), law.probability);
  for (std::size_t cell = 0; cell < ratio.size(); ++cell) {
    double seen = 0.0;
    for (std::size_t at = cell; at < cell_counts.size(); at += ratio.size()) seen += cell_counts[at];
    result.total += seen;
    ratio[cell] = seen > 0.0 ? seen / ratio[cell] : 0.0;
  }
  result.count = sum_over_cells(block.size(), std::move(ratio));
  for (std::size_t s = 0; s < result.count.size(); ++s) result.count[s] *= law.probability[s];
  return result;
}

BlockObjective block_objective(const ErrorBlock& block, std::span<const double> theta, const PatternCounts& counts,
                               const ErrorPenalty& penalty) {
  const RowMatrixView features = features_of(block);
  const PatternLaw law = pattern_law(block, theta);
  const Vector q = view(law.probability);
  const double all = counts.total + penalty.pseudo_items;
  const Eigen::VectorXd moments = features.transpose() * view(counts.count);
  const Eigen::VectorXd mean = features.transpose() * q;
  Eigen::VectorXd gradient = moments - all * mean;
  Eigen::MatrixXd curvature = all * (features.transpose() * q.asDiagonal() * features - mean * mean.transpose());
  for (auto g = static_cast<Eigen::Index>(block.size()); g < gradient.size(); ++g) {
    gradient(g) -= gamma_weight(penalty) * theta[static_cast<std::size_t>(g)];
    curvature(g, g) += gamma_weight(penalty);
  }
  return {value_at(block, theta, moments, counts.total, penalty),
          {gradient.data(), gradient.data() + gradient.size()},
          {curvature.data(), curvature.data() + curvature.size()}};
}

std::vector<double> maximise_block(const ErrorBlock& block, std::span<const double> theta, const PatternCounts& counts,
                                   const ErrorPenalty& penalty) {
  if (block.size() == 1) return maximise_single(theta, counts, penalty);
  constexpr double ridge = 1e-12;  // relative: a flat direction must not stop the others
  const auto n = static_cast<Eigen::Index>(theta.size());
  const Eigen::VectorXd moments = features_of(block).transpose() * view(counts.count);
  std::vector<double> point(theta.begin(), theta.end());
  for (int step = 0; step < newton_steps; ++step) {
    const BlockObjective here = block_objective(block, point, counts, penalty);
    Eigen::MatrixXd curvature = Eigen::Map<const Eigen::MatrixXd>(here.curvature.data(), n, n);
    curvature.diagonal().array() += ridge * curvature.trace() + 1e-300;
    Eigen::VectorXd direction = curvature.ldlt().solve(view(here.gradient));
    const double length = direction.cwiseAbs().maxCoeff();
    if (!std::isfinite(length)) break;
    if (length > longest_step) direction *= longest_step / length;
    std::vector<double> next(point.size());
    double gain = -1.0;
    for (int halving = 0; halving < most_halvings; ++halving, direction *= 0.5) {
      for (std::size_t i = 0; i < next.size(); ++i) next[i] = point[i] + direction(static_cast<Eigen::Index>(i));
      gain = value_at(block, next, moments, counts.total, penalty) - here.value;
      if (gain >= -sum_rounding * std::abs(here.value)) break;
      gain = -1.0;
    }
    if (gain == -1.0) break;
    point = next;
    if (gain < good_enough) break;
  }
  return point;
}

double maximise_shared_errors(const ErrorBlock& block, double rho, std::span<const double> cell_counts,
                              std::size_t class_count) {
  if (layer_count(block, class_count) == 1) return rho;
  const double others = static_cast<double>(class_count - 1);
  double together = 0.0;
  double all = 0.0;
  for (std::size_t cell = 0; cell < block.cell_count; ++cell) {
    const std::size_t wrong = wrong_votes(cell, block.size());
    if (wrong < 2) continue;
    const double alike = cell_counts[block.cell_count + cell];
    const double shared = rho / others;
    const double apart = (1.0 - rho) * std::pow(others, -static_cast<double>(wrong));
    together += alike * shared / (shared + apart);
    all += cell_counts[cell] + alike;
  }
  return std::min(together / (all + 1.0), most_shared);
}

double block_log_prior(const ErrorBlock& block, std::span<const double> theta, double log_normaliser,
                       const ErrorPenalty& penalty) {
  double sum = -penalty.pseudo_items * log_normaliser;
  for (std::size_t g = block.size(); g < theta.size(); ++g) sum -= 0.5 * gamma_weight(penalty) * theta[g] * theta[g];
  return sum;
}

}  // namespace motet::judges
