#include "motet/audio/scenes/forest.h"

#include <xgboost/c_api.h>

#include <algorithm>
#include <cmath>
#include <limits>
#include <utility>

#include "motet/base/error.h"

namespace motet::audio {
namespace {

constexpr double rows_of_a_tree = 0.632;
constexpr std::size_t deepest = 20;

void require_done(int code) {
  if (code != 0) fail(ErrorKind::internal, std::string("xgboost: ") + XGBGetLastError());
}

class MatrixForTrees {
 public:
  explicit MatrixForTrees(const Rows2d& rows) {
    const std::vector<float> values(rows.values.begin(), rows.values.end());
    require_done(XGDMatrixCreateFromMat(values.data(), rows.rows(), rows.width, std::numeric_limits<float>::quiet_NaN(),
                                        &handle_));
  }
  ~MatrixForTrees() { XGDMatrixFree(handle_); }
  MatrixForTrees(const MatrixForTrees&) = delete;

  DMatrixHandle handle() const { return handle_; }
  void set_labels(std::span<const double> labels) {
    const std::vector<float> values(labels.begin(), labels.end());
    require_done(XGDMatrixSetFloatInfo(handle_, "label", values.data(), values.size()));
  }

 private:
  DMatrixHandle handle_ = nullptr;
};

}  // namespace

struct Forest::Inside {
  BoosterHandle booster = nullptr;
  std::size_t width = 0;
  std::size_t classes = 0;

  ~Inside() { XGBoosterFree(booster); }
  void set(const char* name, const std::string& value) {
    require_done(XGBoosterSetParam(booster, name, value.c_str()));
  }
};

Forest Forest::grow(const Rows2d& rows, const Target& target, const ForestOptions& options, Seed seed) {
  MatrixForTrees matrix(rows);
  matrix.set_labels(target.values);
  Forest forest;
  forest.inside_ = std::make_shared<Inside>();
  Inside& inside = *forest.inside_;
  inside.width = rows.width;
  inside.classes = target.classes.size();
  const DMatrixHandle handle = matrix.handle();
  require_done(XGBoosterCreate(&handle, 1, &inside.booster));
  const auto D = static_cast<double>(rows.width);
  const double share = target.is_class() ? std::sqrt(D) / D : 1.0 / 3.0;
  double mean = 0.0;
  for (const double value : target.values) mean += value / static_cast<double>(target.values.size());
  inside.set("nthread", "1");
  inside.set("verbosity", "0");
  inside.set("seed", std::to_string(static_cast<std::uint64_t>(seed) % 2'000'000'000U));
  inside.set("num_parallel_tree", std::to_string(options.trees));
  inside.set("tree_method", "exact");
  inside.set("learning_rate", "1");
  inside.set("subsample", motet::to_text(rows_of_a_tree));
  inside.set("colsample_bynode", motet::to_text(std::max(share, 1.0 / D)));
  inside.set("max_depth", std::to_string(deepest));
  inside.set("min_child_weight", "0.5");
  inside.set("lambda", "0.1");
  if (target.is_class()) {
    inside.set("objective", "multi:softmax");
    inside.set("num_class", std::to_string(std::max<std::size_t>(2, target.classes.size())));
  } else {
    inside.set("objective", "reg:squarederror");
    inside.set("base_score", motet::to_text(mean));
  }
  require_done(XGBoosterUpdateOneIter(inside.booster, 0, handle));
  return forest;
}

Forest Forest::from_text(const std::string& text, std::size_t width, std::size_t classes) {
  Forest forest;
  forest.inside_ = std::make_shared<Inside>();
  forest.inside_->width = width;
  forest.inside_->classes = classes;
  require_done(XGBoosterCreate(nullptr, 0, &forest.inside_->booster));
  if (XGBoosterLoadModelFromBuffer(forest.inside_->booster, text.data(), text.size()) != 0) {
    fail(ErrorKind::bad_data, "field 'forest' holds no trees that can be read");
  }
  forest.inside_->set("nthread", "1");
  return forest;
}

std::string Forest::to_text() const {
  bst_ulong size = 0;
  const char* bytes = nullptr;
  require_done(XGBoosterSaveModelToBuffer(inside_->booster, R"({"format": "json"})", &size, &bytes));
  return {bytes, size};
}

namespace {

std::vector<double> asked_of(BoosterHandle booster, const Rows2d& rows, int what) {
  if (rows.rows() == 0) return {};
  const MatrixForTrees matrix(rows);
  bst_ulong size = 0;
  const float* values = nullptr;
  require_done(XGBoosterPredict(booster, matrix.handle(), what, 0, 0, &size, &values));
  return {values, values + size};
}

}  // namespace

std::vector<double> Forest::say(const Rows2d& rows) const {
  constexpr int answers = 0;
  return asked_of(inside_->booster, rows, answers);
}

Rows2d Forest::margins(const Rows2d& rows) const {
  constexpr int before_the_choice = 1;
  return {std::max<std::size_t>(2, inside_->classes), asked_of(inside_->booster, rows, before_the_choice)};
}

}  // namespace motet::audio
