#include "motet/base/assignment.h"

#include <limits>

namespace motet {
namespace {

constexpr std::size_t none = static_cast<std::size_t>(-1);

// Rows are added one at a time; each addition searches the cheapest way to push
// earlier rows aside. Reduced cost: cost(r, c) - row_potential[r] - column_potential[c] >= 0.
struct Matcher {
  std::span<const double> gains;
  std::size_t size;
  std::vector<double> row_potential = std::vector<double>(size, 0.0);
  std::vector<double> column_potential = std::vector<double>(size, 0.0);
  std::vector<std::size_t> row_of = std::vector<std::size_t>(size, none);

  double reduced(std::size_t row, std::size_t column) const {
    return -gains[row * size + column] - row_potential[row] - column_potential[column];
  }

  void add_row(std::size_t new_row) {
    std::vector<double> distance(size, std::numeric_limits<double>::infinity());
    std::vector<std::size_t> came_from(size, none);
    std::vector<bool> done(size, false);
    std::size_t row = new_row;
    std::size_t column = none;
    double so_far = 0.0;
    while (true) {
      std::size_t nearest = none;
      for (std::size_t c = 0; c < size; ++c) {
        if (done[c]) continue;
        const double way = so_far + reduced(row, c);
        if (way < distance[c]) {
          distance[c] = way;
          came_from[c] = column;
        }
        if (nearest == none || distance[c] < distance[nearest]) nearest = c;
      }
      column = nearest;
      so_far = distance[column];
      done[column] = true;
      if (row_of[column] == none) break;
      row = row_of[column];
    }
    row_potential[new_row] += so_far;
    for (std::size_t c = 0; c < size; ++c) {
      if (!done[c] || c == column) continue;
      row_potential[row_of[c]] += so_far - distance[c];
      column_potential[c] -= so_far - distance[c];
    }
    while (came_from[column] != none) {
      row_of[column] = row_of[came_from[column]];
      column = came_from[column];
    }
    row_of[column] = new_row;
  }
};

}  // namespace

std::vector<std::size_t> best_assignment(std::span<const double> gains, std::size_t size) {
  Matcher matcher{gains, size};
  for (std::size_t row = 0; row < size; ++row) matcher.add_row(row);
  std::vector<std::size_t> column_of(size);
  for (std::size_t column = 0; column < size; ++column) column_of[matcher.row_of[column]] = column;
  return column_of;
}

}  // namespace motet
