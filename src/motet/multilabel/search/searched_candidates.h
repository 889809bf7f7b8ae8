// The candidate sets of an item when all are too many to write out: every observed set, and the
// best sets under the smooth prior.
//
// The prior of a set that was observed is the mixture of both terms of set_prior.h, of any other
// novel * smooth(L). So the best of all sets is the best of the observed ones and of what the search
// finds first: it loses nothing. With the heuristic (threshold.h) the search looks only at sets of the
// kept sources, and at single labels and pairs of the others.
#pragma once

#include <optional>
#include <span>
#include <vector>

#include "motet/multilabel/predict.h"
#include "motet/multilabel/search/search.h"
#include "motet/multilabel/search/threshold.h"

namespace motet::multilabel {

struct ItemCandidates {
  BitMatrix sets;  // observed ones first
  std::vector<double> log_density;
  std::vector<double> log_prior;
  double outside = 0.0;  // no other set has a log joint above this, unless the heuristic left it out
};

class SearchedCandidates {
 public:
  SearchedCandidates(const MultilabelModel& model, const PredictOptions& options);

  const BitMatrix& observed() const { return observed_; }  // those of a degree that may be

  // observed_density: log densities of all observed sets of the prior. `cancel` may be null.
  ItemCandidates of(std::span<const double> x, std::span<const double> observed_density,
                    const CancelFlag* cancel = nullptr) const;

 private:
  void add_dropped(std::span<const double> x, std::span<const std::uint64_t> kept, ItemCandidates& result) const;

  const MultilabelModel& model_;
  bool is_ml_;
  std::size_t most_degree_;
  std::vector<std::uint32_t> observed_rows_;
  BitMatrix observed_;
  std::vector<double> observed_prior_;
  std::vector<double> degree_weights_;
  SetSearch search_;
  std::optional<SourceThreshold> threshold_;
};

}  // namespace motet::multilabel
