#include "motet/multilabel/search/sphere_plan.h"

#include <cmath>
#include <numbers>

#include "motet/base/error.h"
#include "motet/data/eigen.h"
#include "motet/multilabel/search/sphere_decoder.h"

namespace motet::multilabel {
namespace {

constexpr double tie_share = 1.0;  // relative to the mean square of a mean

Eigen::MatrixXd square_of(const std::vector<double>& cells, std::size_t size) {
  return Eigen::Map<const Eigen::MatrixXd>(cells.data(), at(size), at(size));
}

// One metric with its lattice.
struct Metric {
  Eigen::MatrixXd root;        // lower Cholesky factor of the covariance
  Eigen::MatrixXd means;       // D x K, whitened
  Eigen::VectorXd background;  // whitened, 0 without one
  double log_determinant = 0.0;
  double tie = 0.0;  // weight of (|z| - j)^2, which is 0 for the one j of a task and tightens its bounds
  Lattice lattice;
};

// one_degree: every task on it has one j.
Metric make_metric(const Sources& sources, const Eigen::MatrixXd& covariance, const SearchTerms& terms,
                   bool one_degree) {
  Metric metric;
  const Eigen::LLT<Eigen::MatrixXd> factor(covariance);
  if (factor.info() != Eigen::Success) {
    fail(ErrorKind::bad_data, "the covariance of the sources is not positive definite");
  }
  metric.root = factor.matrixL();
  metric.log_determinant = 2.0 * metric.root.diagonal().array().log().sum();
  const std::size_t labels = sources.label_count();
  const Eigen::MatrixXd means =
      Eigen::Map<const Eigen::MatrixXd>(sources.location.data(), at(sources.dimensions), at(sources.count));
  const Eigen::MatrixXd white = factor.matrixL().solve(means);
  metric.means = white.leftCols(at(labels));
  metric.background =
      sources.background ? Eigen::VectorXd(white.col(at(labels))) : Eigen::VectorXd::Zero(at(sources.dimensions));
  Eigen::MatrixXd gram = metric.means.transpose() * metric.means;
  if (one_degree) metric.tie = tie_share * gram.trace() / static_cast<double>(labels);
  gram.array() += metric.tie;
  metric.lattice = make_lattice(labels, {gram.data(), labels * labels}, terms.weight);
  return metric;
}

// Degrees that one lattice serves with one target.
struct Task {
  std::size_t metric = 0;
  double target_scale = 1.0;  // of x
  double degree = 0.0;        // where it has one j
  DegreeTerms terms;
};

class SpherePlan : public SearchPlan {
 public:
  SpherePlan(const Sources& sources, const SearchTerms& terms)
      : sources_(sources), is_mean_(sources.combination == Combination::mean) {
    const std::size_t size = sources.dimensions;
    const bool spreads = sources.covariance != Covariance::point;
    const bool noisy = !sources.noise.empty();
    const Eigen::MatrixXd own =
        spreads ? square_of(covariance_of(sources, 0), size) : Eigen::MatrixXd::Zero(at(size), at(size));
    const Eigen::MatrixXd noise = noisy ? square_of(sources.noise, size) : Eigen::MatrixXd::Zero(at(size), at(size));
    const bool own_metrics = spreads && noisy;
    if (!own_metrics) metrics_.push_back(make_metric(sources, spreads ? own : noise, terms, is_mean_));
    const std::size_t labels = sources.label_count();
    const DegreeTerms none{std::vector<double>(labels + 1), std::vector<double>(labels + 1, no_cost_limit)};
    const auto dimensions = static_cast<double>(size);
    for (std::size_t j = 0; j <= labels; ++j) {
      const double m = static_cast<double>(j) + (sources.background ? 1.0 : 0.0);
      if (terms.constant[j] == no_cost_limit || m == 0.0) continue;
      if (own_metrics) {
        metrics_.push_back(make_metric(sources, (is_mean_ ? 1.0 / m : m) * own + noise, terms, true));
      }
      if (tasks_.empty() || own_metrics || is_mean_)
        tasks_.push_back({metrics_.size() - 1, is_mean_ ? m : 1.0, static_cast<double>(j), none});
      // The metric's covariance times `factor` is that of the set.
      const double factor = own_metrics || !spreads ? 1.0 : is_mean_ ? 1.0 / m : m;
      Task& task = tasks_.back();
      task.terms.scale[j] = 0.5 / factor / (is_mean_ ? m * m : 1.0);
      task.terms.constant[j] = terms.constant[j] + 0.5 * (dimensions * std::log(2.0 * std::numbers::pi * factor) +
                                                          metrics_[task.metric].log_determinant);
    }
  }

  void find(std::span<const double> x, std::span<const std::uint8_t> allowed, BestSets& best) const override {
    std::vector<std::vector<double>> products(tasks_.size());
    std::vector<SphereItem> items(tasks_.size());
    const Eigen::VectorXd value = Eigen::Map<const Eigen::VectorXd>(x.data(), at(x.size()));
    Eigen::VectorXd white;
    Eigen::VectorXd product;
    Eigen::VectorXd background;
    for (std::size_t i = 0; i < tasks_.size(); ++i) {
      const Metric& metric = metrics_[tasks_[i].metric];
      if (i == 0 || tasks_[i].metric != tasks_[i - 1].metric) {
        white = metric.root.triangularView<Eigen::Lower>().solve(value);
        product = metric.means.transpose() * white;
        background = metric.means.transpose() * metric.background;
      }
      const double scale = tasks_[i].target_scale;
      const double tied = metric.tie * tasks_[i].degree;
      const Eigen::VectorXd b = (scale * product - background).array() + tied;
      products[i].assign(b.data(), b.data() + b.size());
      items[i] = {products[i], (scale * white - metric.background).squaredNorm() + tied * tasks_[i].degree, allowed};
    }
    for (std::size_t i = 0; i < tasks_.size(); ++i) {
      search_nearby(metrics_[tasks_[i].metric].lattice, tasks_[i].terms, items[i], best);
    }
    for (std::size_t i = 0; i < tasks_.size(); ++i) {
      search_sphere(metrics_[tasks_[i].metric].lattice, tasks_[i].terms, items[i], best);
    }
  }

 private:
  Sources sources_;
  bool is_mean_;
  std::vector<Metric> metrics_;
  std::vector<Task> tasks_;
};

}  // namespace

bool has_one_covariance(const Sources& sources) {
  if (sources.covariance == Covariance::shared || sources.covariance == Covariance::point) return true;
  const std::size_t each = sources.spread.size() / sources.count;
  for (std::size_t i = each; i < sources.spread.size(); ++i) {
    if (sources.spread[i] != sources.spread[i - each]) return false;
  }
  return true;
}

std::unique_ptr<const SearchPlan> make_sphere_plan(const Sources& sources, const SearchTerms& terms) {
  return std::make_unique<SpherePlan>(sources, terms);
}

}  // namespace motet::multilabel
