#include "motet/audio/scenes/machine.h"

#include <libsvm/svm.h>

#include <algorithm>
#include <cmath>
#include <memory>
#include <mutex>

#include "motet/base/error.h"

namespace motet::audio {
namespace {

constexpr double machine_cache = 100.0;     // MB
constexpr double machine_tolerance = 1e-3;  // of the optimality conditions, libsvm's own
constexpr std::size_t most_clips = 10'000;  // whose kernel is some 1.6 GB

struct FreeMachine {
  void operator()(svm_model* model) const { svm_free_and_destroy_model(&model); }
};

double inner_product(std::span<const double> u, std::span<const double> v) {
  double sum = 0.0;
  for (std::size_t d = 0; d < u.size(); ++d) sum += u[d] * v[d];
  return sum;
}

double kernel_of(Kernel kernel, double gamma, double uv, double uu, double vv, std::size_t width) {
  const auto D = static_cast<double>(width);
  return kernel == Kernel::linear ? uv / D : std::exp(-gamma * std::max(0.0, uu + vv - 2.0 * uv) / D);
}

// As libsvm wants kernels: row n is (0: n + 1), (1: k(n, 0)), ...
class KernelRows {
 public:
  KernelRows(const Rows2d& rows, std::span<const double> products, const MachineOptions& options) {
    const std::size_t count = rows.rows();
    nodes_.reserve(count * (count + 2));
    for (std::size_t n = 0; n < count; ++n) {
      nodes_.push_back({0, static_cast<double>(n + 1)});
      for (std::size_t m = 0; m < count; ++m) {
        const double k = kernel_of(options.kernel, options.gamma, products[n * count + m], products[n * count + n],
                                   products[m * count + m], rows.width);
        nodes_.push_back({static_cast<int>(m + 1), k});
      }
      nodes_.push_back({-1, 0.0});
    }
    for (std::size_t n = 0; n < count; ++n) rows_.push_back(nodes_.data() + n * (count + 2));
  }
  std::vector<svm_node*>& rows() { return rows_; }

