#include "motet/multilabel/linear/weight_summary.h"

#include <algorithm>
#include <cmath>
#include <numeric>

#include "motet/multilabel/naming.h"

namespace motet::multilabel {

std::vector<WeightRow> weight_rows(const MultilabelModel& model, std::size_t most) {
  const LinearWeights& linear = *model.linear;
  const bool per_set = model.options.method == Training::powerset;
  std::vector<WeightRow> rows(linear.rows);
  for (std::size_t j = 0; j < model.prior.sets.rows(); ++j) {
    if (per_set) {
      rows[j].name = set_name(model.prior.sets.row(j), model.labels);
      rows[j].items = model.prior.counts[j];
    } else {
      for_each_bit(model.prior.sets.row(j), [&](std::size_t k) { rows[k].items += model.prior.counts[j]; });
    }
  }
  for (std::size_t r = 0; r < rows.size(); ++r) {
    WeightRow& row = rows[r];
    if (!per_set) row.name = model.labels[r];
    row.intercept = linear.weights[linear.dimensions * linear.rows + r];
    for (std::size_t d = 0; d < linear.dimensions; ++d) row.weights.push_back(linear.weights[d * linear.rows + r]);
    row.strongest.resize(linear.dimensions);
    std::iota(row.strongest.begin(), row.strongest.end(), std::size_t{0});
    const std::size_t kept = std::min(most, row.strongest.size());
    std::partial_sort(row.strongest.begin(), row.strongest.begin() + static_cast<std::ptrdiff_t>(kept),
                      row.strongest.end(), [&](std::size_t a, std::size_t b) {
                        const double first = std::abs(row.weights[a]);
                        const double second = std::abs(row.weights[b]);
                        return first != second ? first > second : a < b;
                      });
    row.strongest.resize(kept);
  }
  return rows;
}

}  // namespace motet::multilabel
