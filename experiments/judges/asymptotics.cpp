#include "experiments/judges/asymptotics.h"

#include <fmt/format.h>

#include <cmath>
#include <numbers>

#include "motet/base/error.h"

namespace motet::judges {
namespace {

constexpr std::size_t most_judges = 20;  // 2^20 patterns take a second

std::vector<double> sds_of(std::span<const double> information, std::size_t size) {
  const std::vector<double> covariance = inverse_of_information(information, size);
  if (covariance.empty()) {
    fail(ErrorKind::unanswerable,
         "the information matrix is singular; these judges cannot be told apart without labels");
  }
  std::vector<double> sds;
  for (std::size_t j = 0; j < size; ++j) sds.push_back(std::sqrt(covariance[j * size + j]));
  return sds;
}

void check_probability(std::string_view name, double value) {
  if (!(value > 0.0 && value < 1.0)) {
    fail(ErrorKind::usage, fmt::format("{} = {} is not between 0 and 1", name, to_text(value)));
  }
}

// d p(votes) / d theta_j for one pattern of votes; bit j of `pattern` is judge j's vote for class 1.
double pattern_gradient(std::span<const double> thetas, double prior, std::size_t pattern,
                        std::vector<double>& gradient) {
  double first = prior;
  double second = 1.0 - prior;
  for (std::size_t j = 0; j < thetas.size(); ++j) {
    const bool says_first = (pattern >> j & 1U) != 0;
    first *= says_first ? thetas[j] : 1.0 - thetas[j];
    second *= says_first ? 1.0 - thetas[j] : thetas[j];
  }
  for (std::size_t j = 0; j < thetas.size(); ++j) {
    const bool says_first = (pattern >> j & 1U) != 0;
    gradient[j] =
        says_first ? first / thetas[j] - second / (1.0 - thetas[j]) : second / thetas[j] - first / (1.0 - thetas[j]);
  }
  return first + second;
}

}  // namespace

double symmetric_information(double theta, double prior) {
  const double share = prior * theta + (1.0 - prior) * (1.0 - theta);
  return (2.0 * prior - 1.0) * (2.0 * prior - 1.0) / (share * (1.0 - share));
}

std::vector<double> symmetric_sd(std::span<const double> thetas, double prior) {
  if (thetas.size() > most_judges) {
    fail(ErrorKind::usage, fmt::format("{} judges are too many to enumerate; {} at most", thetas.size(), most_judges));
  }
  check_probability("prior", prior);
  for (const double theta : thetas) check_probability("theta", theta);
  const std::size_t size = thetas.size();
  std::vector<double> information(size * size, 0.0);
  std::vector<double> gradient(size);
  for (std::size_t pattern = 0; pattern < std::size_t{1} << size; ++pattern) {
    const double probability = pattern_gradient(thetas, prior, pattern, gradient);
    for (std::size_t j = 0; j < size; ++j) {
      for (std::size_t l = 0; l < size; ++l) information[j * size + l] += gradient[j] * gradient[l] / probability;
    }
  }
  return sds_of(information, size);
}

double supervised_sd(double theta) { return std::sqrt(theta * (1.0 - theta)); }

std::vector<double> proportional_sd(std::span<const double> thetas, TruthPrior prior, double noise_variance) {
  const std::size_t size = thetas.size();
  PredictionPattern one_item{{}, 1.0, std::vector<double>(size), std::vector<double>(size * size)};
  std::vector<JudgeLine> lines;
  for (std::size_t j = 0; j < size; ++j) {
    one_item.judges.push_back(static_cast<std::uint32_t>(j));
    lines.push_back({0.0, thetas[j], thetas[j] * thetas[j] * noise_variance});
  }
  const Curvature all = line_curvature({&one_item, 1}, lines, prior, LineInformation::expected);
  // theta moves b by 1 and d by 2 theta tau^2.
  const auto entry = [&](std::size_t j, std::size_t l, std::size_t block_j, std::size_t block_l) {
    const double turn_j = block_j == 1 ? 1.0 : 2.0 * thetas[j] * noise_variance;
    const double turn_l = block_l == 1 ? 1.0 : 2.0 * thetas[l] * noise_variance;
    return turn_j * turn_l * all.hessian[(block_j * size + j) * 3 * size + block_l * size + l];
  };
  std::vector<double> information(size * size);
  for (std::size_t j = 0; j < size; ++j) {
    for (std::size_t l = 0; l < size; ++l) {
      information[j * size + l] = -(entry(j, l, 1, 1) + entry(j, l, 1, 2) + entry(j, l, 2, 1) + entry(j, l, 2, 2));
    }
  }
  return sds_of(information, size);
}

double scaled_absolute_error(std::span<const double> sds) {
  double sum = 0.0;
  for (const double sd : sds) sum += sd;
  return std::sqrt(2.0 / std::numbers::pi) * sum / static_cast<double>(sds.size());
}

}  // namespace motet::judges
