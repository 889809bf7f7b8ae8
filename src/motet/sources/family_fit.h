// How sources of a family are learnt, feature by feature: the steps of EM in plain numbers.
//
// A fit walks over label sets and dimensions (multilabel/deconvolution_rates.h) or over items (combine = one-of), asks
// here for the objective and what each source is taught, and for the best location given that. The prior is worth nu
// emissions of the value that all sources would share, the centre.
#pragma once

#include <cstddef>
#include <span>
#include <vector>

namespace motet {

struct MeanVariance {
  double mean = 0.0;
  double variance = 0.0;
};

struct WeightedValue {
  double value = 0.0;
  double weight = 0.0;  // how many; of a node of value_nodes.h also below 0
};

// One feature of all items together.
struct PooledFeature {
  double mean = 0.0;
  double mean_log = 0.0;  // of families that need it
  double variance = 0.0;
  double degree = 1.0;  // mean number of sources of an item
  double least = 0.0;   // a mean that is next to none
  bool has_prior = false;
  std::size_t feature = 0;  // from 0, for messages
};

struct SharedValue {
  double location = 0.0;
  double shared = 0.0;  // the parameter that all sources share, where there is one
};

// The items of one label set, dimension by dimension.
struct SetCells {
  std::size_t dimensions = 0;
  double count = 0.0;
  const double* mean = nullptr;
  const double* mean_log = nullptr;                    // of families that need it
  const std::vector<WeightedValue>* values = nullptr;  // the same
  const double* total = nullptr;                       // what adds up, over the members
  const double* shared = nullptr;                      // the shared parameters
  const double* flips = nullptr;                       // null without noise
  double* objective = nullptr;                         // one number, added to
  double* taught = nullptr;                            // written: what every member gets
  double* flipped = nullptr;                           // added to: expected flips
};

// What a source has been taught, and the prior.
struct SourceLesson {
  double emitted = 0.0;  // expected statistic of its own emissions
  double items = 0.0;
  double nu = 0.0;
  double shared = 0.0;
  SharedValue centre = {};
};

struct FamilyFit {
  SharedValue (*centre)(const PooledFeature& feature) = nullptr;
  void (*accumulate)(const SetCells& cells) = nullptr;
  // The expected statistic of a source's emissions: from the sum of what it was taught, or from a mixture in which
  // its items have this weight, sum of x, and sum of `extra`; null: the sum of x.
  double (*emitted)(double location, double items, double taught) = nullptr;
  double (*emitted_mixed)(double location, double shared, double weight, double sum, double extra) = nullptr;
  double (*location)(const SourceLesson& lesson) = nullptr;
  double (*log_prior)(double nu, double location, double shared, const SharedValue& centre) = nullptr;

  // The shared parameter that is best for given locations: from the sums of n total and of n mean over all sets, to
  // which the prior adds.
  double (*best_shared)(double locations, double amounts) = nullptr;
  double (*prior_amount)(double nu, const SharedValue& centre) = nullptr;

  // Of one source and a row of D values, up to terms without parameters; `extra` of one value, null: none.
  double (*row_log_density)(const double* location, const double* shared, const double* x, std::size_t size) = nullptr;
  double (*extra)(double location, double x) = nullptr;

  // Where a fit without closed form starts, from moments of emissions.
  double (*start)(double mean, double shared) = nullptr;
  double (*start_shared)(double mean, double variance) = nullptr;
};

}  // namespace motet
