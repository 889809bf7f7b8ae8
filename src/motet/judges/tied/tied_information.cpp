#include "motet/judges/tied/tied_information.h"

#include <algorithm>
#include <cmath>

#include "motet/data/eigen.h"

namespace motet::judges {
namespace {

using Matrix = Eigen::Map<const Eigen::MatrixXd>;

constexpr double ridge = 1e-9;               // relative to the mean diagonal: flat directions stay finite
constexpr double nothing_of_its_own = 1e-9;  // share of a score's variance that counts as none

struct Entry {
  std::size_t index;
  double value;
};

// One block: moments of its law, and the mean of F in every cell less the overall mean.
struct BlockScores {
  std::vector<double> cell_scores;  // [cell * features + feature]
  Eigen::MatrixXd covariance;       // of F under q
  ErrorMoments errors;
};

BlockScores block_scores(const ErrorBlock& block, std::span<const double> theta) {
  const std::size_t features = block.feature_count();
  const PatternLaw law = pattern_law(block, theta);
  const std::vector<double> mass = sum_out_missing(block.size(), law.probability);
  BlockScores result;
  result.errors = error_moments(block, law);
  result.cell_scores.resize(mass.size() * features);
  Eigen::VectorXd mean(static_cast<Eigen::Index>(features));
  std::vector<double> part(law.probability.size());
  for (std::size_t f = 0; f < features; ++f) {
    for (std::size_t s = 0; s < part.size(); ++s) part[s] = law.probability[s] * block.features[s * features + f];
    const std::vector<double> sums = sum_out_missing(block.size(), part);
    mean(static_cast<Eigen::Index>(f)) = sums.back();  // nobody seen: the mean itself
    for (std::size_t cell = 0; cell < sums.size(); ++cell) {
      result.cell_scores[cell * features + f] = mass[cell] > 0.0 ? sums[cell] / mass[cell] - sums.back() : 0.0;
    }
  }
  const RowMatrixView matrix(block.features.data(), static_cast<Eigen::Index>(block.pattern_count()),
                             static_cast<Eigen::Index>(features));
  const Eigen::Map<const Eigen::VectorXd> q(law.probability.data(), matrix.rows());
  result.covariance = matrix.transpose() * q.asDiagonal() * matrix - mean * mean.transpose();
  return result;
}

class Scores {
 public:
  Scores(const TiedErrors& model, std::span<const double> parameters)
      : model_(model), layout_(model.layout()), log_table_(layout_.log_table(parameters)) {
    prior_.assign(parameters.begin(), parameters.begin() + static_cast<std::ptrdiff_t>(layout_.class_count));
    mean_.resize(layout_.judge_count);
    for (std::size_t b = 0; b < layout_.blocks.size(); ++b) {
      begin_.push_back(size_);
      blocks_.push_back(block_scores(layout_.blocks[b], layout_.theta_of(b, parameters)));
      size_ += layout_.blocks[b].feature_count();
      for (std::size_t t = 0; t < layout_.blocks[b].size(); ++t) {
        mean_[layout_.blocks[b].judges[t]] = blocks_[b].errors.mean[t];
      }
    }
    prior_begin_ = size_;
    if (!model.prior_is_known()) size_ += layout_.class_count - 1;
  }

  const TiedErrors& model() const { return model_; }
  const TiedLayout& layout() const { return layout_; }
  std::size_t size() const { return size_; }
  std::size_t prior_begin() const { return prior_begin_; }
  std::size_t begin(std::size_t block) const { return begin_[block]; }
  const BlockScores& block(std::size_t b) const { return blocks_[b]; }
  double mean(std::size_t judge) const { return mean_[judge]; }
  double prior(std::size_t y) const { return prior_[y]; }

  double error_covariance(std::size_t i, std::size_t j) const {
    const std::size_t b = layout_.block_of[i];
    if (b != layout_.block_of[j]) return 0.0;
    const std::vector<std::size_t>& judges = layout_.blocks[b].judges;
    const auto place = [&](std::size_t judge) {
      return static_cast<std::size_t>(std::lower_bound(judges.begin(), judges.end(), judge) - judges.begin());
    };
    return blocks_[b].errors.covariance[place(i) * judges.size() + place(j)];
  }

