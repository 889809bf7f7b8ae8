// The free parameters of the confusion model, for information.cpp: where those of a judge
// stand, the score of one vote, and the gradients of what is reported.
//
// Logits: of pi_j(c|y) against pi_j(y|y) for c != y (confusion) or of theta_j (symmetric),
// judge after judge; then of p_y against p of the first class when the prior is estimated.
#pragma once

#include <algorithm>
#include <cstdint>
#include <span>
#include <vector>

#include "motet/judges/confusion/confusion_em.h"
#include "motet/judges/confusion/information.h"

namespace motet::judges {

class VoteCoordinates {
 public:
  VoteCoordinates(const VoteTable& table, const ConfusionSpec& spec, std::span<const double> parameters)
      : k_(table.class_count),
        judges_(table.judge_count),
        symmetric_(spec.noise == JudgeNoise::symmetric),
        prior_free_(spec.known_prior.empty()),
        vote_weight_(spec.vote_weight),
        parameters_(parameters.begin(), parameters.end()) {
    nudge(vote_counts(table));
    weighted_ = weighted_tables(parameters_, k_, vote_weight_);
  }

  std::size_t classes() const { return k_; }
  std::size_t judges() const { return judges_; }
  bool symmetric() const { return symmetric_; }
  std::size_t judge_size() const { return symmetric_ ? 1 : k_ * (k_ - 1); }
  std::size_t prior_size() const { return prior_free_ ? k_ - 1 : 0; }
  std::size_t size() const { return judges_ * judge_size() + prior_size(); }
  std::size_t prior_begin() const { return judges_ * judge_size(); }
  const std::vector<double>& parameters() const { return parameters_; }
  const std::vector<double>& weighted() const { return weighted_; }  // as the E-step multiplies them
  double vote_weight() const { return vote_weight_; }

  double prior(std::size_t y) const { return parameters_[y]; }
  double cell(std::size_t j, std::size_t c, std::size_t y) const { return parameters_[k_ + (j * k_ + c) * k_ + y]; }

  // Free cell number of (y, c), c != y, within a judge.
  std::size_t cell_index(std::size_t y, std::size_t c) const { return y * (k_ - 1) + (c < y ? c : c - 1); }

  // The coordinates that a score under class y can reach, ascending.
  std::vector<std::size_t> of_class(std::size_t y) const {
    std::vector<std::size_t> found;
    for (std::size_t j = 0; j < judges_; ++j) {
      const std::size_t begin = j * judge_size() + (symmetric_ ? 0 : y * (k_ - 1));
      for (std::size_t i = 0; i < (symmetric_ ? 1 : k_ - 1); ++i) found.push_back(begin + i);
    }
    for (std::size_t i = 0; i < prior_size(); ++i) found.push_back(prior_begin() + i);
    return found;
  }

  struct Entry {
    std::size_t index;
    double value;
  };

  // d log p(vote | y) / d logits of the judge.
  void add_vote_score(std::uint32_t code, std::size_t y, std::vector<Entry>& score) const {
    const std::size_t j = code / k_;
    const std::size_t said = code % k_;
    const std::size_t begin = j * judge_size();
    if (symmetric_) {
      score.push_back({begin, vote_weight_ * (said == y ? 1.0 - cell(j, y, y) : -cell(j, y, y))});
      return;
    }
    for (std::size_t c = 0; c < k_; ++c) {
      if (c != y) {
        score.push_back({begin + cell_index(y, c), vote_weight_ * ((c == said ? 1.0 : 0.0) - cell(j, c, y))});
      }
    }
  }

  void add_prior_score(std::size_t y, std::vector<Entry>& score) const {
    for (std::size_t c = 1; c < k_ && prior_free_; ++c) {
      score.push_back({prior_begin() + c - 1, (c == y ? 1.0 : 0.0) - prior(c)});
    }
  }

