#include "experiments/roles/judged_rows.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <cmath>

namespace motet::roles {

namespace {

constexpr double allowed_over_neighbour = 1.1;
enum : std::size_t { mac_method, asso_method, neighbour_method, majority_method, known_method };

bool is_worse_than_asso(const JudgedRow& row) {
  const JudgedMethod& other = row.methods[asso_method];
  return other.difference > (std::isnan(other.difference_error) ? 0.0 : other.difference_error);
}

double over_neighbour(const JudgedRow& row, std::size_t method) {
  const double error = row.methods[neighbour_method].error;
  if (error > 0.0) return row.methods[method].error / error;
  return row.methods[method].error > 0.0 ? HUGE_VAL : 1.0;
}

std::vector<std::string> worse_than_neighbour(const std::vector<JudgedRow>& rows, std::size_t method) {
  std::vector<std::string> sets;
  for (const JudgedRow& row : rows) {
    const double ratio = over_neighbour(row, method);
    if (ratio > allowed_over_neighbour) sets.push_back(fmt::format("{} ({:.2f} times)", row.set, ratio));
  }
  return sets;
}

std::string sentence(const std::string& what, const std::vector<std::string>& sets, std::size_t all) {
  if (sets.empty()) return fmt::format("on none of {} sets {}", all, what);
  return fmt::format("on {} of {} sets {}: {}", sets.size(), all, what, fmt::join(sets, ", "));
}

}  // namespace

std::vector<std::string> verdicts(const std::vector<JudgedRow>& rows) {
  std::vector<std::string> against_asso;
  std::vector<std::string> wrong;
  for (const JudgedRow& row : rows) {
    if (is_worse_than_asso(row)) {
      against_asso.push_back(
          fmt::format("{} ({:.2f} times)", row.set, row.methods[mac_method].error / row.methods[asso_method].error));
    }
    if (row.wrong_cells > row.asso_wrong_cells) {
      wrong.push_back(fmt::format("{} ({} against {})", row.set, row.wrong_cells, row.asso_wrong_cells));
    }
  }
  return {sentence("mac predicts worse than asso by more than a standard error", against_asso, rows.size()),
          sentence("mac predicts more than 10 % worse than the nearest neighbour",
                   worse_than_neighbour(rows, mac_method), rows.size()),
          sentence("mac with known users predicts more than 10 % worse than the nearest neighbour",
                   worse_than_neighbour(rows, known_method), rows.size()),
          sentence("mac leaves more wrong cells than asso", wrong, rows.size())};
}

}  // namespace motet::roles
