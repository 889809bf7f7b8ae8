#include "motet/measure/boolean.h"

#include <algorithm>
#include <cmath>

#include "motet/base/assignment.h"
#include "motet/base/error.h"
#include "motet/base/numeric.h"

namespace motet {
namespace {

// distance(k, j) of true role k and estimate j; a number past the last is an empty role.
template <class Distance>
RoleMatch match(std::size_t truths, std::size_t estimates, std::size_t permissions, const Distance& distance) {
  const std::size_t size = std::max(truths, estimates);
  std::vector<double> gains(size * size, 0.0);
  for (std::size_t k = 0; k < size; ++k) {
    for (std::size_t j = 0; j < size; ++j) gains[k * size + j] = -distance(k, j);
  }
  const std::vector<std::size_t> chosen = best_assignment(gains, size);
  RoleMatch result;
  for (std::size_t k = 0; k < size; ++k) {
    result.difference -= gains[k * size + chosen[k]];
    if (k < truths) result.partner.push_back(chosen[k] < estimates ? chosen[k] : RoleMatch::none);
  }
  const std::size_t cells = size * permissions;
  result.error = cells == 0 ? no_number : result.difference / static_cast<double>(cells);
  return result;
}

}  // namespace

RoleMatch match_roles(const BitMatrix& truth, const BitMatrix& estimate) {
  if (truth.columns() != estimate.columns()) fail(ErrorKind::internal, "measure: roles over different permissions");
  return match(truth.rows(), estimate.rows(), truth.columns(), [&](std::size_t k, std::size_t j) {
    std::size_t count = 0;
    for (std::size_t w = 0; w < truth.words(); ++w) {
      const std::uint64_t a = k < truth.rows() ? truth.row(k)[w] : 0;
      const std::uint64_t b = j < estimate.rows() ? estimate.row(j)[w] : 0;
      count += static_cast<std::size_t>(std::popcount(a ^ b));
    }
    return static_cast<double>(count);
  });
}

RoleMatch match_roles(std::span<const double> true_absence, std::span<const double> absence, std::size_t permissions) {
  if (permissions == 0 || true_absence.size() % permissions != 0 || absence.size() % permissions != 0) {
    fail(ErrorKind::internal, "measure: roles that are no whole number of rows");
  }
  const std::size_t truths = true_absence.size() / permissions;
  const std::size_t estimates = absence.size() / permissions;
  return match(truths, estimates, permissions, [&](std::size_t k, std::size_t j) {
    double sum = 0.0;
    for (std::size_t d = 0; d < permissions; ++d) {
      const double a = k < truths ? true_absence[k * permissions + d] : 1.0;
      const double b = j < estimates ? absence[j * permissions + d] : 1.0;
      sum += std::abs(a - b);
    }
    return sum;
  });
}

std::size_t differing_cells(const BitMatrix& a, const BitMatrix& b) {
  require_same_shape(a, b);
  std::size_t count = 0;
  for (std::size_t n = 0; n < a.rows(); ++n) {
    for (std::size_t w = 0; w < a.words(); ++w) {
      count += static_cast<std::size_t>(std::popcount(a.row(n)[w] ^ b.row(n)[w]));
    }
  }
  return count;
}

double reconstruction_error(const BitMatrix& reconstruction, const BitMatrix& data) {
  const std::size_t cells = data.rows() * data.columns();
  const std::size_t wrong = differing_cells(reconstruction, data);
  return cells == 0 ? no_number : static_cast<double>(wrong) / static_cast<double>(cells);
}

double coverage(const BitMatrix& reconstruction, const BitMatrix& data, bool value) {
  require_same_shape(reconstruction, data);
  std::size_t lost = 0;  // cells that are `value` in the data alone
  for (std::size_t n = 0; n < data.rows(); ++n) {
    for (std::size_t w = 0; w < data.words(); ++w) {
      const std::uint64_t x = data.row(n)[w];
      const std::uint64_t y = reconstruction.row(n)[w];
      lost += static_cast<std::size_t>(std::popcount(value ? x & ~y : y & ~x));
    }
  }
  const std::size_t ones = data.count();
  const std::size_t total = value ? ones : data.rows() * data.columns() - ones;
  return total == 0 ? no_number : static_cast<double>(total - lost) / static_cast<double>(total);
}

double mean_overlap(const BitMatrix& roles) {
  std::size_t common = 0;
  for (std::size_t k = 0; k < roles.rows(); ++k) {
    for (std::size_t j = 0; j < k; ++j) {
      for (std::size_t w = 0; w < roles.words(); ++w) {
        common += static_cast<std::size_t>(std::popcount(roles.row(k)[w] & roles.row(j)[w]));
      }
    }
  }
  const std::size_t cells = roles.rows() * (roles.rows() - (roles.rows() > 0 ? 1 : 0)) / 2 * roles.columns();
  return cells == 0 ? no_number : static_cast<double>(common) / static_cast<double>(cells);
}

}  // namespace motet