 private:
  std::vector<svm_node> nodes_;
  std::vector<svm_node*> rows_;
};

using Trained = std::unique_ptr<svm_model, FreeMachine>;

Trained run_libsvm(KernelRows& kernel, std::vector<double>& values, bool is_class, const MachineOptions& options) {
  static std::once_flag silenced_machine;  // libsvm has one global place for its words
  std::call_once(silenced_machine, [] { svm_set_print_string_function([](const char*) {}); });
  svm_problem problem{};
  problem.l = static_cast<int>(values.size());
  problem.y = values.data();
  problem.x = kernel.rows().data();
  svm_parameter parameter{};
  parameter.svm_type = is_class ? C_SVC : EPSILON_SVR;
  parameter.kernel_type = PRECOMPUTED;
  parameter.C = options.cost;
  parameter.p = options.epsilon;
  parameter.eps = machine_tolerance;
  parameter.cache_size = machine_cache;
  parameter.shrinking = 1;
  if (const char* const why = svm_check_parameter(&problem, &parameter); why != nullptr) {
    fail(ErrorKind::internal, std::string("libsvm refuses: ") + why);
  }
  return Trained(svm_train(&problem, &parameter));
}

void take_vectors(const svm_model& model, const Rows2d& rows, Machine& machine) {
  machine.vectors.width = rows.width;
  for (int i = 0; i < model.l; ++i) {
    const std::span<const double> row = rows.row(static_cast<std::size_t>(model.sv_indices[i] - 1));
    machine.vectors.values.insert(machine.vectors.values.end(), row.begin(), row.end());
  }
  const int weights = std::max(1, model.nr_class - 1);
  for (int i = 0; i < model.l; ++i) {
    for (int j = 0; j < (machine.classes == 0 ? 1 : weights); ++j) machine.weights.push_back(model.sv_coef[j][i]);
  }
}

}  // namespace

std::vector<double> inner_products(const Rows2d& rows) {
  const std::size_t count = rows.rows();
  if (count > most_clips) {
    fail(ErrorKind::machine_limit, "a support vector machine of " + std::to_string(count) +
                                       " clips needs too much memory; 10000 are the most, or take --method forest");
  }
  std::vector<double> products(count * count);
  for (std::size_t n = 0; n < count; ++n) {
    for (std::size_t m = 0; m <= n; ++m) {
      products[n * count + m] = products[m * count + n] = inner_product(rows.row(n), rows.row(m));
    }
  }
  return products;
}

Machine train_machine(const Rows2d& rows, std::span<const double> products, const Target& target,
                      const MachineOptions& options) {
  Machine machine;
  machine.kernel = options.kernel;
  machine.gamma = options.gamma;
  std::vector<double> values = target.values;
  if (!target.is_class()) {
    const Standard standard = standard_of({1, values});
    machine.mean = standard.mean[0];
    machine.scale = standard.scale[0] > 0.0 ? 1.0 / standard.scale[0] : 1.0;
    for (double& value : values) value = (value - machine.mean) / machine.scale;
  }
  KernelRows kernel(rows, products, options);
  const Trained model = run_libsvm(kernel, values, target.is_class(), options);
  machine.classes = target.is_class() ? static_cast<std::size_t>(model->nr_class) : 0;
  take_vectors(*model, rows, machine);
  const std::size_t offsets = machine.classes == 0 ? 1 : machine.classes * (machine.classes - 1) / 2;
  machine.offsets.assign(model->rho, model->rho + offsets);
  if (machine.classes == 0) return machine;
  for (int c = 0; c < model->nr_class; ++c) {
    machine.of_class.insert(machine.of_class.end(), static_cast<std::size_t>(model->nSV[c]),
                            static_cast<std::uint32_t>(model->label[c]));
  }
  // A class without a vector would be lost; the order of the classes is kept with them.
  for (int c = 0; c < model->nr_class; ++c) machine.order.push_back(static_cast<std::uint32_t>(model->label[c]));
  return machine;
}

std::vector<double> Machine::kernels(std::span<const double> row) const {
  const double own = inner_product(row, row);
  std::vector<double> k(vectors.rows());
  for (std::size_t i = 0; i < k.size(); ++i) {
    const std::span<const double> v = vectors.row(i);
    k[i] = kernel_of(kernel, gamma, inner_product(row, v), own, kernel == Kernel::rbf ? inner_product(v, v) : 0.0,
                     vectors.width);
  }
  return k;
}

double Machine::decision(std::span<const double> k, std::size_t a, std::size_t b, std::size_t pair) const {
  double sum = -offsets[pair];
  for (std::size_t i = 0; i < k.size(); ++i) {
    if (of_class[i] == order[a]) sum += weights[i * (classes - 1) + b - 1] * k[i];
    if (of_class[i] == order[b]) sum += weights[i * (classes - 1) + a] * k[i];
  }
  return sum;
}

double Machine::say(std::span<const double> row) const {
  const std::vector<double> k = kernels(row);
  if (classes == 0) {
    double sum = -offsets[0];
    for (std::size_t i = 0; i < k.size(); ++i) sum += weights[i] * k[i];
    return mean + scale * sum;
  }
  if (classes == 1) return order[0];
  std::vector<std::size_t> wins(classes);
  std::size_t pair = 0;
  for (std::size_t a = 0; a < classes; ++a) {
    for (std::size_t b = a + 1; b < classes; ++b, ++pair) ++wins[decision(k, a, b, pair) > 0.0 ? a : b];
  }
  return order[static_cast<std::size_t>(std::max_element(wins.begin(), wins.end()) - wins.begin())];
}

std::vector<double> Machine::scores(std::span<const double> row, std::size_t all_classes) const {
  const std::vector<double> k = kernels(row);
  std::vector<double> found(all_classes);
  std::size_t pair = 0;
  for (std::size_t a = 0; a < classes; ++a) {
    for (std::size_t b = a + 1; b < classes; ++b, ++pair) {
      const double share = decision(k, a, b, pair) / static_cast<double>(classes - 1);
      found[order[a]] += share;
      found[order[b]] -= share;
    }
  }
  return found;
}

}  // namespace motet::audio
