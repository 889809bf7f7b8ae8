#include "motet/judges/states/state_information.h"

#include <algorithm>
#include <cmath>

#include "motet/base/error.h"
#include "motet/base/numeric.h"
#include "motet/data/eigen.h"
#include "motet/judges/confusion/information.h"

namespace motet::judges {
namespace {

constexpr double most_products = 4e9;  // of scores, for the whole matrix
constexpr double least_share = 1e-12;  // a class with less has no logit to speak of

struct ScorePart {
  Eigen::Index at;
  double value;
};

class StateInformation {
 public:
  StateInformation(const VoteTable& table, const StateFit& fit, const RunContext& run)
      : table_(table),
        fit_(fit),
        run_(run),
        shape_(fit.spec.shape),
        k_(shape_.class_count),
        numbers_(state_numbers(shape_, fit.result.parameters)),
        tables_(shape_, numbers_),
        classes_(class_tables(shape_, fit.result.parameters, table.judge_count)) {}

  StateUncertainty tell() {
    StateUncertainty told;
    told.free_numbers = size();
    told.prior_votes.assign(k_, infinity);
    if (size() <= dense_limit && products() <= most_products && whole(told)) return told;
    told.judges_apart = true;
    told.accuracy_votes.clear();
    told.right_votes.clear();
    if (shares_free()) told.prior_votes.assign(k_, table_.item_total());
    each_judge(told);
    return told;
  }

 private:
  bool shares_free() const { return fit_.spec.known_prior.empty(); }
  std::size_t share_begin() const { return table_.judge_count * k_; }
  std::size_t level_begin() const { return share_begin() + (shares_free() ? k_ - 1 : 0); }
  std::size_t size() const { return level_begin() + shape_.level_count() - 1; }
  double table_at(std::size_t j, std::size_t c, std::size_t z) const {
    return fit_.result.parameters[shape_.cell(j * k_ + c, z)];
  }
  double level_share(std::size_t h) const { return fit_.result.parameters[shape_.state_count() + h]; }
  double right(std::size_t j, std::size_t y) const { return classes_[k_ + (j * k_ + y) * k_ + y]; }

  double products() const {
    double sum = 0.0;
    for (std::size_t row = 0; row < table_.row_count(); ++row) {
      sum += std::pow(static_cast<double>(table_.of_row(row).size()), 2);
    }
    return sum * static_cast<double>(tables_.width());
  }

  // Complete information about the right answers of a judge on class y.
  double complete(std::size_t j, std::size_t y) const {
    double sum = 0.0;
    for (std::size_t m = 0; m < shape_.per_class; ++m) {
      const std::size_t z = y * shape_.per_class + m;
      double votes = fit_.spec.right_strength;
      for (std::size_t c = 0; c < k_; ++c) votes += fit_.result.statistics[1 + shape_.cell(j * k_ + c, z)];
      sum += votes * table_at(j, y, z) * (1.0 - table_at(j, y, z));
    }
    return sum;
  }

  // How fast p(right | class) rises with its logit.
  double slope(std::size_t j, std::size_t y) const {
    double share = 0.0;
    double sum = 0.0;
    for (std::size_t m = 0; m < shape_.per_class; ++m) {
      const std::size_t z = y * shape_.per_class + m;
      share += fit_.result.parameters[z];
      sum += fit_.result.parameters[z] * table_at(j, y, z) * (1.0 - table_at(j, y, z));
    }
    return share > least_share ? about() * sum / share : 0.0;
  }

  double about() const {  // the share of votes that are about the item
    double sum = 0.0;
    for (std::size_t h = 0; h < shape_.level_count(); ++h) sum += level_share(h) * (1.0 - shape_.levels[h]);
    return sum;
  }

