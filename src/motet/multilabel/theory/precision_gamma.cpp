#include "motet/multilabel/theory/precision_gamma.h"

#include <boost/math/special_functions/digamma.hpp>
#include <boost/math/special_functions/trigamma.hpp>
#include <cmath>

#include "motet/data/eigen.h"
#include "motet/multilabel/theory/precision_parts.h"
#include "motet/multilabel/theory/responses.h"
#include "motet/sources/families/parts.h"

namespace motet::multilabel {
namespace {

// The estimating equations of sources that are taught as if alone, with a rate shared by all:
//   sum_n w_nk (log x_n + log r - psi(p_k)) = 0 for every k,  sum_n sum_k w_nk (p_k / r - x_n) = 0.
struct Taught {
  std::vector<double> limit;     // shapes
  std::vector<double> variance;  // of the shapes
};

// Their root.
struct Root {
  Eigen::VectorXd total;  // W_k = sum_n w_nk
  Eigen::VectorXd p;      // 0 where nothing is taught
  double rate = 0.0;
};

// weight: sets x taught; shape of every set under the true sources, and their rate.
Root root_of(const Eigen::MatrixXd& weight, std::span<const double> count, std::span<const double> shape, double rate) {
  const Eigen::Index S = weight.cols();
  Eigen::VectorXd total = Eigen::VectorXd::Zero(S);
  Eigen::VectorXd mean_log = Eigen::VectorXd::Zero(S);  // of x r
  double mean = 0.0;
  for (Eigen::Index j = 0; j < weight.rows(); ++j) {
    const auto set = static_cast<std::size_t>(j);
    if (!(count[set] > 0.0)) continue;
    total += count[set] * weight.row(j).transpose();
    mean_log += count[set] * boost::math::digamma(shape[set]) * weight.row(j).transpose();
    mean += count[set] * shape[set] * weight.row(j).sum();
  }
  mean_log = mean_log.cwiseQuotient(total);
  // In units in which the true rate is 1: c is the limit of the fitted one, the root of
  // sum_k W_k p_k(c) = c mean with p_k = psi^-1(mean_log_k + log c). The ratio of the sides falls with c,
  // so bisection finds it.
  const auto excess = [&](double log_c, Eigen::VectorXd& p) {
    for (Eigen::Index k = 0; k < S; ++k) p(k) = total(k) > 0.0 ? inverse_digamma(mean_log(k) + log_c) : 0.0;
    return std::log(p.dot(total)) - log_c - std::log(mean);
  };
  Eigen::VectorXd p(S);
  double low = -30.0;
  double high = 30.0;
  for (int step = 0; step < 200 && high - low > 1e-15; ++step) {
    const double middle = 0.5 * (low + high);
    (excess(middle, p) > 0.0 ? low : high) = middle;
  }
  excess(0.5 * (low + high), p);
  return {std::move(total), std::move(p), rate * std::exp(0.5 * (low + high))};
}

// The shapes at the root, and by the sandwich of slopes and noise how they vary.
Taught taught_shapes(const Eigen::MatrixXd& weight, std::span<const double> count, std::span<const double> shape,
                     double rate) {
  const Eigen::Index S = weight.cols();
  const auto [total, p, c] = root_of(weight, count, shape, rate);
  Eigen::MatrixXd slope = Eigen::MatrixXd::Zero(S + 1, S + 1);
  Eigen::MatrixXd noise = Eigen::MatrixXd::Zero(S + 1, S + 1);
  for (Eigen::Index k = 0; k < S; ++k) {
    slope(k, k) = total(k) > 0.0 ? -total(k) * boost::math::trigamma(p(k)) : 1.0;
    slope(k, S) = total(k) / c;
    slope(S, k) = total(k) / c;
  }
  slope(S, S) = -total.dot(p) / (c * c);
  for (Eigen::Index j = 0; j < weight.rows(); ++j) {
    const auto set = static_cast<std::size_t>(j);
    if (!(count[set] > 0.0)) continue;
    // psi = B (log x, x) + what does not vary; its mean in this set joins the variance: counts are random.
    Eigen::MatrixXd map = Eigen::MatrixXd::Zero(S + 1, 2);
    Eigen::VectorXd centre = Eigen::VectorXd::Zero(S + 1);
    const double expected_log = boost::math::digamma(shape[set]) - std::log(rate);
    for (Eigen::Index k = 0; k < S; ++k) {
      const double w = weight(j, k);
      if (w == 0.0) continue;
      map(k, 0) = w;
      map(S, 1) -= w;
      centre(k) = w * (expected_log + std::log(c) - boost::math::digamma(p(k)));
      centre(S) += w * (p(k) / c - shape[set] / rate);
    }
    Eigen::Matrix2d moments;
    moments << boost::math::trigamma(shape[set]), 1.0 / rate, 1.0 / rate, shape[set] / (rate * rate);
    noise += count[set] * (map * moments * map.transpose() + centre * centre.transpose());
  }
  const Eigen::MatrixXd inverse = slope.inverse();
  const Eigen::MatrixXd covariance = inverse * noise * inverse.transpose();
  Taught result;
  for (Eigen::Index k = 0; k < S; ++k) {
    result.limit.push_back(total(k) > 0.0 ? p(k) : no_number);
    result.variance.push_back(total(k) > 0.0 ? covariance(k, k) : no_number);
  }
  return result;
}

}  // namespace

Precision gamma_location_precision(const Sources& sources, const BitMatrix& sets, std::span<const double> count) {
  const std::size_t K = sources.count;
  const std::size_t D = sources.dimensions;
  const SetRows rows = set_rows(sources, sets);
  Precision result(K, D);
  for (std::size_t d = 0; d < D; ++d) {
    const Responses all = responses(sources, sets, count, d);
    const Inverse whole = inverse_information(all.information, all.unknowns);
    std::vector<double> shape(rows.sets);
    std::vector<double> counted(count.begin(), count.end());
    for (std::size_t j = 0; j < rows.sets; ++j) {
      shape[j] = all.mean[j] * sources.spread[d];
      if (!(shape[j] > 0.0)) counted[j] = 0.0;
    }
    for (std::size_t k = 0; k < K; ++k) {
      result.error[result.place(Training::deconvolution, k, d)] = std::sqrt(whole.variance(k));
    }
    for (const Training method : simple_trainings) {
      const bool own = method == Training::fresh;  // every set is taught, sources are among them
      const std::size_t taught = own ? rows.sets : K;
      Eigen::MatrixXd weight(static_cast<Eigen::Index>(rows.sets), static_cast<Eigen::Index>(taught));
      for (std::size_t j = 0; j < rows.sets; ++j) {
        for (std::size_t t = 0; t < taught; ++t) {
          weight(static_cast<Eigen::Index>(j), static_cast<Eigen::Index>(t)) =
              own ? (j == t ? 1.0 : 0.0) : lesson(rows, j, t, method, sources.background);
        }
      }
      const Taught found = taught_shapes(weight, counted, shape, sources.spread[d]);
      for (std::size_t k = 0; k < K; ++k) {
        std::size_t from = k;
        if (own) {
          from = 0;
          while (from < rows.sets && lesson(rows, from, k, method, sources.background) == 0.0) ++from;
          if (from == rows.sets) continue;
        }
        const std::size_t place = result.place(method, k, d);
        result.error[place] = std::sqrt(found.variance[from]);
        result.bias[place] = found.limit[from] - all.value[k];
      }
    }
  }
  return result;
}

}  // namespace motet::multilabel
