// The likelihood of one feature for pairs of family and combination without a closed form.
//
// Every such pair is independent over features, so each feature is a problem of its own: the locations of K sources,
// and their spreads or the shared rate. Densities of label sets come from sources/pair_density.h. Coordinates are free
// of limits: logarithms of what is positive, logits of probabilities. The prior is a normal distribution in them about
// the start, worth nu_k items.
#pragma once

#include <span>
#include <vector>

#include "motet/base/parallel.h"
#include "motet/multilabel/sources/design.h"
#include "motet/multilabel/sources/value_nodes.h"
#include "motet/sources/density/marginal.h"
#include "motet/sources/family.h"

namespace motet::multilabel {

class IntegratedFeature {
 public:
  // `start` is where the fit begins, and the centre of the prior.
  IntegratedFeature(const LabelSetIndex& index, std::span<const double> x, const Sources& start,
                    const SetDesign& design, const TrainOptions& options, std::size_t feature);

  std::vector<double>& point() { return point_; }

  // Log-likelihood plus log prior, of the nodes that stand for the items; of the items themselves if asked.
  double objective(std::span<const double> point, Threads threads, bool of_items = false) const;
  std::vector<double> gradient(std::span<const double> point, Threads threads) const;

  // Nodes for the items, as few as give the same objective at the present point; false where they did so already.
  bool condense(Threads threads);

  // The largest error of a log density at the present point, as the integrals tell it.
  double density_error(Threads threads) const;

  void write(Sources& sources) const;

 private:
  bool is_logarithm(std::size_t i) const;
  Marginal marginal(std::span<const double> point, std::size_t k) const;
  std::vector<Marginal> members(std::span<const double> point, std::size_t set) const;
  double set_likelihood(std::size_t set, std::vector<Marginal> members, bool of_items) const;
  void add_slopes(std::span<const double> point, std::size_t set, std::span<double> slopes) const;
  double log_prior(std::span<const double> point, std::span<double> slopes) const;

  std::vector<std::vector<WeightedValue>> items_;  // of each set
  std::vector<std::vector<WeightedValue>> nodes_;
  double piece_ = 0.0;  // of nodes; 0: they are the items
  const SetDesign& design_;
  const TrainOptions& options_;
  const SourceFamily& family_;
  std::size_t feature_;
  std::vector<double> strength_;
  std::vector<double> centre_;
  std::vector<double> point_;
};

}  // namespace motet::multilabel