  bool whole(StateUncertainty& told) const {
    const auto n = static_cast<Eigen::Index>(size());
    Eigen::MatrixXd information = Eigen::MatrixXd::Zero(n, n);
    add_complete(information);
    std::vector<double> q(tables_.width());
    constexpr std::size_t rows_between_looks = 1024;
    for (std::size_t row = 0; row < table_.row_count(); ++row) {
      if (row % rows_between_looks == 0 && run_.cancelled()) {
        fail(ErrorKind::interrupted, "interrupted while computing the intervals");
      }
      tables_.infer(table_.of_row(row), table_.known_class(row), q);
      take_missing(row, q, information);
    }
    const Eigen::LLT<Eigen::MatrixXd> factor(information);
    if (factor.info() != Eigen::Success) return false;
    const Eigen::MatrixXd covariance = factor.solve(Eigen::MatrixXd::Identity(n, n));
    for (std::size_t j = 0; j < table_.judge_count; ++j) {
      told.accuracy_votes.push_back(
          votes_behind(accuracy_of(classes_, k_, j), accuracy_gradient(j), covariance, std::size_t{0}));
      for (std::size_t y = 0; y < k_; ++y) {
        told.right_votes.push_back(votes_behind(right(j, y), {{static_cast<Eigen::Index>(j * k_ + y), slope(j, y)}},
                                                covariance, std::size_t{0}));
      }
    }
    for (std::size_t y = 0; y < k_ && shares_free(); ++y) {
      told.prior_votes[y] = votes_behind(classes_[y], share_gradient(y), covariance, std::size_t{0});
    }
    return true;
  }

  void add_complete(Eigen::MatrixXd& information) const {
    for (std::size_t j = 0; j < table_.judge_count; ++j) {
      for (std::size_t y = 0; y < k_; ++y) {
        const auto at = static_cast<Eigen::Index>(j * k_ + y);
        information(at, at) += complete(j, y);
      }
    }
    const auto add = [&](std::size_t begin, std::size_t first, std::size_t count, double items, const auto& share) {
      for (std::size_t a = first; a < count; ++a) {
        for (std::size_t b = first; b < count; ++b) {
          information(static_cast<Eigen::Index>(begin + a - first), static_cast<Eigen::Index>(begin + b - first)) +=
              items * ((a == b ? share(a) : 0.0) - share(a) * share(b));
        }
      }
    };
    const double items = table_.item_total();
    if (shares_free()) {
      add(share_begin(), 1, k_, items + pseudo_items_a_class * static_cast<double>(k_),
          [&](std::size_t y) { return std::max(classes_[y], least_share); });
    }
    add(level_begin(), 1, shape_.level_count(),
        items + pseudo_items_a_level * static_cast<double>(shape_.level_count()),
        [&](std::size_t h) { return level_share(h); });
  }

  // Scores of the shares of classes and levels.
  void share_scores(std::size_t z, std::size_t h, std::vector<ScorePart>& score) const {
    for (std::size_t y = 1; y < k_ && shares_free(); ++y) {
      score.push_back(
          {static_cast<Eigen::Index>(share_begin() + y - 1), (shape_.class_of(z) == y ? 1.0 : 0.0) - classes_[y]});
    }
    for (std::size_t l = 1; l < shape_.level_count(); ++l) {
      score.push_back({static_cast<Eigen::Index>(level_begin() + l - 1), (h == l ? 1.0 : 0.0) - level_share(l)});
    }
  }

