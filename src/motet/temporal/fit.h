// Fitting a mixture, static or with a field: `motet temporal fit`.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "motet/base/fields.h"
#include "motet/base/run.h"
#include "motet/data/features.h"
#include "motet/temporal/mixture/mixture.h"
#include "motet/temporal/objective.h"

namespace motet::temporal {

enum class TemporalMethod { field, hmm };
enum class Inference { icm, mean_field, exact };

enum class ClassAssignment { hard, soft };

struct TemporalOptions {
  TemporalMethod method = TemporalMethod::field;
  std::size_t radius = 0;
  WeightShape weights = WeightShape::linear;
  std::string weight_values;  // of custom weights, for distance 1, 2 ...: "4,3,2,1"
  Inference inference = Inference::icm;
  MixtureCovariance covariance = MixtureCovariance::full;
  ComponentLaw emission = ComponentLaw::gaussian;
  std::optional<double> degrees;  // of Student's t; none: estimated, for each component
  std::string coupling = "auto";  // auto: see likely_coupling.h; literal: strength 1; a number: J in nats
  Border border = Border::weights;
  std::size_t image_width = 0;
  std::size_t stack = 0;                                     // see stack.h
  ClassAssignment class_assignment = ClassAssignment::hard;  // soft: see soft_classes.h
  double label_weight = 0.1;                                 // alpha of (6.7)
  double floor = 1e-6;                                       // see shrinkage.h
  std::size_t starts = 5;                                    // of k-means
  std::size_t max_iterations = 500;
  double tolerance = 1e-8;  // change of the objective per row that ends the fit
};

template <class V>
void visit_fields(V& v, TemporalOptions& o) {
  v("method", o.method, Choices{{"field", "hmm"}},
    "what time is to components: a pull of neighbours (none at --radius 0), or a hidden Markov chain");
  v("radius", o.radius, Range<std::size_t>{0, 1'000'000},
    "rows on each side that pull a row towards their component; 0: the ordinary mixture, time is not looked at");
  v("weights", o.weights, Choices{{"linear", "quadratic", "gaussian", "custom"}},
    "how the pull falls off with distance; custom: as --weight-values say");
  v("weight_values", o.weight_values, Text{"W1,W2,..."},
    "weight of a neighbour at distance 1, 2 ... for custom weights; their number is the radius");
  v("inference", o.inference, Choices{{"icm", "mean-field", "exact"}},
    "exact needs components^radius to be at most 4096");
  v("covariance", o.covariance, Choices{{"full", "diagonal", "tied"}}, "of the components");
  v("emission", o.emission, Choices{{"gaussian", "student-t"}},
    "shape of the components; student-t: far rows hardly move them");
  v("degrees", o.degrees, Range<double>{least_degrees, most_degrees},
    "degrees of freedom of student-t; auto: estimated for each component");
  v("coupling", o.coupling, Text{"auto|literal|NATS"},
    "largest log-odds that neighbours can give; auto: by a bound of the likelihood; literal: radius (radius + 1), as "
    "published");
  v("border", o.border, Choices{{"weights", "clique"}},
    "at the ends of a sequence: full weights, or whole cliques only");
  v("image_width", o.image_width, Range<std::size_t>{0, 1'000'000},
    "rows are pixels of an image this wide, row by row, and neighbours are those in the plane; 0: rows are in time "
    "order");
  v("stack", o.stack, Range<std::size_t>{0, 1000},
    "rows before and after that stand beside each row as further columns; at the ends the first and last row repeat");
  v("class_assignment", o.class_assignment, Choices{{"hard", "soft"}},
    "hard: each component belongs to one class; soft: to each with a probability that is estimated");
  v("label_weight", o.label_weight, Range<double>{0.0, 0.99},
    "share of a class's parameters that its labelled rows decide at least");
  v("floor", o.floor, Range<double>{0.0, 1.0}, "least variance, as a share of that of all rows");
  v("starts", o.starts, Range<std::size_t>{1, 1000}, "of k-means; the best is kept");
  v("max_iterations", o.max_iterations, Range<std::size_t>{0, 1'000'000}, "limit of iterations of the fit");
  v("tolerance", o.tolerance, Range<double>{0.0, 1.0}, "rise of the objective per row that ends the fit");
}

struct TemporalFit {
  Mixture mixture;
  FitSummary summary;                // objective per row: the likelihood, or what stands for it, with priors
  Likelihood likelihood;             // without priors
  std::vector<std::uint8_t> states;  // component per row
  std::vector<double> probability;   // of it
  std::vector<std::uint8_t> path;    // of a chain: the most probable components of all rows together; else empty
  DecidedClasses classes;            // with soft assignment
};

// Labels: classes.size() classes; components are shared out among the classes that labels name, one
// each and the rest by size (the labelled rows decide which component is whose); without labels
// components have no class. Throws Error{unanswerable} when there are fewer distinct rows than
// components, Error{usage} for a radius not shorter than the longest sequence.
TemporalFit fit_temporal(const Features& features, std::size_t components, const std::vector<std::string>& classes,
                         const RowLabels& labels, const TemporalOptions& options, const RunContext& run);

// Components of new rows under a fitted mixture.
struct TemporalStates {
  std::vector<std::uint8_t> states;
  std::vector<double> probability;
  std::vector<std::uint8_t> path;  // as above
  double objective = 0.0;          // a row, without priors
  ObjectiveKind kind = ObjectiveKind::log_likelihood;
  DecidedClasses classes;  // with soft assignment
};
TemporalStates assign_temporal(const Features& features, const Mixture& mixture, Inference inference,
                               const RunContext& run);

}  // namespace motet::temporal
