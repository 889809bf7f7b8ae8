#include "motet/multilabel/baselines/support_vectors.h"

#include <libsvm/svm.h>

#include <cmath>
#include <memory>
#include <mutex>

#include "motet/base/error.h"

namespace motet::multilabel {
namespace {

constexpr double cost = 3.0;             // C
constexpr double cache_megabytes = 200;  // of kernel rows
constexpr double tolerance = 1e-3;       // of the optimality conditions, libsvm's own

// Rows as libsvm wants them: numbered from 1, zeros left out, closed by -1.
class NodeRows {
 public:
  NodeRows(std::span<const double> values, std::size_t dimensions) {
    const std::size_t rows = values.size() / dimensions;
    std::vector<std::size_t> begins;
    for (std::size_t n = 0; n < rows; ++n) {
      begins.push_back(nodes_.size());
      for (std::size_t d = 0; d < dimensions; ++d) {
        const double value = values[n * dimensions + d];
        if (value != 0.0) nodes_.push_back({static_cast<int>(d + 1), value});
      }
      nodes_.push_back({-1, 0.0});
    }
    for (const std::size_t begin : begins) rows_.push_back(nodes_.data() + begin);
  }
  std::vector<svm_node*>& rows() { return rows_; }

 private:
  std::vector<svm_node> nodes_;
  std::vector<svm_node*> rows_;
};

struct FreeModel {
  void operator()(svm_model* model) const { svm_free_and_destroy_model(&model); }
};

double variance_of(std::span<const double> values) {
  double mean = 0.0;
  for (const double v : values) mean += v / static_cast<double>(values.size());
  double sum = 0.0;
  for (const double v : values) sum += (v - mean) * (v - mean);
  return sum / static_cast<double>(values.size());
}

}  // namespace

std::vector<std::uint32_t> support_vectors(const BaselineData& data, std::span<const std::uint32_t> of,
                                           std::size_t /*count*/, const RunContext& run) {
  if (run.cancelled()) fail(ErrorKind::interrupted, "interrupted while fitting support vectors");
  static std::once_flag silenced;  // libsvm has one global place for its words
  std::call_once(silenced, [] { svm_set_print_string_function([](const char*) {}); });

  NodeRows train(data.train, data.dimensions);
  std::vector<double> classes(of.begin(), of.end());
  svm_problem problem{};
  problem.l = static_cast<int>(of.size());
  problem.y = classes.data();
  problem.x = train.rows().data();
  svm_parameter parameter{};
  parameter.svm_type = C_SVC;
  parameter.kernel_type = RBF;
  const double variance = variance_of(data.train);
  parameter.gamma = 1.0 / (static_cast<double>(data.dimensions) * (variance > 0.0 ? variance : 1.0));
  parameter.C = cost;
  parameter.eps = tolerance;
  parameter.cache_size = cache_megabytes;
  parameter.shrinking = 1;
  if (const char* const why = svm_check_parameter(&problem, &parameter); why != nullptr) {
    fail(ErrorKind::internal, std::string("libsvm refuses: ") + why);
  }
  const std::unique_ptr<svm_model, FreeModel> model(svm_train(&problem, &parameter));

  NodeRows test(data.test, data.dimensions);
  std::vector<std::uint32_t> result(test.rows().size());
  constexpr std::size_t rows_a_task = 64;
  for_each_task((result.size() + rows_a_task - 1) / rows_a_task, run.threads, [&](std::size_t task) {
    for (std::size_t n = task * rows_a_task; n < std::min(result.size(), (task + 1) * rows_a_task); ++n) {
      result[n] = static_cast<std::uint32_t>(std::lround(svm_predict(model.get(), test.rows()[n])));
    }
  });
  return result;
}

}  // namespace motet::multilabel
