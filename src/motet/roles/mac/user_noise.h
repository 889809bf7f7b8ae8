// Noise that differs from user to user, integrated out: p0 and p1 of a user come from two
// Beta distributions, and what remains are Beta functions of four counts.
#pragma once

#include <cstddef>
#include <span>
#include <vector>

namespace motet::roles {

// Cells of a user under a label set: held or not, covered by a role or not.
struct HeldCells {
  std::size_t ones = 0;
  std::size_t zeros = 0;
};
struct UserCells {
  HeldCells covered;
  HeldCells other;
};
// From numbers of columns: common to user and set, of the user, of the set, in all.
UserCells user_cells(double common, double row, double set, double total);

// Beta(a, b) after `yes` and `no` were seen; a + i for whole i are the only arguments.
class BetaTable {
 public:
  BetaTable(double a, double b, std::size_t most);
  double log_likelihood(std::size_t yes, std::size_t no) const {
    return log_gamma_a_[yes] + log_gamma_b_[no] - log_gamma_joint_[yes + no] + constant_;
  }
  double mean_log(std::size_t yes, std::size_t no) const { return digamma_a_[yes] - digamma_joint_[yes + no]; }
  double mean_log_rest(std::size_t yes, std::size_t no) const { return digamma_b_[no] - digamma_joint_[yes + no]; }

 private:
  std::vector<double> log_gamma_a_, log_gamma_b_, log_gamma_joint_;
  std::vector<double> digamma_a_, digamma_b_, digamma_joint_;
  double constant_ = 0.0;
};

struct UserNoise {
  UserNoise(std::span<const double> p0, std::span<const double> p1, double total);  // (a, b) of each
  double log_likelihood(const UserCells& cells) const {
    return covered.log_likelihood(cells.covered.ones, cells.covered.zeros) +
           other.log_likelihood(cells.other.ones, cells.other.zeros);
  }
  BetaTable other;
  BetaTable covered;
};

}  // namespace motet::roles
