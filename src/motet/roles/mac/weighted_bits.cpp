#include "motet/roles/mac/weighted_bits.h"

#include <bit>
#include <cmath>

#include "motet/base/error.h"
#include "motet/base/processor.h"

namespace motet::roles {
namespace {

constexpr std::size_t rows_a_task = 16;

[[gnu::always_inline]] inline std::int64_t common(const std::uint64_t* a, const std::uint64_t* b,
                                                  const std::int64_t* weight, std::size_t words) {
  std::int64_t sum = 0;
  for (std::size_t w = 0; w < words; ++w) sum += std::popcount(a[w] & b[w]) * weight[w];
  return sum;
}

struct Rows {
  const BitMatrix& bits;
  std::span<const std::int64_t> weight;
  std::int64_t* to;
};

[[gnu::always_inline]] inline void common_of_row(const Rows& rows, std::size_t i) {
  const std::size_t count = rows.bits.rows();
  const std::uint64_t* const row = rows.bits.row(i).data();
  for (std::size_t j = 0; j <= i; ++j) {
    rows.to[i * count + j] = common(row, rows.bits.row(j).data(), rows.weight.data(), rows.bits.words());
  }
}

#if defined(__x86_64__)
[[gnu::target("popcnt")]] void common_of_row_popcnt(const Rows& rows, std::size_t i) { common_of_row(rows, i); }
#else
void common_of_row_popcnt(const Rows& rows, std::size_t i) { common_of_row(rows, i); }
#endif

}  // namespace

WeightLayout::WeightLayout(std::span<const double> weights) {
  std::vector<std::vector<std::uint32_t>> columns_of;  // by power of two
  for (std::size_t d = 0; d < weights.size(); ++d) {
    if (!(weights[d] >= 1.0 && weights[d] <= 0x1.0p40 && weights[d] == std::floor(weights[d]))) {
      fail(ErrorKind::usage, "weight = " + to_text(weights[d]) + " is not a whole number from 1 to 2^40");
    }
    const auto weight = static_cast<std::uint64_t>(weights[d]);
    total_ += static_cast<std::int64_t>(weight);
    for (std::uint64_t rest = weight; rest != 0; rest &= rest - 1) {
      const auto power = static_cast<std::size_t>(std::countr_zero(rest));
      if (columns_of.size() <= power) columns_of.resize(power + 1);
      columns_of[power].push_back(static_cast<std::uint32_t>(d));
    }
  }
  std::vector<std::vector<std::uint32_t>> places(weights.size());
  for (std::size_t power = 0; power < columns_of.size(); ++power) {
    const std::size_t first = word_weight_.size() * 64;
    for (std::size_t i = 0; i < columns_of[power].size(); ++i) {
      places[columns_of[power][i]].push_back(static_cast<std::uint32_t>(first + i));
    }
    word_weight_.resize(word_weight_.size() + (columns_of[power].size() + 63) / 64, std::int64_t{1} << power);
  }
  begin_.push_back(0);
  for (const std::vector<std::uint32_t>& of_column : places) {
    place_.insert(place_.end(), of_column.begin(), of_column.end());
    begin_.push_back(place_.size());
  }
}

BitMatrix WeightLayout::arranged(const BitMatrix& bits) const {
  BitMatrix result(bits.rows(), words() * 64);
  for (std::size_t n = 0; n < bits.rows(); ++n) {
    for_each_bit(bits.row(n), [&](std::size_t d) {
      for (std::size_t i = begin_[d]; i < begin_[d + 1]; ++i) result.set(n, place_[i]);
    });
  }
  return result;
}

std::int64_t WeightLayout::weight(std::span<const std::uint64_t> arranged_row) const {
  return common(arranged_row.data(), arranged_row.data(), word_weight_.data(), words());
}

std::vector<std::int64_t> common_weights(const BitMatrix& arranged, const WeightLayout& layout, const RunContext& run) {
  const std::size_t count = arranged.rows();
  std::vector<std::int64_t> result(count * count);
  const Rows rows{arranged, layout.word_weight(), result.data()};
  const bool fast = has_popcnt();
  for_each_task((count + rows_a_task - 1) / rows_a_task, run.threads, [&](std::size_t task) {
    if (run.cancelled()) return;
    for (std::size_t i = task * rows_a_task; i < std::min(count, (task + 1) * rows_a_task); ++i) {
      fast ? common_of_row_popcnt(rows, i) : common_of_row(rows, i);
    }
  });
  if (run.cancelled()) fail(ErrorKind::interrupted, "interrupted while comparing permissions");
  for (std::size_t i = 0; i < count; ++i) {
    for (std::size_t j = i + 1; j < count; ++j) result[i * count + j] = result[j * count + i];
  }
  return result;
}

}  // namespace motet::roles