  // Posterior and score of a row.
  void score(std::size_t row, std::vector<double>& posterior, std::vector<Entry>& entries) const {
    const std::size_t k = layout_.class_count;
    const std::span<const std::uint32_t> places = model_.places_of_row(row);
    const std::span<const std::uint32_t> touched = model_.blocks_of_row(row);
    posterior.resize(k);
    infer_entries(std::span(log_table_).first(k), log_table_, places, model_.table().known_class(row), 1.0, posterior);
    entries.clear();
    for (std::size_t e = 0; e < touched.size(); ++e) {
      const ErrorBlock& block = layout_.blocks[touched[e]];
      const std::size_t first = entries.size();
      for (std::size_t f = 0; f < block.feature_count(); ++f) entries.push_back({begin_[touched[e]] + f, 0.0});
      for (std::size_t y = 0; y < k; ++y) {
        const std::size_t cell = (places[e * k + y] - layout_.cells_at[touched[e]]) % block.cell_count;
        const double* scores = blocks_[touched[e]].cell_scores.data() + cell * block.feature_count();
        for (std::size_t f = 0; f < block.feature_count(); ++f) entries[first + f].value += posterior[y] * scores[f];
      }
    }
    for (std::size_t y = 0; prior_begin_ + y < size_; ++y) {
      entries.push_back({prior_begin_ + y, posterior[y] - prior_[y]});
    }
  }

  // Information of the penalties.
  template <class Add>
  void add_penalties(const Add& add) const {
    const ErrorPenalty& penalty = model_.penalty();
    for (std::size_t b = 0; b < blocks_.size(); ++b) {
      const Eigen::MatrixXd& covariance = blocks_[b].covariance;
      for (Eigen::Index a = 0; a < covariance.rows(); ++a) {
        for (Eigen::Index c = 0; c < covariance.rows(); ++c) {
          add(begin_[b] + static_cast<std::size_t>(a), begin_[b] + static_cast<std::size_t>(c),
              penalty.pseudo_items * covariance(a, c));
        }
      }
      for (std::size_t g = layout_.blocks[b].size(); g < layout_.blocks[b].feature_count(); ++g) {
        if (std::isfinite(penalty.gamma_scale)) {
          add(begin_[b] + g, begin_[b] + g, 1.0 / (penalty.gamma_scale * penalty.gamma_scale));
        }
      }
    }
    const double items = penalty.pseudo_classes * static_cast<double>(layout_.class_count);
    for (std::size_t a = 0; prior_begin_ + a < size_; ++a) {
      for (std::size_t c = 0; prior_begin_ + c < size_; ++c) {
        add(prior_begin_ + a, prior_begin_ + c, items * ((a == c ? prior_[a] : 0.0) - prior_[a] * prior_[c]));
      }
    }
  }

