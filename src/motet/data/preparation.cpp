#include "motet/data/preparation.h"

#include <algorithm>
#include <cmath>

#include "motet/base/error.h"
#include "motet/data/eigen.h"
#include "motet/data/leading_eigen.h"
#include "motet/data/names.h"
#include "motet/data/views.h"

namespace motet {
namespace {

constexpr std::size_t rows_a_task = 256;        // of sums: by the data alone
constexpr double least_relative_spread = 1e-9;  // of a column that varies: above the rounding of its sums

std::size_t task_count(std::size_t rows) { return (rows + rows_a_task - 1) / rows_a_task; }

// sum over rows of add(row, sums)
template <class Add>
std::vector<double> sum_over_rows(std::size_t rows, std::size_t size, Threads threads, double work, const Add& add) {
  return sum_over_tasks(task_count(rows), size, threads_for(threads, work),
                        [&](std::size_t task, std::span<double> sums) {
                          const std::size_t end = std::min(rows, (task + 1) * rows_a_task);
                          for (std::size_t n = task * rows_a_task; n < end; ++n) add(n, sums);
                        });
}

// Some rows of the features, numbered by their places among them.
struct SomeFeatures {
  const NumberTable& features;
  Rows places;

  std::size_t rows() const { return places.size(); }
  std::size_t dimensions() const { return features.dimensions(); }
  std::span<const double> row(std::size_t n) const { return features.row(places[n]); }
  double cells() const { return static_cast<double>(rows()) * static_cast<double>(dimensions()); }
};

// Means about the first row, so that a constant column has exactly its value.
std::vector<double> column_means(const SomeFeatures& features, Threads threads) {
  const std::size_t dimensions = features.dimensions();
  const std::span<const double> first = features.row(0);
  std::vector<double> mean =
      sum_over_rows(features.rows(), dimensions, threads, features.cells(), [&](std::size_t n, std::span<double> sums) {
        const std::span<const double> row = features.row(n);
        for (std::size_t d = 0; d < dimensions; ++d) sums[d] += row[d] - first[d];
      });
  for (std::size_t d = 0; d < dimensions; ++d) mean[d] = first[d] + mean[d] / static_cast<double>(features.rows());
  return mean;
}

std::vector<double> column_sds(const SomeFeatures& features, const std::vector<double>& mean, Threads threads) {
  const std::size_t dimensions = features.dimensions();
  std::vector<double> sd =
      sum_over_rows(features.rows(), dimensions, threads, features.cells(), [&](std::size_t n, std::span<double> sums) {
        const std::span<const double> row = features.row(n);
        for (std::size_t d = 0; d < dimensions; ++d) sums[d] += (row[d] - mean[d]) * (row[d] - mean[d]);
      });
  for (double& s : sd) s = std::sqrt(s / static_cast<double>(features.rows()));
  return sd;
}

void require_pca(const SomeFeatures& features, const PreparationOptions& options, std::size_t landmarks) {
  const std::size_t most = options.kernel > 0 ? landmarks - 1 : std::min(features.dimensions(), features.rows() - 1);
  if (options.kernel > 0 && options.pca == 0) {
    fail(ErrorKind::usage, "--kernel " + std::to_string(options.kernel) +
                               " needs --pca: how many components of the kernel to keep, at most " +
                               std::to_string(most));
  }
  if (options.pca > most) {
    fail(ErrorKind::usage, "--pca " + std::to_string(options.pca) + " is too many for " +
                               std::to_string(features.rows()) + " items with " +
                               std::to_string(features.dimensions()) + " features" +
                               (options.kernel > 0 ? " and " + std::to_string(landmarks) + " landmarks" : "") +
                               "; at most " + std::to_string(most) + " components are there");
  }
}

// A row centred and scaled; it may be done in place.
void scale_row(const Preparation& preparation, const double* from, double* to) {
  const std::size_t dimensions = preparation.inputs();
  if (preparation.centre.empty()) {
    if (from != to) std::copy_n(from, dimensions, to);
    return;
  }
  const double* const centre = preparation.centre.data();
  const double* const scale = preparation.scale.data();
  for (std::size_t d = 0; d < dimensions; ++d) to[d] = (from[d] - centre[d]) / scale[d];
}

// Places first ... end - 1, centred and scaled.
RowMatrix scaled_block(const Preparation& preparation, const SomeFeatures& features, std::size_t first,
                       std::size_t end) {
  RowMatrix block(end - first, preparation.inputs());
  for (std::size_t n = first; n < end; ++n) {
    scale_row(preparation, features.row(n).data(), block.data() + (n - first) * preparation.inputs());
  }
  return block;
}

// Rows of the eigenvectors become components; shares of `total` are told.
void keep_components(LeadingEigen eigen, double total, Preparation& preparation) {
  preparation.components = std::move(eigen.vectors);
  for (const double value : eigen.values) preparation.explained.push_back(total > 0.0 ? value / total : 0.0);
}

double trace(std::span<const double> matrix, std::size_t side) {
  double sum = 0.0;
  for (std::size_t i = 0; i < side; ++i) sum += matrix[i * side + i];
  return sum;
}

// Eigenvectors of the covariance, or, with more columns than rows, of the matrix of inner
// products, which has the same eigenvalues and is smaller.
void principal_components(const SomeFeatures& features, std::size_t count, Threads threads, Preparation& preparation) {
  const std::size_t rows = features.rows();
  const std::size_t columns = features.dimensions();
  const double n = static_cast<double>(rows);
  if (columns <= rows) {
    const double work = n * static_cast<double>(columns * columns);
    std::vector<double> covariance = sum_over_tasks(
        task_count(rows), columns * columns, threads_for(threads, work), [&](std::size_t task, std::span<double> out) {
          const std::size_t first = task * rows_a_task;
          const RowMatrix block = scaled_block(preparation, features, first, std::min(rows, first + rows_a_task));
          Eigen::Map<RowMatrix> sum(out.data(), block.cols(), block.cols());
          sum.selfadjointView<Eigen::Upper>().rankUpdate(block.transpose());
        });
    for (double& value : covariance) value /= n;
    for (std::size_t i = 0; i < columns; ++i) {
      for (std::size_t j = 0; j < i; ++j) covariance[i * columns + j] = covariance[j * columns + i];
    }
    keep_components(leading_eigen(covariance, columns, count), trace(covariance, columns), preparation);
    return;
  }
  const RowMatrix scaled = scaled_block(preparation, features, 0, rows);
  const RowMatrix products = scaled * scaled.transpose() / n;
  const std::span<const double> cells(products.data(), rows * rows);
  LeadingEigen eigen = leading_eigen(cells, rows, count);
  RowMatrix axes = RowMatrixView(eigen.vectors.data(), at(count), at(rows)) * scaled;
  for (Eigen::Index i = 0; i < axes.rows(); ++i) {
    axes.row(i).normalize();
    Eigen::Index largest = 0;
    axes.row(i).cwiseAbs().maxCoeff(&largest);
    if (axes(i, largest) < 0.0) axes.row(i) = -axes.row(i);
  }
  eigen.vectors.assign(axes.data(), axes.data() + axes.size());
  keep_components(std::move(eigen), trace(cells, rows), preparation);
}

RowMatrixView landmarks_of(const Preparation& preparation) {
  const std::size_t columns = preparation.inputs();
  return {preparation.landmarks.data(), at(preparation.landmarks.size() / columns), at(columns)};
}

// k_j(u) of scaled rows: rows x landmarks.
RowMatrix kernel_values(const Preparation& preparation, const RowMatrix& scaled) {
  const RowMatrixView landmarks = landmarks_of(preparation);
  const Eigen::VectorXd own = scaled.rowwise().squaredNorm();
  const Eigen::RowVectorXd theirs = landmarks.rowwise().squaredNorm().transpose();
  RowMatrix values = scaled * landmarks.transpose();
  for (Eigen::Index i = 0; i < values.rows(); ++i) {
    values.row(i) =
        (-(own(i) + theirs.array() - 2.0 * values.row(i).array()).max(0.0) / preparation.kernel_scale).exp();
  }
  return values;
}

// Landmarks are evenly spaced rows, all of them when they are few enough.
void kernel_components(const SomeFeatures& features, const PreparationOptions& options, std::size_t count,
                       double total_variance, Preparation& preparation) {
  RowMatrix scaled(count, preparation.inputs());
  for (std::size_t j = 0; j < count; ++j) {
    scale_row(preparation, features.row(j * features.rows() / count).data(), &scaled(at(j), 0));
  }
  preparation.landmarks.assign(scaled.data(), scaled.data() + scaled.size());
  preparation.kernel_scale =
      options.kernel_width * options.kernel_width * (total_variance > 0.0 ? total_variance : 1.0);
  RowMatrix kernel = kernel_values(preparation, scaled);
  kernel = (0.5 * (kernel + kernel.transpose())).eval();
  const Eigen::RowVectorXd mean = kernel.colwise().mean();
  kernel.rowwise() -= mean;
  kernel.colwise() -= mean.transpose();
  kernel.array() += mean.mean();
  const std::span<const double> cells(kernel.data(), count * count);
  LeadingEigen eigen = leading_eigen(cells, count, options.pca);
  const double least = 1e-12 * eigen.values[0];
  for (std::size_t i = 0; i < options.pca; ++i) {
    // A direction that the landmarks do not span carries nothing.
    const double factor = eigen.values[i] > least ? 1.0 / std::sqrt(eigen.values[i]) : 0.0;
    for (std::size_t j = 0; j < count; ++j) eigen.vectors[i * count + j] *= factor;
  }
  keep_components(std::move(eigen), trace(cells, count), preparation);
  const RowMatrixView components(preparation.components.data(), at(options.pca), at(count));
  const Eigen::VectorXd shift = components * mean.transpose();
  preparation.shift.assign(shift.data(), shift.data() + shift.size());
}

// Where each column of the preparation is among those of the features.
std::vector<std::size_t> places_of(const Preparation& preparation, const NumberTable& features) {
  NameTable table{NameList(features.columns)};
  std::vector<std::size_t> places;
  std::vector<std::string> missing;
  for (const std::string& column : preparation.columns) {
    const std::uint32_t place = table.find(column);
    if (place == NameTable::absent) missing.push_back(column);
    places.push_back(place);
  }
  if (!missing.empty()) {
    fail(ErrorKind::bad_data,
         "the items lack " + std::to_string(missing.size()) + " of the " + std::to_string(preparation.inputs()) +
             " features of the model: " + quoted_list(missing, 5) + "; columns are found by name, in any order");
  }
  return places;
}

}  // namespace

Preparation learn_preparation(const NumberTable& features, const PreparationOptions& options, Threads threads) {
  return learn_preparation(features, Rows::all(features.rows()), options, threads);
}

Preparation learn_preparation(const NumberTable& all, Rows rows, const PreparationOptions& options, Threads threads) {
  const SomeFeatures features{all, rows};
  if (features.rows() == 0 || features.dimensions() == 0) {
    fail(ErrorKind::bad_data, "there are " + std::to_string(features.rows()) + " items with " +
                                  std::to_string(features.dimensions()) + " features; at least one of each is needed");
  }
  Preparation preparation;
  preparation.columns = all.columns;
  std::vector<double> mean = column_means(features, threads);
  std::vector<double> sd = column_sds(features, mean, threads);
  double total_variance = 0.0;  // of what the kernel sees
  for (std::size_t d = 0; d < features.dimensions(); ++d) {
    if (!std::isfinite(sd[d] * sd[d])) {
      fail(ErrorKind::bad_data, "feature '" + all.columns[d] +
                                    "' has values whose squares are beyond all numbers; "
                                    "divide it by a large number");
    }
    if (sd[d] > least_relative_spread * std::abs(mean[d])) {
      total_variance += options.standardize ? 1.0 : sd[d] * sd[d];
      continue;
    }
    preparation.constant.push_back(all.columns[d]);
    sd[d] = 1.0;
  }
  if (!options.standardize && options.pca == 0 && options.kernel == 0) return preparation;
  const std::size_t landmarks = std::min(options.kernel, features.rows());
  require_pca(features, options, landmarks);
  preparation.centre = std::move(mean);
  preparation.scale = options.standardize ? std::move(sd) : std::vector<double>(features.dimensions(), 1.0);
  if (landmarks > 0) {
    kernel_components(features, options, landmarks, total_variance, preparation);
  } else if (options.pca > 0) {
    principal_components(features, options.pca, threads, preparation);
  }
  return preparation;
}

std::vector<double> prepare(const Preparation& preparation, const NumberTable& features, Threads threads) {
  return prepare(preparation, features, Rows::all(features.rows()), threads);
}

std::vector<double> prepare(const Preparation& preparation, const NumberTable& features, Rows of, Threads threads) {
  const std::vector<std::size_t> places = places_of(preparation, features);
  const std::size_t rows = of.size();
  const std::size_t inputs = preparation.inputs();
  const std::size_t outputs = preparation.outputs();
  std::vector<double> prepared(rows * outputs);
  const std::size_t landmarks = preparation.landmarks.empty() ? 1 : preparation.landmarks.size() / inputs;
  const double width = static_cast<double>(inputs + outputs) * static_cast<double>(landmarks);
  for_each_task(task_count(rows), threads_for(threads, static_cast<double>(rows) * width), [&](std::size_t task) {
    const std::size_t first = task * rows_a_task;
    const std::size_t count = std::min(rows, first + rows_a_task) - first;
    RowMatrix block(count, inputs);
    for (std::size_t n = 0; n < count; ++n) {
      double* const to = block.data() + n * inputs;
      const std::span<const double> row = features.row(of[first + n]);
      for (std::size_t d = 0; d < inputs; ++d) to[d] = row[places[d]];
      scale_row(preparation, to, to);
    }
    Eigen::Map<RowMatrix> out(prepared.data() + first * outputs, at(count), at(outputs));
    if (preparation.components.empty()) {
      out = block;
      return;
    }
    const auto from = at(preparation.components.size() / outputs);
    const RowMatrixView components(preparation.components.data(), at(outputs), from);
    if (preparation.landmarks.empty()) {
      out.noalias() = block * components.transpose();
      return;
    }
    out.noalias() = kernel_values(preparation, block) * components.transpose();
    out.rowwise() -= Eigen::Map<const Eigen::RowVectorXd>(preparation.shift.data(), at(outputs));
  });
  return prepared;
}

void prepare_in_place(const Preparation& preparation, std::vector<double>& values, Threads threads) {
  if (!preparation.components.empty()) fail(ErrorKind::internal, "a projection cannot be done in place");
  const std::size_t inputs = preparation.inputs();
  const std::size_t rows = inputs == 0 ? 0 : values.size() / inputs;
  for_each_task(task_count(rows), threads_for(threads, static_cast<double>(values.size())), [&](std::size_t task) {
    const std::size_t end = std::min(rows, (task + 1) * rows_a_task);
    for (std::size_t n = task * rows_a_task; n < end; ++n) {
      double* const row = values.data() + n * inputs;
      scale_row(preparation, row, row);
    }
  });
}

Value to_value(const Preparation& preparation) {
  return Value::object({{"columns", Value::list_of(preparation.columns)},
                        {"centre", Value::list_of(preparation.centre)},
                        {"scale", Value::list_of(preparation.scale)},
                        {"landmarks", Value::list_of(preparation.landmarks)},
                        {"kernel_scale", preparation.kernel_scale},
                        {"components", Value::list_of(preparation.components)},
                        {"shift", Value::list_of(preparation.shift)},
                        {"explained", Value::list_of(preparation.explained)},
                        {"constant", Value::list_of(preparation.constant)}});
}

Preparation preparation_from(const Value& value) {
  Preparation preparation;
  preparation.columns = texts_at(value, "columns");
  const std::size_t inputs = preparation.inputs();
  preparation.centre = numbers_at(value, "centre");
  if (!preparation.centre.empty()) preparation.centre = numbers_at(value, "centre", inputs);
  preparation.scale = numbers_at(value, "scale", preparation.centre.size());
  for (const double s : preparation.scale) {
    if (!(s > 0.0)) fail(ErrorKind::bad_data, "scale = " + to_text(s) + " is not above 0");
  }
  preparation.explained = numbers_at(value, "explained");
  preparation.landmarks = numbers_at(value, "landmarks");
  const std::size_t landmarks = inputs == 0 ? 0 : preparation.landmarks.size() / inputs;
  if (preparation.landmarks.size() != landmarks * inputs) {
    fail(ErrorKind::bad_data, "field 'landmarks' has " + std::to_string(preparation.landmarks.size()) + " entries; " +
                                  (inputs == 0 ? "none are needed without columns"
                                               : "a multiple of " + std::to_string(inputs) + " is needed"));
  }
  if (landmarks > 0) {
    if (preparation.explained.empty()) fail(ErrorKind::bad_data, "field 'landmarks' is given without components");
    preparation.kernel_scale = value.at("kernel_scale").as_number();
    if (!(preparation.kernel_scale > 0.0)) {
      fail(ErrorKind::bad_data, "kernel_scale = " + to_text(preparation.kernel_scale) + " is not above 0");
    }
  }
  const std::size_t outputs = preparation.explained.size();
  preparation.components = numbers_at(value, "components", outputs * (landmarks > 0 ? landmarks : inputs));
  preparation.shift = numbers_at(value, "shift", landmarks > 0 ? outputs : 0);
  preparation.constant = texts_at(value, "constant");
  return preparation;
}

}  // namespace motet
