#include "motet/roles/mac/user_noise.h"

#include <boost/math/special_functions/digamma.hpp>
#include <boost/math/special_functions/gamma.hpp>
#include <cmath>

namespace motet::roles {
namespace {

std::size_t whole(double x) { return static_cast<std::size_t>(std::llround(x)); }

void fill(double from, std::size_t most, std::vector<double>& log_gamma, std::vector<double>& digamma) {
  for (std::size_t i = 0; i <= most; ++i) {
    log_gamma.push_back(boost::math::lgamma(from + static_cast<double>(i)));
    digamma.push_back(boost::math::digamma(from + static_cast<double>(i)));
  }
}

}  // namespace

UserCells user_cells(double common, double row, double set, double total) {
  return {{whole(common), whole(set - common)}, {whole(row - common), whole(total - set - row + common)}};
}

BetaTable::BetaTable(double a, double b, std::size_t most) {
  fill(a, most, log_gamma_a_, digamma_a_);
  fill(b, most, log_gamma_b_, digamma_b_);
  fill(a + b, most, log_gamma_joint_, digamma_joint_);
  constant_ = log_gamma_joint_[0] - log_gamma_a_[0] - log_gamma_b_[0];
}

UserNoise::UserNoise(std::span<const double> p0, std::span<const double> p1, double total)
    : other(p0[0], p0[1], whole(total)), covered(p1[0], p1[1], whole(total)) {}

}  // namespace motet::roles