  // sum_zh q (E[s s']) - g g' is missing.
  void take_missing(std::size_t row, std::span<const double> q, Eigen::MatrixXd& information) const {
    const auto codes = table_.of_row(row);
    const double weight = table_.weight(row);
    std::vector<ScorePart> score;
    std::vector<ScorePart> mean;
    for (std::size_t at = 0; at < q.size(); ++at) {
      if (q[at] < 1e-9) continue;  // its products would not show
      const std::size_t z = at / shape_.level_count();
      const std::size_t y = shape_.class_of(z);
      score.clear();
      for (const std::uint32_t code : codes) {
        const double off = (code % k_ == y ? 1.0 : 0.0) - table_at(code / k_, y, z);
        const double about = tables_.about_item(code, at);
        const auto place = static_cast<Eigen::Index>(code / k_ * k_ + y);
        score.push_back({place, about * off});
        information(place, place) -= weight * q[at] * about * (1.0 - about) * off * off;
      }
      share_scores(z, at % shape_.level_count(), score);
      for (const ScorePart& a : score) {
        for (const ScorePart& b : score) information(a.at, b.at) -= weight * q[at] * a.value * b.value;
        mean.push_back({a.at, q[at] * a.value});
      }
    }
    std::sort(mean.begin(), mean.end(), [](const ScorePart& a, const ScorePart& b) { return a.at < b.at; });
    std::vector<ScorePart> sum;
    for (const ScorePart& entry : mean) {
      if (!sum.empty() && sum.back().at == entry.at) {
        sum.back().value += entry.value;
      } else {
        sum.push_back(entry);
      }
    }
    for (const ScorePart& a : sum) {
      for (const ScorePart& b : sum) information(a.at, b.at) += weight * a.value * b.value;
    }
  }

  static double votes_behind(double estimate, const std::vector<ScorePart>& gradient, const Eigen::MatrixXd& covariance,
                             std::size_t offset) {
    const auto shift = static_cast<Eigen::Index>(offset);
    double variance = 0.0;
    for (const ScorePart& a : gradient) {
      for (const ScorePart& b : gradient) variance += a.value * b.value * covariance(a.at - shift, b.at - shift);
    }
    return variance > 0.0 ? estimate * (1.0 - estimate) / variance : infinity;
  }

  std::vector<ScorePart> accuracy_gradient(std::size_t j) const {
    std::vector<ScorePart> gradient;
    const double accuracy = accuracy_of(classes_, k_, j);
    double guessed = 0.0;
    for (std::size_t y = 0; y < k_; ++y) {
      gradient.push_back({static_cast<Eigen::Index>(j * k_ + y), classes_[y] * slope(j, y)});
      guessed += classes_[y] * shape_.background[y];
    }
    for (std::size_t y = 1; y < k_ && shares_free(); ++y) {
      gradient.push_back({static_cast<Eigen::Index>(share_begin() + y - 1), classes_[y] * (right(j, y) - accuracy)});
    }
    const double own = about() > 0.0 ? (accuracy - (1.0 - about()) * guessed) / about() : accuracy;
    for (std::size_t h = 1; h < shape_.level_count(); ++h) {
      const double here = (1.0 - shape_.levels[h]) * own + shape_.levels[h] * guessed;
      gradient.push_back({static_cast<Eigen::Index>(level_begin() + h - 1), level_share(h) * (here - accuracy)});
    }
    return gradient;
  }

  std::vector<ScorePart> share_gradient(std::size_t y) const {
    std::vector<ScorePart> gradient;
    for (std::size_t c = 1; c < k_; ++c) {
      gradient.push_back(
          {static_cast<Eigen::Index>(share_begin() + c - 1), classes_[y] * ((c == y ? 1.0 : 0.0) - classes_[c])});
    }
    return gradient;
  }

