// Theory as a tool: what data can tell about sources, and how precisely.
#pragma once

#include <array>
#include <string>
#include <vector>

#include "motet/base/run.h"
#include "motet/data/labelled_items.h"
#include "motet/multilabel/model.h"
#include "motet/multilabel/sources/identifiability.h"

namespace motet::multilabel {

// Predicted standard error of one source parameter under one training method, from the
// generalised Fisher information (sandwich), for as many items as there are; see precision.h.
struct ParameterError {
  std::uint32_t source = 0;
  std::uint32_t dimension = 0;
  double value = 0.0;
  std::array<double, 5> standard_error{};  // deconvolution, ignore, new, cross, probabilistic; NaN: cannot be estimated
  std::array<double, 5> bias{};  // limit minus value: of cross and probabilistic, with a background of ignore and new
  double low = 0.0;              // interval by deconvolution; NaN with its standard error
  double high = 0.0;
};

// Whether items of a set of several labels behave as the combination says.
struct SetFitTest {
  std::string set;
  std::size_t items = 0;
  double statistic = 0.0;  // Wald statistic of mean(set) against the combination of its sources
  double degrees = 0.0;    // of freedom; 0: no other set tells of its sources, so it cannot be tested
  double p_value = 1.0;
  double shift = 0.0;  // length of the difference in standard deviations of the set, sources fitted without it
};

struct Analysis {
  SourceIdentifiability identifiability;
  std::vector<ParameterError> parameters;  // locations, source after source
  // Variances (spherical: dimension 0), rates of gamma; source is the number of sources where all share it.
  std::vector<ParameterError> spreads;
  std::vector<SetFitTest> sets;
  std::size_t tested = 0;  // of them, those with degrees of freedom
  std::string untested;    // why there is none of those; else empty
  double overall_p = 1.0;  // the least p value times `tested` (Bonferroni, the first step of Holm); 1 without tests
  std::size_t items = 0;
  std::vector<std::string> warnings;
};

// What these items can say about the sources of the model. Standard errors are those at the model's sources
// (method `new` has none: at those that deconvolution finds in the items). Intervals use the degrees that
// estimated variances have, logits of probabilities and logarithms of rates, shapes and variances. Throws
// Error{bad_data} when the items lack the model's columns or labels.
Analysis analyze(const LabelledItems& items, const MultilabelModel& model, double confidence, const RunContext& run);

}  // namespace motet::multilabel
