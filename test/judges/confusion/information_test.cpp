#include "motet/judges/confusion/information.h"

#include <gtest/gtest.h>

#include <rapidcheck/gtest.h>
#include <ostream>

#include <algorithm>
#include <cmath>
#include <functional>

#include "judges/vote_cases.h"

namespace motet::judges::information_test {
namespace {

using Matrix = std::vector<std::vector<double>>;

Matrix inverse_of(Matrix a) {  // Gauss and Jordan, with pivots
  const std::size_t n = a.size();
  Matrix b(n, std::vector<double>(n, 0.0));
  for (std::size_t i = 0; i < n; ++i) b[i][i] = 1.0;
  for (std::size_t i = 0; i < n; ++i) {
    std::size_t pivot = i;
    for (std::size_t r = i; r < n; ++r) pivot = std::abs(a[r][i]) > std::abs(a[pivot][i]) ? r : pivot;
    std::swap(a[i], a[pivot]);
    std::swap(b[i], b[pivot]);
    for (std::size_t r = 0; r < n; ++r) {
      const double factor = (r == i ? a[i][i] - 1.0 : a[r][i]) / a[i][i];
      for (std::size_t c = 0; c < n; ++c) {
        a[r][c] -= factor * a[i][c];
        b[r][c] -= factor * b[i][c];
      }
    }
  }
  return b;
}

// The log-posterior as a function of free logits, differentiated by nothing but its values.
class Numeric {
 public:
  Numeric(const VoteTable& table, const ConfusionSpec& spec, std::span<const double> parameters)
      : problem_(confusion_problem(table, spec)),
        k_(table.class_count),
        judges_(table.judge_count),
        symmetric_(spec.noise == JudgeNoise::symmetric),
        prior_free_(spec.known_prior.empty()),
        at_(parameters.begin(), parameters.end()) {}

  std::size_t size() const { return judges_ * judge_size() + (prior_free_ ? k_ - 1 : 0); }

  // Parameters when the logits are shifted.
  std::vector<double> shifted(const std::vector<double>& shift) const {
    std::vector<double> moved(at_);
    for (std::size_t j = 0; j < judges_; ++j) {
      double* const table = moved.data() + k_ + j * k_ * k_;
      for (std::size_t y = 0; y < k_; ++y) {
        double total = 0.0;
        for (std::size_t c = 0; c < k_; ++c) {
          const bool own = symmetric_ ? c == y : c != y;
          const std::size_t index = symmetric_ ? j : j * judge_size() + y * (k_ - 1) + (c < y ? c : c - 1);
          if (own) table[c * k_ + y] *= std::exp(shift[index]);
          total += table[c * k_ + y];
        }
        for (std::size_t c = 0; c < k_; ++c) table[c * k_ + y] /= total;
      }
    }
    double total = 0.0;
    for (std::size_t y = 0; y < k_; ++y) {
      if (prior_free_ && y > 0) moved[y] *= std::exp(shift[judges_ * judge_size() + y - 1]);
      total += moved[y];
    }
    for (std::size_t y = 0; y < k_; ++y) moved[y] /= total;
    return moved;
  }

  double objective(const std::vector<double>& shift) const {
    const std::vector<double> moved = shifted(shift);
    return expect(problem_, moved, 1.0, Threads{1})[0] + problem_.log_prior(moved);
  }

  Matrix information() const {
    constexpr double h = 2e-3;  // errors: h^2 of the fourth derivative, and 1e-16 * 1000 / h^2
    Matrix result(size(), std::vector<double>(size()));
    std::vector<double> shift(size(), 0.0);
    for (std::size_t a = 0; a < size(); ++a) {
      for (std::size_t b = 0; b <= a; ++b) {
        double sum = 0.0;
        for (const double sa : {-h, h}) {
          for (const double sb : {-h, h}) {
            shift[a] += sa;
            shift[b] += sb;
            sum += (sa * sb > 0.0 ? 1.0 : -1.0) * objective(shift);
            shift[a] = shift[b] = 0.0;
          }
        }
        result[a][b] = result[b][a] = -sum / (4.0 * h * h);
      }
    }
    return result;
  }

  // estimate (1 - estimate) / variance, by the delta method.
  double votes_behind(const Matrix& covariance, const std::function<double(std::span<const double>)>& value) const {
    constexpr double h = 1e-5;
    std::vector<double> slope(size());
    std::vector<double> shift(size(), 0.0);
    for (std::size_t a = 0; a < size(); ++a) {
      shift[a] = h;
      slope[a] = value(shifted(shift));
      shift[a] = -h;
      slope[a] = (slope[a] - value(shifted(shift))) / (2.0 * h);
      shift[a] = 0.0;
    }
    double variance = 0.0;
    for (std::size_t a = 0; a < size(); ++a) {
      for (std::size_t b = 0; b < size(); ++b) variance += slope[a] * covariance[a][b] * slope[b];
    }
    const double estimate = value(at_);
    return estimate * (1.0 - estimate) / variance;
  }

