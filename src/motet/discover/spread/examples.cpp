#include "motet/discover/spread/examples.h"

namespace motet::discover {
namespace {

double product(std::span<const float> a, std::span<const float> b) {
  double sum = 0.0;
  for (std::size_t d = 0; d < a.size(); ++d) sum += static_cast<double>(a[d]) * static_cast<double>(b[d]);
  return sum;
}

}  // namespace

double squared_distance(std::span<const float> a, std::span<const float> b) {
  double sum = 0.0;
  for (std::size_t d = 0; d < a.size(); ++d) {
    const double difference = static_cast<double>(a[d]) - static_cast<double>(b[d]);
    sum += difference * difference;
  }
  return sum;
}

std::vector<std::size_t> rows_alike(const WhitenedRows& whitened, const Sequences& cut, const HeldAnswers& held,
                                    std::size_t row, std::size_t radius) {
  const std::span<const float> centre = whitened.row(row);
  const double least = 0.5 * product(centre, centre);
  const auto own = held.find(row);
  std::vector<std::size_t> rows{row};
  std::size_t pause = 0;
  // False where the event has ended.
  const auto take = [&](std::size_t n) {
    const auto known = held.find(n);
    if (known != held.end() && known->second >= 0 && own != held.end() && known->second != own->second) return false;
    if (product(whitened.row(n), centre) > least) {
      rows.push_back(n);
      pause = 0;
      return true;
    }
    return ++pause <= longest_pause;
  };
  const auto [begin, end] = rows_around(cut.starts, row, radius);
  for (std::size_t n = row + 1; n < end && take(n); ++n) {
  }
  pause = 0;
  for (std::size_t n = row; n > begin && take(n - 1); --n) {
  }
  return rows;
}

std::vector<Example> examples_of(const WhitenedRows& whitened, const Sequences& cut, const HeldAnswers& held,
                                 std::size_t radius) {
  std::vector<Example> examples;
  for (const auto& [row, of_class] : held) {
    if (of_class < 0) continue;
    Example example{of_class, rows_alike(whitened, cut, held, row, radius), {}, 0.0};
    example.length = static_cast<double>(example.rows.size());
    std::vector<double> mean(whitened.dimensions, 0.0);
    for (const std::size_t n : example.rows) {
      for (std::size_t d = 0; d < mean.size(); ++d) mean[d] += static_cast<double>(whitened.row(n)[d]);
    }
    for (const double value : mean) example.mean.push_back(static_cast<float>(value / example.length));
    examples.push_back(std::move(example));
  }
  return examples;
}

}  // namespace motet::discover