 private:
  const TiedErrors& model_;
  const TiedLayout& layout_;
  std::vector<double> log_table_;
  std::vector<double> prior_;
  std::vector<double> mean_;  // of s, by judge
  std::vector<BlockScores> blocks_;
  std::vector<std::size_t> begin_;
  std::size_t prior_begin_ = 0;
  std::size_t size_ = 0;
};

// Sums over all rows what add(sums, row, posterior, score) puts in.
template <class Add>
std::vector<double> over_rows(const Scores& scores, std::size_t size, const RunContext& run, const Add& add) {
  const VoteTable& table = scores.model().table();
  return sum_over_tasks(table.leaf_count(), size, run.threads, [&](std::size_t leaf, std::span<double> sums) {
    std::vector<double> posterior;
    std::vector<Entry> score;
    for (std::size_t row = table.leaves[leaf]; row < table.leaves[leaf + 1]; ++row) {
      scores.score(row, posterior, score);
      add(sums, row, posterior, score);
    }
  });
}

void add_outer_product(const std::vector<Entry>& score, double weight, std::size_t size, std::span<double> sums) {
  for (const Entry& a : score) {
    for (const Entry& b : score) sums[a.index * size + b.index] += weight * a.value * b.value;
  }
}

Eigen::MatrixXd ridged(Eigen::MatrixXd information) {
  const auto n = static_cast<double>(std::max<Eigen::Index>(information.rows(), 1));
  information.diagonal().array() += ridge * information.trace() / n + 1e-300;
  return information;
}

Eigen::MatrixXd whole_information(const Scores& scores, std::span<double> sums) {
  const std::size_t size = scores.size();
  scores.add_penalties([&](std::size_t a, std::size_t b, double value) { sums[a * size + b] += value; });
  return ridged(Matrix(sums.data(), static_cast<Eigen::Index>(size), static_cast<Eigen::Index>(size)));
}

void fill_accuracies(const Scores& scores, std::size_t b, const Eigen::MatrixXd& covariance, TiedUncertainty& result) {
  const ErrorBlock& block = scores.layout().blocks[b];
  const auto judges = static_cast<Eigen::Index>(block.size());
  const Eigen::MatrixXd slope = 0.5 * scores.block(b).covariance.topRows(judges);
  const Eigen::MatrixXd variance = slope * covariance * slope.transpose();
  for (Eigen::Index t = 0; t < judges; ++t) {
    result.accuracy_variance[block.judges[static_cast<std::size_t>(t)]] = std::max(variance(t, t), 0.0);
  }
}

void fill_prior(const Scores& scores, const Eigen::MatrixXd& covariance, TiedUncertainty& result) {
  const std::size_t k = scores.layout().class_count;
  for (std::size_t y = 0; y < k; ++y) {
    Eigen::VectorXd slope(covariance.rows());
    for (Eigen::Index c = 0; c < slope.size(); ++c) {
      const auto other = static_cast<std::size_t>(c);
      slope(c) = scores.prior(y) * ((other == y ? 1.0 : 0.0) - scores.prior(other));
    }
    result.prior_variance[y] = std::max(slope.dot(covariance * slope), 0.0);
  }
}

Eigen::MatrixXd inverse(const Eigen::MatrixXd& information) {
  return information.ldlt().solve(Eigen::MatrixXd::Identity(information.rows(), information.cols()));
}

void block_by_block(const Scores& scores, const RunContext& run, TiedUncertainty& result) {
  const TiedLayout& layout = scores.layout();
  // Blocks one after the other, then the prior as one more.
  std::vector<std::size_t> first(scores.size());
  std::vector<std::size_t> width(scores.size());
  std::vector<std::size_t> offset(scores.size());
  std::size_t total = 0;
  const auto lay = [&](std::size_t begin, std::size_t count) {
    for (std::size_t i = begin; i < begin + count; ++i) {
      first[i] = begin;
      width[i] = count;
      offset[i] = total;
    }
    total += count * count;
  };
  for (std::size_t b = 0; b < layout.blocks.size(); ++b) lay(scores.begin(b), layout.blocks[b].feature_count());
  lay(scores.prior_begin(), scores.size() - scores.prior_begin());
  const auto place = [&](std::size_t a, std::size_t b) {
    return offset[a] + (a - first[a]) * width[a] + (b - first[a]);
  };
  std::vector<double> sums = over_rows(
      scores, total, run, [&](std::span<double> out, std::size_t row, const auto&, const std::vector<Entry>& score) {
        const double weight = scores.model().table().weight(row);
        // Coordinates of one block stand together.
        for (std::size_t i = 0; i < score.size(); ++i) {
          for (std::size_t j = i; j < score.size() && first[score[j].index] == first[score[i].index]; ++j) {
            const double value = weight * score[i].value * score[j].value;
            out[place(score[i].index, score[j].index)] += value;
            if (i != j) out[place(score[j].index, score[i].index)] += value;
          }
        }
      });
  scores.add_penalties([&](std::size_t a, std::size_t b, double value) { sums[place(a, b)] += value; });
  const auto covariance = [&](std::size_t begin) {
    const auto n = static_cast<Eigen::Index>(width[begin]);
    return inverse(ridged(Matrix(sums.data() + offset[begin], n, n)));
  };
  for (std::size_t b = 0; b < layout.blocks.size(); ++b) {
    fill_accuracies(scores, b, covariance(scores.begin(b)), result);
  }
  if (scores.prior_begin() < scores.size()) fill_prior(scores, covariance(scores.prior_begin()), result);
}

}  // namespace

TiedUncertainty tied_uncertainty(const TiedErrors& model, std::span<const double> parameters, const RunContext& run,
                                 std::size_t limit) {
  const Scores scores(model, parameters);
  TiedUncertainty result;
  result.accuracy_variance.resize(model.layout().judge_count);
  result.prior_variance.assign(model.layout().class_count, 0.0);
  const std::size_t size = scores.size();
  if (size > limit) {
    block_by_block(scores, run, result);
    return result;
  }
  std::vector<double> sums =
      over_rows(scores, size * size, run,
                [&](std::span<double> out, std::size_t row, const auto&, const std::vector<Entry>& score) {
                  add_outer_product(score, model.table().weight(row), size, out);
                });
  const Eigen::MatrixXd covariance = inverse(whole_information(scores, sums));
  for (std::size_t b = 0; b < model.layout().blocks.size(); ++b) {
    const auto begin = static_cast<Eigen::Index>(scores.begin(b));
    const auto n = static_cast<Eigen::Index>(model.layout().blocks[b].feature_count());
    fill_accuracies(scores, b, covariance.block(begin, begin, n, n), result);
  }
  const auto classes = static_cast<Eigen::Index>(size - scores.prior_begin());
  if (classes > 0) fill_prior(scores, covariance.bottomRightCorner(classes, classes), result);
  return result;
}

std::vector<double> score_tests(const TiedErrors& model, std::span<const double> parameters,
                                std::span<const ErrorPair> pairs, const RunContext& run, std::size_t limit) {
  const Scores scores(model, parameters);
  const std::size_t n = scores.size();
  const std::size_t k = model.layout().class_count;
  std::vector<double> statistics(pairs.size(), 0.0);
  if (n > limit || pairs.empty()) return statistics;
  const VoteTable& table = model.table();
  // G, sum of v, then for each pair sum of u, sum of u^2, X.
  const std::size_t pairs_at = n * n + n;
  std::vector<double> sums = over_rows(
      scores, pairs_at + pairs.size() * (n + 2), run,
      [&](std::span<double> out, std::size_t row, const std::vector<double>& q, const std::vector<Entry>& score) {
        const double weight = table.weight(row);
        add_outer_product(score, weight, n, out);
        for (const Entry& entry : score) out[n * n + entry.index] += weight * entry.value;
        const std::span<const std::uint32_t> codes = table.of_row(row);
        const auto label_of = [&](std::size_t judge) {
          const auto at = std::lower_bound(codes.begin(), codes.end(), static_cast<std::uint32_t>(judge * k));
          return at != codes.end() && *at / k == judge ? *at % k : k;
        };
        for (std::size_t p = 0; p < pairs.size(); ++p) {
          const auto [i, j] = pairs[p];
          const std::size_t said_i = label_of(i);
          const std::size_t said_j = label_of(j);
          if (said_i == k || said_j == k) continue;
          double u = -scores.error_covariance(i, j);
          for (std::size_t y = 0; y < k; ++y) {
            u += q[y] * ((said_i == y ? 1.0 : -1.0) - scores.mean(i)) * ((said_j == y ? 1.0 : -1.0) - scores.mean(j));
          }
          const std::span<double> into = out.subspan(pairs_at + p * (n + 2), n + 2);
          into[0] += weight * u;
          into[1] += weight * u * u;
          for (const Entry& entry : score) into[2 + entry.index] += weight * u * entry.value;
        }
      });
  const Eigen::LDLT<Eigen::MatrixXd> information(whole_information(scores, sums));
  const auto size = static_cast<Eigen::Index>(n);
  const Eigen::Map<const Eigen::VectorXd> total(sums.data() + n * n, size);
  for (std::size_t p = 0; p < pairs.size(); ++p) {
    const double* of_pair = sums.data() + pairs_at + p * (n + 2);
    const Eigen::Map<const Eigen::VectorXd> x(of_pair + 2, size);
    const Eigen::VectorXd explained = information.solve(x);
    const double variance = of_pair[1] - x.dot(explained);
    const double score = of_pair[0] - total.dot(explained);
    if (variance > nothing_of_its_own * of_pair[1]) statistics[p] = score * score / variance;
  }
  return statistics;
}

std::vector<double> row_score(const TiedErrors& model, std::span<const double> parameters, std::size_t row) {
  const Scores scores(model, parameters);
  std::vector<double> posterior;
  std::vector<Entry> entries;
  scores.score(row, posterior, entries);
  std::vector<double> dense(scores.size(), 0.0);
  for (const Entry& entry : entries) dense[entry.index] += entry.value;
  return dense;
}

}  // namespace motet::judges