 private:
  std::size_t judge_size() const { return symmetric_ ? 1 : k_ * (k_ - 1); }

  EmProblem problem_;
  std::size_t k_;
  std::size_t judges_;
  bool symmetric_;
  bool prior_free_;
  std::vector<double> at_;
};

struct InformationCase {
  std::string name;
  VoteCase votes;
  ConfusionSpec spec;
};

void PrintTo(const InformationCase& item, std::ostream* out) { *out << item.name; }

std::vector<InformationCase> information_cases() {
  const VoteCase full{.items = 400, .judges = 4, .classes = 2, .answered = 1.0};
  const VoteCase holes{.items = 600, .judges = 4, .classes = 3, .answered = 0.8};
  const VoteCase gold{.items = 400, .judges = 3, .classes = 3, .answered = 0.9, .gold = 0.3};
  const ConfusionPrior pseudo{{3.0, 1.0, 0.5, 1.0, 4.0, 1.0, 0.2, 0.3, 2.0}, {1.0, 2.0, 0.5}};
  return {{"two_classes", full, {}},
          {"known_prior", full, {JudgeNoise::confusion, {0.6, 0.4}, {}}},
          {"missing_votes", holes, {}},
          {"pseudo_votes", holes, {JudgeNoise::confusion, {}, pseudo}},
          {"discounted", holes, {JudgeNoise::confusion, {}, pseudo, 0.6}},
          {"gold", gold, {JudgeNoise::confusion, {0.3, 0.3, 0.4}, {}}},
          {"symmetric", holes, {JudgeNoise::symmetric, {}, {}}},
          {"symmetric_known_prior", full, {JudgeNoise::symmetric, {0.6, 0.4}, {}}},
          {"symmetric_all", gold, {JudgeNoise::symmetric, {}, {std::vector<double>(9, 2.0), {1.0, 1.0, 1.0}}, 0.5}}};
}

class Observed : public testing::TestWithParam<InformationCase> {};

TEST_P(Observed, IsTheSecondDerivativeOfTheLogPosterior) {
  constexpr double tolerance = 1e-4;  // relative, of the differences; they are good to about 1e-6
  const auto& [name, wanted, spec] = GetParam();
  const Votes votes = random_votes(wanted, Seed{1});
  const VoteTable table = make_vote_table(votes);
  const std::size_t k = wanted.classes;
  // Short of the maximum: the formula holds everywhere, and no probability is at the border.
  const EmProblem problem = confusion_problem(table, spec);
  const std::vector<double> at =
      run_em(problem, equal_accuracy_start(table, spec, 0.7), {5, 0.0, 1.0, false}, {}).parameters;
  const Numeric numeric(table, spec, at);
  const Matrix covariance = inverse_of(numeric.information());
  const Uncertainty found = uncertainty(table, spec, at, InformationKind::observed, {});
  EXPECT_EQ(found.free_parameters, numeric.size());
  EXPECT_EQ(found.rank, numeric.size());
  EXPECT_TRUE(found.undetermined.empty());
  EXPECT_FALSE(found.judges_apart);
  const auto expect_votes = [&](double votes_found, const auto& value) {
    const double expected = numeric.votes_behind(covariance, value);
    EXPECT_NEAR(votes_found, expected, tolerance * expected);
  };
  for (std::size_t j = 0; j < wanted.judges; ++j) {
    expect_votes(found.accuracy_votes[j], [&](std::span<const double> p) { return accuracy_of(p, k, j); });
    for (std::size_t cell = j * k * k; cell < (j + 1) * k * k; ++cell) {
      expect_votes(found.confusion_votes[cell], [&](std::span<const double> p) { return p[k + cell]; });
    }
  }
  for (std::size_t y = 0; y < k; ++y) {
    if (spec.known_prior.empty()) {
      expect_votes(found.prior_votes[y], [&](std::span<const double> p) { return p[y]; });
    } else {
      EXPECT_TRUE(std::isinf(found.prior_votes[y]));
    }
  }
}

INSTANTIATE_TEST_SUITE_P(Information, Observed, testing::ValuesIn(information_cases()),
                         [](const auto& given) { return given.param.name; });

}  // namespace
}  // namespace motet::judges::information_test