  // One block per judge: its own classes, all else taken as known.
  void each_judge(StateUncertainty& told) const {
    const std::vector<double> blocks = sum_over_tasks(
        table_.leaf_count(), table_.judge_count * k_ * k_, run_.threads, [&](std::size_t leaf, std::span<double> sums) {
          if (run_.cancelled()) fail(ErrorKind::interrupted, "interrupted while computing the intervals");
          std::vector<double> q(tables_.width());
          std::vector<double> square(k_);
          std::vector<double> mean(k_);
          for (std::size_t row = table_.leaves[leaf]; row < table_.leaves[leaf + 1]; ++row) {
            tables_.infer(table_.of_row(row), table_.known_class(row), q);
            for (const std::uint32_t code : table_.of_row(row)) {
              add_judge_row(code, q, table_.weight(row), sums.subspan(code / k_ * k_ * k_, k_ * k_));
            }
          }
        });
    for (std::size_t j = 0; j < table_.judge_count; ++j) {
      const auto n = static_cast<Eigen::Index>(k_);
      Eigen::MatrixXd information(n, n);
      for (std::size_t i = 0; i < k_ * k_; ++i) {
        information(static_cast<Eigen::Index>(i / k_), static_cast<Eigen::Index>(i % k_)) = blocks[j * k_ * k_ + i];
      }
      for (std::size_t y = 0; y < k_; ++y) {
        information(static_cast<Eigen::Index>(y), static_cast<Eigen::Index>(y)) += complete(j, y);
      }
      const Eigen::LLT<Eigen::MatrixXd> factor(information);
      const bool is_sure = factor.info() == Eigen::Success;
      const Eigen::MatrixXd covariance =
          is_sure
              ? Eigen::MatrixXd(factor.solve(Eigen::MatrixXd::Identity(n, n)))
              : Eigen::MatrixXd(information.diagonal().cwiseAbs().cwiseMax(least_share).cwiseInverse().asDiagonal());
      std::vector<ScorePart> gradient = accuracy_gradient(j);
      gradient.resize(k_);
      told.accuracy_votes.push_back(votes_behind(accuracy_of(classes_, k_, j), gradient, covariance, j * k_));
      for (std::size_t y = 0; y < k_; ++y) {
        told.right_votes.push_back(votes_behind(right(j, y), {gradient[y]}, covariance, j * k_));
        if (classes_[y] > least_share) told.right_votes.back() *= classes_[y] * classes_[y];
      }
    }
  }

  void add_judge_row(std::uint32_t code, std::span<const double> q, double weight, std::span<double> block) const {
    std::vector<double> mean(k_, 0.0);
    for (std::size_t at = 0; at < q.size(); ++at) {
      const std::size_t z = at / shape_.level_count();
      const std::size_t y = shape_.class_of(z);
      const double off = (code % k_ == y ? 1.0 : 0.0) - table_at(code / k_, y, z);
      const double about = tables_.about_item(code, at);
      block[y * k_ + y] -= weight * q[at] * about * off * off;
      mean[y] += q[at] * about * off;
    }
    for (std::size_t a = 0; a < k_; ++a) {
      for (std::size_t b = 0; b < k_; ++b) block[a * k_ + b] += weight * mean[a] * mean[b];
    }
  }

  const VoteTable& table_;
  const StateFit& fit_;
  const RunContext& run_;
  const StateShape& shape_;
  std::size_t k_;
  std::vector<double> numbers_;
  StateTables tables_;
  std::vector<double> classes_;  // shares and tables by class
};

}  // namespace

StateUncertainty state_uncertainty(const VoteTable& table, const StateFit& fit, const RunContext& run) {
  return StateInformation(table, fit, run).tell();
}

std::vector<double> class_tables(const StateShape& shape, std::span<const double> parameters, std::size_t judges) {
  const std::size_t k = shape.class_count;
  std::vector<double> result(k + judges * k * k, 0.0);
  double about = 0.0;
  for (std::size_t h = 0; h < shape.level_count(); ++h) {
    about += parameters[shape.state_count() + h] * (1.0 - shape.levels[h]);
  }
  for (std::size_t z = 0; z < shape.state_count(); ++z) result[shape.class_of(z)] += parameters[z];
  for (std::size_t code = 0; code < judges * k; ++code) {
    double* const row = result.data() + k + code * k;
    for (std::size_t z = 0; z < shape.state_count(); ++z) {
      const std::size_t y = shape.class_of(z);
      const double part = result[y] > 0.0 ? parameters[z] / result[y] : 1.0 / static_cast<double>(shape.per_class);
      row[y] += part * (about * parameters[shape.cell(code, z)] + (1.0 - about) * shape.background[code % k]);
    }
  }
  return result;
}

}  // namespace motet::judges
