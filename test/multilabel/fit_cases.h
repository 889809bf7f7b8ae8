// A fit of two sources made by hand, for tests of how results are named and told.
#pragma once

#include "motet/multilabel/train.h"

namespace motet::multilabel {

inline MultilabelFit two_sources() {
  MultilabelFit fit;
  MultilabelModel& model = fit.model;
  model.labels = {"speech", "music"};
  model.preparation.columns = {"low", "high"};
  model.options.covariance = Covariance::diagonal;
  model.sources.dimensions = 2;
  model.sources.count = 2;
  model.sources.location = {1.0, 2.0, -3.0, 0.5};
  model.sources.spread = {1.0, 1.0, 4.0, 4.0};
  model.prior.sets = BitMatrix(2, 2);
  model.prior.sets.set(0, 0);
  model.prior.sets.set(1, 0);
  model.prior.sets.set(1, 1);
  model.prior.counts = {30.0, 12.0};
  fit.items = 42;
  fit.label_sets = 2;
  fit.summary.stop = Stop::converged;
  fit.summary.objective = {-90.0, -84.0};
  fit.log_likelihood = -84.0;
  fit.explained = 42;
  return fit;
}

}  // namespace motet::multilabel
