// What is done to features before a model sees them: centre and scale, then project
// onto principal components, of the features themselves or of what a kernel makes of them.
// Learnt from training items, applied to all.
//
// Kernel: u, the centred and scaled features, becomes k_j(u) = exp(-|u - l_j|^2 / (w^2 V)), one
// value per landmark l_j (a training item), V the sum of the features' variances; then
// z = A (k(u) - mean k), A the leading eigenvectors of the centred kernel matrix of the landmarks
// over the roots of their eigenvalues (kernel principal components). Sources that add in z can
// bend in u.
#pragma once

#include <cstddef>
#include <span>
#include <string>
#include <vector>

#include "motet/base/parallel.h"
#include "motet/data/number_table.h"
#include "motet/data/record.h"

namespace motet {

struct PreparationOptions {
  bool standardize = false;
  std::size_t pca = 0;        // components; 0: none
  std::size_t kernel = 0;     // landmarks at most; 0: no kernel. A kernel needs pca
  double kernel_width = 1.0;  // w; 1 is scikit-learn's gamma = "scale"
};

struct Preparation {
  std::vector<std::string> columns;   // of the features as they come
  std::vector<double> centre;         // empty: features stay as they are
  std::vector<double> scale;          // what a centred column is divided by; 1 for a constant one
  std::vector<double> landmarks;      // count x columns, centred and scaled; empty: no kernel
  double kernel_scale = 0.0;          // w^2 V
  std::vector<double> components;     // outputs x (columns or landmarks), row by row; empty: no projection
  std::vector<double> shift;          // with a kernel, one per output: A mean k
  std::vector<double> explained;      // share of the variance, one per component
  std::vector<std::string> constant;  // columns that do not vary

  std::size_t inputs() const { return columns.size(); }
  std::size_t outputs() const { return components.empty() ? inputs() : explained.size(); }
};

// Signs of components are fixed (largest entry positive), so the same data give the same bytes.
// Throws Error{usage} when pca is above the number of columns (landmarks) or of rows - 1.
Preparation learn_preparation(const NumberTable& features, const PreparationOptions& options, Threads threads);

// Rows x outputs, row by row. Columns are found by name, in any order; throws
// Error{bad_data} that names a column that is missing.
std::vector<double> prepare(const Preparation& preparation, const NumberTable& features, Threads threads);

// Rows of the columns in the preparation's own order, centred and scaled where they are. Only where nothing is
// projected.
void prepare_in_place(const Preparation& preparation, std::vector<double>& values, Threads threads);

Value to_value(const Preparation& preparation);
Preparation preparation_from(const Value& value);

}  // namespace motet
