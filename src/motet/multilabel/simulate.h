// Items with known sources, to try things with.
#pragma once

#include <cstddef>
#include <string>
#include <vector>

#include "motet/base/fields.h"
#include "motet/base/rng.h"
#include "motet/data/labelled_items.h"
#include "motet/multilabel/model.h"

namespace motet::multilabel {

struct SimulateItemsOptions {
  std::size_t items = 500;
  std::size_t labels = 4;
  std::size_t features = 6;
  std::size_t max_degree = 3;  // labels per item
  std::size_t label_sets = 0;  // different ones; 0: every set of up to max_degree labels
  double separation = 2.0;     // means of Gaussian sources are uniform in [-separation, separation]
  Family source = Family::gaussian;
  Combination combine = Combination::sum;
  Covariance covariance = Covariance::diagonal;
  bool background = false;  // also allows items without labels
  double together = 0.5;    // weight of a set with one label more, against one with fewer
};

template <class V>
void visit_fields(V& v, SimulateItemsOptions& o) {
  v("items", o.items, Range<std::size_t>{1, 100'000'000}, "how many");
  v("labels", o.labels, Range<std::size_t>{1, 1000}, "how many sources");
  v("features", o.features, Range<std::size_t>{1, 100'000}, "how many columns");
  v("max_degree", o.max_degree, Range<std::size_t>{1, 64}, "most labels per item");
  v("label_sets", o.label_sets, Range<std::size_t>{0, 100'000},
    "different label sets; 0: all of up to --max-degree labels");
  v("separation", o.separation, Range<double>{0.0, 1e6}, "means of Gaussian sources lie in [-X, X]");
  v("source", o.source, Choices{family_names()}, "distribution of what a source emits");
  v("combine", o.combine, Choices{{"sum", "mean", "or", "and", "min", "product", "one-of"}},
    "how emissions make an item");
  v("covariance", o.covariance, Choices{{"spherical", "diagonal", "full", "shared"}}, "of Gaussian sources");
  v("background", o.background, "a source that is in every item; some items then have no label");
  v("together", o.together, Range<double>{0.0, 100.0}, "how frequent a set is against one with a label fewer");
}

// Sources drawn at random: means uniform in [-separation, separation], variances in (0, 1],
// probabilities in [0.05, 0.6], rates and shapes in [0.3, 3].
Sources random_sources(const SimulateItemsOptions& options, Rng& rng);

struct SimulatedItems {
  LabelledItems items;  // labels label1, label2, ...; features x1, x2, ...
  Sources truth;
};
// Throws Error{usage} when there are fewer sets than asked for, or too many to list.
SimulatedItems simulate_items(const SimulateItemsOptions& options, Seed seed);

// Items of a trained model, in the units of its features: label sets by their shares in training.
// Throws Error{unanswerable} for a model that projects its features, which cannot be undone.
LabelledItems simulate_items(const MultilabelModel& model, std::size_t items, Seed seed);

}  // namespace motet::multilabel
