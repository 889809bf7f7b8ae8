// Who is a neighbour of whom in one sequence, and with what literal weight.
//
// Weights here are without the strength, so those of the linear and the quadratic
// shape are whole numbers and their sums exact: whoever adds them up in whatever
// order finds the same sum, and the same tie.
#pragma once

#include <algorithm>
#include <cstdint>
#include <vector>

#include "motet/temporal/field/field.h"

namespace motet::temporal {

// What all sequences share. Throws Error{usage} as check(field) does.
struct FieldTables {
  explicit FieldTables(const TimeField& field);

  TimeField field;
  std::vector<double> factors;  // f_h(d), d = 1 ... h
  std::vector<double> weights;  // f_h(d) (h + 1 - d)
};

class Neighbours {
 public:
  // rows >= 1. Throws Error{usage} when an image's rows are no multiple of its width.
  Neighbours(const FieldTables& tables, std::size_t rows);

  std::size_t rows() const { return rows_; }
  const TimeField& field() const { return tables_->field; }
  std::size_t radius() const { return tables_->field.radius; }
  bool whole_cliques() const { return tables_->field.border == Border::clique; }
  bool is_image() const { return tables_->field.image_width > 0; }

  // Rows further away than this, either way, are no neighbours.
  std::size_t reach() const { return reach_; }

  // Size less one of a clique: the radius, or less in a sequence too short for it.
  std::size_t clique_radius() const { return clique_radius_; }

  // Of the cliques that hold both a and b, a <= b <= a + clique_radius.
  std::size_t shared_cliques(std::size_t a, std::size_t b) const {
    if (!whole_cliques()) return radius() + 1 - (b - a);
    const std::size_t last = std::min(a, rows_ - clique_radius_ - 1);
    const std::size_t first = b > clique_radius_ ? b - clique_radius_ : 0;
    return last + 1 - first;
  }

  // A row whose weights differ from those of (5.25) because of the border.
  bool is_clipped(std::size_t n) const { return whole_cliques() && (n < radius() || n + radius() >= rows_); }

  // Calls visit(m, weight) for every neighbour m of n, in the order of m.
  template <class Visit>
  void for_each(std::size_t n, Visit&& visit) const {
    if (is_image()) {
      for_each_pixel(n, visit);
      return;
    }
    const std::size_t first = n > reach_ ? n - reach_ : 0;
    const std::size_t last = std::min(rows_ - 1, n + reach_);
    if (is_clipped(n)) {
      for (std::size_t m = first; m < n; ++m) visit(m, clipped(m, n));
      for (std::size_t m = n + 1; m <= last; ++m) visit(m, clipped(n, m));
    } else {
      const double* weights = tables_->weights.data();
      for (std::size_t m = first; m < n; ++m) visit(m, weights[n - m - 1]);
      for (std::size_t m = n + 1; m <= last; ++m) visit(m, weights[m - n - 1]);
    }
  }

 private:
  double clipped(std::size_t a, std::size_t b) const {
    return tables_->factors[b - a - 1] * static_cast<double>(shared_cliques(a, b));
  }

  template <class Visit>
  void for_each_pixel(std::size_t n, Visit& visit) const {
    const std::size_t width = field().image_width;
    const std::size_t x = n % width;
    const std::size_t y = n / width;
    const std::size_t height = rows_ / width;
    for (std::size_t v = y > radius() ? y - radius() : 0; v <= std::min(height - 1, y + radius()); ++v) {
      const std::size_t down = v > y ? v - y : y - v;
      const std::size_t side = radius() - down;
      for (std::size_t u = x > side ? x - side : 0; u <= std::min(width - 1, x + side); ++u) {
        const std::size_t distance = down + (u > x ? u - x : x - u);
        if (distance > 0) visit(v * width + u, tables_->weights[distance - 1]);
      }
    }
  }

  const FieldTables* tables_;
  std::size_t rows_;
  std::size_t reach_;
  std::size_t clique_radius_;
};

}  // namespace motet::temporal
