#include "motet/roles/choice/description_length.h"

#include <algorithm>
#include <cmath>
#include <numbers>

#include "motet/base/log_gamma.h"
#include "motet/base/numeric.h"

namespace motet::roles {
namespace {

constexpr double least_users_of_a_set = 0.5;  // below, nobody has it
constexpr std::size_t exact_users = 1000;     // above, the sum over two outcomes is as good as its integral

// The largest number of roles in a set.
std::size_t degree_of(const LabelSets& sets) {
  std::size_t degree = 0;
  for (std::size_t l = 0; l < sets.size(); ++l) degree = std::max(degree, sets[l].size());
  return degree;
}

// sum over h of (N choose h) (h / N)^h ((N - h) / N)^(N - h)
double complexity_of_two(std::size_t users) {
  const auto n = static_cast<double>(users);
  if (users > exact_users) return std::sqrt(0.5 * n * std::numbers::pi) + 2.0 / 3.0;
  double sum = 0.0;
  for (std::size_t i = 0; i <= users; ++i) {
    const auto h = static_cast<double>(i);
    sum += std::exp(log_choices(n, h) + times_log(h, h / n) + times_log(n - h, (n - h) / n));
  }
  return sum;
}

}  // namespace

double log_choices(double all, double some) {
  if (some <= 0.0 || some >= all) return 0.0;
  return lgamma_alone(all + 1.0) - lgamma_alone(some + 1.0) - lgamma_alone(all - some + 1.0);
}

// C(1) = 1, C(2) the sum, C(K + 2) = C(K + 1) + N / K C(K); as ratios, for C itself overflows.
double multinomial_complexity(std::size_t outcomes, std::size_t users) {
  if (outcomes < 2 || users == 0) return 0.0;
  const auto n = static_cast<double>(users);
  double ratio = complexity_of_two(users);  // C(k + 1) / C(k)
  double log_sum = std::log(ratio);
  for (std::size_t k = 1; k + 2 <= outcomes; ++k) {
    ratio = 1.0 + n / (static_cast<double>(k) * ratio);
    log_sum += std::log(ratio);
  }
  return log_sum;
}

DescriptionLength description_length(const RoleModel& model, const MergedMatrix& merged, double log_likelihood) {
  DescriptionLength length;
  const auto users = static_cast<double>(merged.row_of.size());
  const auto columns = static_cast<double>(merged.bits.columns());
  length.users = -log_likelihood;
  std::vector<std::uint32_t> first(merged.bits.columns());  // a permission of each kind
  for (std::size_t d = merged.column_of.size(); d-- > 0;) first[merged.column_of[d]] = static_cast<std::uint32_t>(d);
  for (std::size_t k = 0; k < model.role_count(); ++k) {
    const auto size = std::count_if(first.begin(), first.end(), [&](std::uint32_t d) { return model.has(k, d); });
    length.roles += std::log(columns + 1.0) + log_choices(columns, static_cast<double>(size));
  }
  const auto used =
      static_cast<std::size_t>(std::count_if(model.set_share.begin(), model.set_share.end(),
                                             [&](double share) { return share * users > least_users_of_a_set; }));
  const double possible = label_set_count(model.role_count(), degree_of(model.sets));
  length.sets = log_choices(possible, static_cast<double>(used));
  length.shares = multinomial_complexity(used, merged.row_of.size());
  length.noise = 0.5 * std::log(users) * static_cast<double>(model.p0.size() + model.p1.size());
  return length;
}

}  // namespace motet::roles
