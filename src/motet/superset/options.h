// Options of `motet superset train`.
#pragma once

#include <cstddef>

#include "motet/base/fields.h"

namespace motet::superset {

enum class SupersetMethod { automatic, lsb_cmm, logistic, clpl, knn, ipal, svm, naive };
constexpr const char* superset_method_words[] = {"auto", "lsb-cmm", "logistic-em", "clpl",
                                                 "knn",  "ipal",    "svm",         "naive"};

// What a candidate counts whose class is in many sets (companions.h).
enum class CompanionRule { automatic, equal, weighed };

struct SupersetOptions {
  SupersetMethod method = SupersetMethod::automatic;
  std::size_t components = 0;    // of lsb-cmm; 0: five per class
  double alpha = 0.05;           // of the Dirichlet prior of a component's classes
  double prior_scale = 1.0;      // variance of the weights of the sticks
  double bias_variance = 100.0;  // of their bias, wide: else unused components cannot vanish
  std::size_t restarts = 5;      // class orders that are averaged
  double penalty = 1.0;          // of logistic, clpl, svm
  std::size_t neighbours = 10;   // of knn and ipal
  CompanionRule companions = CompanionRule::automatic;
  double outside_probability = 0.0;  // that the truth is none of the candidates
  std::size_t folds = 5;             // of the choice and the calibration inside the training items
  std::size_t max_iterations = 100;  // of lsb-cmm
  double tolerance = 1e-6;           // relative rise of the bound that ends it
  bool smoothing = true;             // candidates of lsb-cmm are weighed by those of similar items
  std::size_t batch = 0;             // items of a stochastic step; 0: all items at a time
  bool standardize = true;
};

template <class V>
void visit_fields(V& v, SupersetOptions& o) {
  v("method", o.method, Choices{{"auto", "lsb-cmm", "logistic-em", "clpl", "knn", "ipal", "svm", "naive"}},
    "auto weighs the others by how well they foresee the candidates of items they have not seen; no true label is "
    "used");
  v("components", o.components, Range<std::size_t>{0, 100000}, "of lsb-cmm; 0: five per class");
  v("alpha", o.alpha, Range<double>{1e-6, 1e3},
    "Dirichlet prior of the classes of a component; small: few classes each");
  v("prior_scale", o.prior_scale, Range<double>{1e-6, 1e6}, "variance of the weights that lead items to components");
  v("bias_variance", o.bias_variance, Range<double>{1e-3, 1e9}, "of their bias");
  v("restarts", o.restarts, Range<std::size_t>{1, 1000}, "orders of the classes whose answers are averaged");
  v("penalty", o.penalty, Range<double>{0.0, 1e9}, "of the weights of logistic, clpl and svm");
  v("neighbours", o.neighbours, Range<std::size_t>{1, 100000}, "of knn and ipal");
  v("companions", o.companions, Choices{{"auto", "equal", "weighed"}},
    "weighed: a candidate counts less the more sets its class is in; auto decides by sets that were held out, and for "
    "a method by name takes them as equal");
  v("outside_probability", o.outside_probability, Range<double>{0.0, 0.99}, "that the truth is none of the candidates");
  v("folds", o.folds, Range<std::size_t>{2, 100}, "inside the training items, for the choice and the calibration");
  v("max_iterations", o.max_iterations, Range<std::size_t>{1, 1'000'000}, "of lsb-cmm");
  v("tolerance", o.tolerance, Range<double>{0.0, 0.1}, "relative rise of the bound in one step that ends lsb-cmm");
  v("smoothing", o.smoothing, "candidates of lsb-cmm are weighed by those of similar items first, up to 20,000 items");
  v("batch", o.batch, Range<std::size_t>{0, 100'000'000},
    "items of one stochastic step of lsb-cmm, for data of millions of rows; 0: all at a time");
  v("standardize", o.standardize, "centre each feature and divide it by its standard deviation");
}

}  // namespace motet::superset