  // Adds weight * (diag(pi) - pi pi') of one row to the information.
  template <class Add>
  void add_row_curvature(std::size_t j, std::size_t y, double weight, const Add& add) const {
    const std::size_t begin = j * judge_size();
    if (symmetric_) {
      add(begin, begin, weight * cell(j, y, y) * (1.0 - cell(j, y, y)));
      return;
    }
    for (std::size_t a = 0; a < k_; ++a) {
      for (std::size_t b = 0; b < k_; ++b) {
        if (a == y || b == y) continue;
        const double value = (a == b ? cell(j, a, y) : 0.0) - cell(j, a, y) * cell(j, b, y);
        add(begin + cell_index(y, a), begin + cell_index(y, b), weight * value);
      }
    }
  }

  template <class Add>
  void add_prior_curvature(double weight, const Add& add) const {
    for (std::size_t a = 1; a < k_ && prior_free_; ++a) {
      for (std::size_t b = 1; b < k_; ++b) {
        add(prior_begin() + a - 1, prior_begin() + b - 1, weight * ((a == b ? prior(a) : 0.0) - prior(a) * prior(b)));
      }
    }
  }

  // Gradient of accuracy_j, of pi_j(c|y) and of p_y in the free parameters.
  std::vector<Entry> accuracy_gradient(std::size_t j) const {
    std::vector<Entry> gradient;
    if (symmetric_) return {{j * judge_size(), cell(j, 0, 0) * (1.0 - cell(j, 0, 0))}};
    for (std::size_t y = 0; y < k_; ++y) {
      for (std::size_t c = 0; c < k_; ++c) {
        if (c == y) continue;
        gradient.push_back({j * judge_size() + cell_index(y, c), -prior(y) * cell(j, y, y) * cell(j, c, y)});
      }
    }
    const double accuracy = accuracy_of(parameters_, k_, j);
    for (std::size_t c = 1; c < k_ && prior_free_; ++c) {
      gradient.push_back({prior_begin() + c - 1, prior(c) * (cell(j, c, c) - accuracy)});
    }
    return gradient;
  }

  std::vector<Entry> cell_gradient(std::size_t j, std::size_t y, std::size_t c) const {
    if (symmetric_) {
      const double slope = cell(j, y, y) * (1.0 - cell(j, y, y));
      return {{j * judge_size(), c == y ? slope : -slope / static_cast<double>(k_ - 1)}};
    }
    std::vector<Entry> gradient;
    for (std::size_t d = 0; d < k_; ++d) {
      if (d == y) continue;
      const double own = d == c ? 1.0 : 0.0;
      gradient.push_back({j * judge_size() + cell_index(y, d), cell(j, c, y) * (own - cell(j, d, y))});
    }
    return gradient;
  }

  std::vector<Entry> prior_gradient(std::size_t y) const {
    std::vector<Entry> gradient;
    for (std::size_t c = 1; c < k_ && prior_free_; ++c) {
      gradient.push_back({prior_begin() + c - 1, prior(y) * ((c == y ? 1.0 : 0.0) - prior(c))});
    }
    return gradient;
  }

 private:
  // Logits are infinite on the border, so the information is taken half a vote inside.
  void nudge(const std::vector<double>& counts) {
    constexpr double half = 0.5;
    for (std::size_t j = 0; j < judges_; ++j) {
      double votes = 0.0;
      for (std::size_t c = 0; c < k_; ++c) votes += counts[j * k_ + c];
      for (std::size_t y = 0; y < k_; ++y) {
        const double row_votes = symmetric_ ? votes : votes * prior(y);
        const double least =
            half / (row_votes + half * static_cast<double>(k_)) / static_cast<double>(symmetric_ ? k_ - 1 : 1);
        double total = 0.0;
        for (std::size_t c = 0; c < k_; ++c) {
          double& value = parameters_[k_ + (j * k_ + c) * k_ + y];
          value = std::max(value, least);
          total += value;
        }
        for (std::size_t c = 0; c < k_; ++c) parameters_[k_ + (j * k_ + c) * k_ + y] /= total;
      }
    }
  }

  std::size_t k_;
  std::size_t judges_;
  bool symmetric_;
  bool prior_free_;
  double vote_weight_;
  std::vector<double> parameters_;
  std::vector<double> weighted_;
};

using ScoreEntries = std::vector<VoteCoordinates::Entry>;

}  // namespace motet::judges
