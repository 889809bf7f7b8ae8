#include "motet/multilabel/theory/precision_gaussian.h"

#include <algorithm>
#include <cmath>

#include "motet/base/error.h"
#include "motet/data/eigen.h"
#include "motet/multilabel/theory/precision_parts.h"
#include "motet/multilabel/theory/precision_spread.h"

namespace motet::multilabel {
namespace {

bool is_diagonal(std::span<const double> matrix, std::size_t D) {
  for (std::size_t i = 0; i < matrix.size(); ++i) {
    if (i / D != i % D && matrix[i] != 0.0) return false;
  }
  return true;
}

// A frame x' = to x in which every set's covariance is diagonal.
struct Frame {
  bool exists = true;
  RowMatrix to;                 // D x D
  RowMatrix back;               // its inverse
  VarianceComponents variance;  // in the frame
};

Frame frame_of(const Sources& sources, const SetRows& rows) {
  const std::size_t D = sources.dimensions;
  Frame frame;
  frame.to = frame.back = RowMatrix::Identity(at(D), at(D));
  frame.variance = variance_components(sources, rows);
  const bool own = sources.covariance == Covariance::spherical || sources.covariance == Covariance::diagonal;
  if (own && is_diagonal(sources.noise, D)) return frame;
  if (own || sources.covariance == Covariance::full) {
    frame.exists = false;
    return frame;
  }
  const bool is_point = sources.covariance == Covariance::point;
  const std::span<const double> first = is_point ? sources.noise : sources.spread;
  const Eigen::LLT<RowMatrix> factor(RowMatrix(RowMatrixView(first.data(), at(D), at(D))));
  const RowMatrix lower = factor.matrixL();
  RowMatrix turn = RowMatrix::Identity(at(D), at(D));
  Eigen::VectorXd noise = Eigen::VectorXd::Zero(at(D));
  if (!is_point && !sources.noise.empty()) {
    RowMatrix inner = factor.matrixL().solve(RowMatrixView(sources.noise.data(), at(D), at(D)));
    inner = factor.matrixL().solve(RowMatrix(inner.transpose()));
    const Eigen::SelfAdjointEigenSolver<Eigen::MatrixXd> solver(Eigen::MatrixXd(0.5 * (inner + inner.transpose())));
    turn = solver.eigenvectors();
    noise = solver.eigenvalues();
  }
  frame.back = lower * turn;
  frame.to = turn.transpose() * RowMatrix(factor.matrixL().solve(RowMatrix(RowMatrix::Identity(at(D), at(D)))));
  for (std::size_t d = 0; d < D; ++d) {
    frame.variance.value[d] = 1.0;
    if (frame.variance.components > 1) frame.variance.value[D + d] = noise(at(d));
  }
  return frame;
}

std::vector<double> location_weights(const SetRows& rows) {  // sets x sources
  std::vector<double> a(rows.sets * rows.sources);
  for (std::size_t j = 0; j < rows.sets; ++j) {
    for (std::size_t k = 0; k < rows.sources; ++k) a[j * rows.sources + k] = rows.location(j, k);
  }
  return a;
}

// sum_j n_j a_j a_j' / S_j
std::vector<double> mean_information(const SetRows& rows, std::span<const double> a, std::span<const double> count,
                                     std::span<const double> variance) {
  const std::size_t K = rows.sources;
  std::vector<double> information(K * K, 0.0);
  for (std::size_t j = 0; j < rows.sets; ++j) {
    if (!(count[j] > 0.0 && rows.degree[j] > 0.0)) continue;
    for (std::size_t k = 0; k < K; ++k) {
      const double step = count[j] / variance[j] * a[j * K + k];
      if (step == 0.0) continue;
      for (std::size_t l = 0; l < K; ++l) information[k * K + l] += step * a[j * K + l];
    }
  }
  return information;
}

std::vector<double> set_variances(const VarianceComponents& parts, const SetRows& rows, std::size_t d, std::size_t D) {
  std::vector<double> variance(rows.sets);
  for (std::size_t j = 0; j < rows.sets; ++j) variance[j] = parts.of_set(j, d, D);
  return variance;
}

// Degrees of the estimated var(mu_k) = C_kk (Satterthwaite): its derivative by component c is
// sum_j n_j (C a_j)_k^2 weight_jc / S_j^2.
void set_degrees(Precision& result, const SetRows& rows, std::span<const double> a, std::span<const double> count,
                 const VarianceComponents& parts, std::span<const double> variance, const Inverse& inverse,
                 std::size_t d) {
  const std::size_t K = rows.sources;
  const Inverse spread = component_covariance(parts, count, d, result.columns);
  for (std::size_t k = 0; k < K; ++k) {
    if (inverse.determined[k] == 0) continue;
    std::vector<double> slope(parts.components, 0.0);
    for (std::size_t j = 0; j < rows.sets; ++j) {
      if (!(count[j] > 0.0 && rows.degree[j] > 0.0)) continue;
      double reach = 0.0;
      for (std::size_t l = 0; l < K; ++l) {
        if (a[j * K + l] != 0.0) reach += inverse.matrix[k * K + l] * a[j * K + l];
      }
      for (std::size_t c = 0; c < parts.components; ++c) {
        slope[c] += count[j] * reach * reach * parts.weight[j * parts.components + c] / (variance[j] * variance[j]);
      }
    }
    result.degrees[k * result.columns + d] = degrees_of(slope, inverse.matrix[k * K + k], spread);
  }
}

// Information of all means at once, sources x D unknowns.
struct Dense {
  RowMatrix covariance;
  std::vector<std::uint8_t> determined;  // sources
  std::vector<RowMatrix> of_set;         // S_j
};

Dense dense_means(const Sources& sources, const BitMatrix& sets, const SetRows& rows, std::span<const double> a,
                  std::span<const double> count) {
  const std::size_t K = rows.sources;
  const Eigen::Index D = at(sources.dimensions);
  Dense dense;
  RowMatrix information = RowMatrix::Zero(at(K) * D, at(K) * D);
  for (std::size_t j = 0; j < rows.sets; ++j) {
    if (rows.degree[j] == 0.0) {
      dense.of_set.push_back(RowMatrix::Zero(D, D));
      continue;
    }
    const SetMoments moments = set_moments(sources, sets.row(j));
    dense.of_set.push_back(RowMatrixView(moments.covariance.data(), D, D));
    const RowMatrix inverse = dense.of_set.back().llt().solve(RowMatrix(RowMatrix::Identity(D, D)));
    for (std::size_t k = 0; k < K; ++k) {
      for (std::size_t l = 0; l < K; ++l) {
        const double weight = count[j] * a[j * K + k] * a[j * K + l];
        if (weight != 0.0) information.block(at(k) * D, at(l) * D, D, D) += weight * inverse;
      }
    }
  }
  // Directions of sources that no set sees are filled in; they do not touch the sources that are determined.
  const std::vector<double> unit(rows.sets, 1.0);
  const std::vector<double> gram = mean_information(rows, a, count, unit);
  dense.determined = inverse_information(gram, K).determined;
  const Eigen::SelfAdjointEigenSolver<Eigen::MatrixXd> solver(
      Eigen::MatrixXd(RowMatrixView(gram.data(), at(K), at(K))));
  const double least = 1e-11 * std::max(solver.eigenvalues().maxCoeff(), 1e-300);
  const double filling = information.diagonal().maxCoeff();
  for (Eigen::Index i = 0; i < at(K) && solver.eigenvalues()(i) <= least; ++i) {
    const Eigen::VectorXd open = solver.eigenvectors().col(i);
    for (Eigen::Index k = 0; k < at(K); ++k) {
      for (Eigen::Index l = 0; l < at(K); ++l) {
        information.block(k * D, l * D, D, D).diagonal().array() += filling * open(k) * open(l);
      }
    }
  }
  dense.covariance = information.llt().solve(RowMatrix(RowMatrix::Identity(information.rows(), information.cols())));
  return dense;
}

void check_dense(const Sources& sources) {
  if (sources.count * sources.dimensions > dense_limit) {
    fail(ErrorKind::machine_limit, "precision: too many unknowns for one matrix");
  }
}

struct Fitted {
  double statistic = 0.0;
  double tested = 0.0;
  double shift = 0.0;
};

constexpr double least_kept = 1e-6;  // share of its own variance that a residual must keep to be tested

// P-value of a sum of D squares whose variances were estimated with `degrees` each.
double fit_p_value(Covariance covariance, const Fitted& fitted, std::span<const double> degrees) {
  const double D = fitted.tested;
  double mean_degrees = 0.0;
  for (const double value : degrees) mean_degrees += value / static_cast<double>(degrees.size());
  if (covariance == Covariance::spherical) {
    return fisher_p(fitted.statistic / D, D, std::max(mean_degrees * D, 1.0));
  }
  if (covariance == Covariance::diagonal) {  // independent squares of t-distributed ratios
    double mean = 0.0;
    double variance = 0.0;
    for (const double value : degrees) {
      const double v = std::max(value, 5.0);
      mean += v / (v - 2.0);
      variance += 2.0 * v * v * (v - 1.0) / ((v - 2.0) * (v - 2.0) * (v - 4.0));
    }
    return scaled_chi_squared_p(fitted.statistic, mean, variance);
  }
  const double left = mean_degrees - D + 1.0;  // Hotelling
  if (left < 1.0) return no_number;
  return fisher_p(fitted.statistic * left / (mean_degrees * D), D, left);
}

}  // namespace

Precision gaussian_location_precision(const Sources& sources, const BitMatrix& sets, std::span<const double> count,
                                      Threads threads) {
  const std::size_t K = sources.count;
  const std::size_t D = sources.dimensions;
  const SetRows rows = set_rows(sources, sets);
  const std::vector<double> a = location_weights(rows);
  const VarianceComponents plain = variance_components(sources, rows);
  const Frame frame = frame_of(sources, rows);
  const bool turned =
      frame.exists && sources.covariance != Covariance::spherical && sources.covariance != Covariance::diagonal;
  Precision result(K, D);
  std::vector<double> in_frame(K * D);
  for_each_task(D, threads, [&](std::size_t d) {
    // What one dimension says by itself: the other trainings, and degrees.
    const std::vector<double> variance = set_variances(plain, rows, d, D);
    std::vector<double> mean(rows.sets, 0.0);
    for (std::size_t j = 0; j < rows.sets; ++j) {
      for (std::size_t k = 0; k < K; ++k) mean[j] += a[j * K + k] * sources.location[k * D + d];
    }
    for (std::size_t k = 0; k < K; ++k) {
      for (const Training method : simple_trainings) {
        const SharedMean taught = shared_mean(lessons(rows, k, method, sources.background), count, mean, variance);
        const std::size_t place = result.place(method, k, d);
        result.error[place] = std::sqrt(taught.variance);
        result.bias[place] = taught.limit - sources.location[k * D + d];
      }
    }
    const Inverse alone = inverse_information(mean_information(rows, a, count, variance), K);
    set_degrees(result, rows, a, count, plain, variance, alone, d);
    if (!frame.exists) return;
    const Inverse own =
        turned ? inverse_information(mean_information(rows, a, count, set_variances(frame.variance, rows, d, D)), K)
               : alone;
    for (std::size_t k = 0; k < K; ++k) in_frame[k * D + d] = own.variance(k);
  });
  if (frame.exists) {
    for (std::size_t k = 0; k < K; ++k) {
      for (std::size_t d = 0; d < D; ++d) {
        double sum = turned ? 0.0 : in_frame[k * D + d];
        for (std::size_t e = 0; turned && e < D; ++e) {
          const double share = frame.back(at(d), at(e));
          sum += share * share * in_frame[k * D + e];
        }
        result.error[result.place(Training::deconvolution, k, d)] = std::sqrt(sum);
      }
    }
  } else if (K * D <= dense_limit) {
    const Dense dense = dense_means(sources, sets, rows, a, count);
    for (std::size_t k = 0; k < K; ++k) {
      for (std::size_t d = 0; d < D; ++d) {
        const Eigen::Index i = at(k * D + d);
        result.error[result.place(Training::deconvolution, k, d)] =
            dense.determined[k] != 0 ? std::sqrt(dense.covariance(i, i)) : no_number;
      }
    }
  }
  return result;
}

namespace {

// Where the covariances of all sets are diagonal in one frame: direction by direction.
std::vector<Fitted> fitted_in_frame(const Frame& frame, const SetRows& rows, std::span<const double> a,
                                    const SetStatistics& statistics, Threads threads) {
  const std::size_t J = rows.sets;
  const std::size_t K = rows.sources;
  const std::size_t D = statistics.dimensions;
  const RowMatrix seen = RowMatrixView(statistics.mean.data(), at(J), at(D)) * frame.to.transpose();
  std::vector<Fitted> parts(J * D);
  for_each_task(D, threads, [&](std::size_t d) {
    const std::vector<double> variance = set_variances(frame.variance, rows, d, D);
    const Inverse inverse = inverse_information(mean_information(rows, a, statistics.count, variance), K);
    // Means that are best for these covariances.
    Eigen::VectorXd right = Eigen::VectorXd::Zero(at(K));
    for (std::size_t j = 0; j < J; ++j) {
      for (std::size_t k = 0; k < K && rows.degree[j] > 0.0; ++k) {
        right(at(k)) += statistics.count[j] / variance[j] * a[j * K + k] * seen(at(j), at(d));
      }
    }
    const auto combined = [&](std::size_t j, const auto& of) {  // a_j' C of
      double sum = 0.0;
      for (std::size_t k = 0; k < K; ++k) {
        if (a[j * K + k] == 0.0) continue;
        for (std::size_t l = 0; l < K; ++l) {
          if (of(l) != 0.0) sum += a[j * K + k] * inverse.matrix[k * K + l] * of(l);
        }
      }
      return sum;
    };
    for (std::size_t j = 0; j < J; ++j) {
      if (rows.degree[j] == 0.0) continue;
      const double taken = combined(j, [&](std::size_t l) { return a[j * K + l]; });
      const double kept = 1.0 - taken * statistics.count[j] / variance[j];
      if (!(kept > least_kept)) continue;
      const double residual = seen(at(j), at(d)) - combined(j, [&](std::size_t l) { return right(at(l)); });
      const double square = residual * residual / (variance[j] * kept);
      parts[j * D + d] = {square * statistics.count[j], 1.0, square / kept};
    }
  });
  std::vector<Fitted> whole(J);
  for (std::size_t j = 0; j < J; ++j) {
    for (std::size_t d = 0; d < D; ++d) {
      const Fitted& part = parts[j * D + d];
      whole[j] = {whole[j].statistic + part.statistic, whole[j].tested + part.tested, whole[j].shift + part.shift};
    }
  }
  return whole;
}

// Elsewhere: all means at once.
std::vector<Fitted> fitted_densely(const Sources& sources, const SetRows& rows, std::span<const double> a,
                                   const SetStatistics& statistics, Threads threads) {
  check_dense(sources);
  const std::size_t J = rows.sets;
  const std::size_t K = rows.sources;
  const std::size_t D = sources.dimensions;
  const RowMatrixView means(statistics.mean.data(), at(J), at(D));
  const Dense dense = dense_means(sources, statistics.sets, rows, a, statistics.count);
  Eigen::VectorXd right = Eigen::VectorXd::Zero(at(K * D));
  for (std::size_t j = 0; j < J; ++j) {
    if (rows.degree[j] == 0.0) continue;
    const Eigen::VectorXd step = dense.of_set[j].llt().solve(means.row(at(j)).transpose()) * statistics.count[j];
    for (std::size_t k = 0; k < K; ++k) right.segment(at(k * D), at(D)) += a[j * K + k] * step;
  }
  const Eigen::VectorXd mu = dense.covariance * right;
  std::vector<Fitted> whole(J);
  for_each_task(J, threads, [&](std::size_t j) {
    if (rows.degree[j] == 0.0) return;
    Eigen::VectorXd residual = means.row(at(j)).transpose();
    const RowMatrix own = dense.of_set[j] / statistics.count[j];
    RowMatrix left = own;
    for (std::size_t k = 0; k < K; ++k) {
      if (a[j * K + k] == 0.0) continue;
      residual -= a[j * K + k] * mu.segment(at(k * D), at(D));
      for (std::size_t l = 0; l < K; ++l) {
        if (a[j * K + l] == 0.0) continue;
        left -= a[j * K + k] * a[j * K + l] * dense.covariance.block(at(k * D), at(l * D), at(D), at(D));
      }
    }
    // In units of the set's own covariance, so that a share that is lost shows.
    const Eigen::LLT<RowMatrix> factor(own);
    RowMatrix kept = factor.matrixL().solve(left);
    kept = factor.matrixL().solve(RowMatrix(kept.transpose()));
    const Eigen::SelfAdjointEigenSolver<Eigen::MatrixXd> solver(Eigen::MatrixXd(0.5 * (kept + kept.transpose())));
    if (solver.eigenvalues()(0) <= least_kept) return;
    const Eigen::VectorXd inside = factor.matrixL().solve(residual);
    const Eigen::VectorXd turned = solver.eigenvectors().transpose() * inside;
    const Eigen::VectorXd deleted = turned.cwiseQuotient(solver.eigenvalues());
    whole[j] = {turned.dot(deleted), static_cast<double>(D), deleted.squaredNorm() / statistics.count[j]};
  });
  return whole;
}

}  // namespace

std::vector<SetFit> gaussian_set_fits(const Sources& sources, const SetStatistics& statistics, Threads threads) {
  const std::size_t J = statistics.size();
  const std::size_t K = sources.count;
  const std::size_t D = sources.dimensions;
  const SetRows rows = set_rows(sources, statistics.sets);
  const std::vector<double> a = location_weights(rows);
  const Frame frame = frame_of(sources, rows);
  std::vector<Fitted> whole = frame.exists ? fitted_in_frame(frame, rows, a, statistics, threads)
                                           : fitted_densely(sources, rows, a, statistics, threads);
  double items = 0.0;
  for (std::size_t j = 0; j < J; ++j) items += rows.degree[j] > 0.0 ? statistics.count[j] : 0.0;
  // Estimated variances are too small by the share of degrees that the means took.
  const double unbiased = std::max(1.0 - static_cast<double>(K) / items, 0.0);
  const VarianceComponents plain = variance_components(sources, rows);
  std::vector<double> degrees(J * D);
  for (std::size_t d = 0; d < D; ++d) {
    const Inverse spread = component_covariance(plain, statistics.count, d, D);
    for (std::size_t j = 0; j < J; ++j) {
      const std::span<const double> weight(plain.weight.data() + j * plain.components, plain.components);
      degrees[j * D + d] = unbiased * degrees_of(weight, plain.of_set(j, d, D), spread);
    }
  }
  std::vector<SetFit> fits(J);
  for (std::size_t j = 0; j < J; ++j) {
    if (!(whole[j].tested > 0.0) || unbiased == 0.0) continue;
    whole[j].statistic *= unbiased;
    const double p = fit_p_value(sources.covariance, whole[j], std::span(degrees).subspan(j * D, D));
    if (std::isnan(p)) continue;
    fits[j] = {whole[j].statistic, whole[j].tested, p, std::sqrt(whole[j].shift)};
  }
  return fits;
}

}  // namespace motet::multilabel
