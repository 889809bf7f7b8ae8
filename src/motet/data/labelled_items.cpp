#include "motet/data/labelled_items.h"

#include <algorithm>
#include <numeric>

#include "motet/data/views.h"

namespace motet {
namespace {

using Row = std::span<const std::uint64_t>;

std::uint64_t hash_of(Row row) {
  std::uint64_t hash = 0x9e3779b97f4a7c15U;
  for (const std::uint64_t word : row) {
    hash = (hash ^ word) * 0xbf58476d1ce4e5b9U;
    hash ^= hash >> 32U;
  }
  return hash * 0x94d049bb133111ebU;
}

bool same(Row a, Row b) { return std::equal(a.begin(), a.end(), b.begin()); }

std::uint64_t reversed(std::uint64_t word) {
  word = (word >> 1U & 0x5555555555555555U) | (word & 0x5555555555555555U) << 1U;
  word = (word >> 2U & 0x3333333333333333U) | (word & 0x3333333333333333U) << 2U;
  word = (word >> 4U & 0x0f0f0f0f0f0f0f0fU) | (word & 0x0f0f0f0f0f0f0f0fU) << 4U;
  return __builtin_bswap64(word);
}

// By degree, then the set that has the first label in which they differ comes first.
struct SortKey {
  std::size_t degree;
  std::uint64_t first_word;  // with the first label on top; almost always enough
  std::uint32_t set;
};

void sort_by_degree(std::vector<SortKey>& keys, const BitMatrix& sets, const std::vector<std::uint32_t>& row_of) {
  std::sort(keys.begin(), keys.end(), [&](const SortKey& a, const SortKey& b) {
    if (a.degree != b.degree) return a.degree < b.degree;
    if (a.first_word != b.first_word) return a.first_word > b.first_word;
    const Row row_a = sets.row(row_of[a.set]);
    const Row row_b = sets.row(row_of[b.set]);
    for (std::size_t w = 1; w < sets.words(); ++w) {
      if (row_a[w] != row_b[w]) return reversed(row_a[w]) > reversed(row_b[w]);
    }
    return false;
  });
}

// Numbers rows by the order in which their set first appears. Open addressing; grows with the
// number of different sets, not of rows.
class SetNumbers {
 public:
  explicit SetNumbers(const BitMatrix& sets) : sets_(sets), slots_(1024, empty) {}

  std::uint32_t number(std::uint32_t row) {
    std::size_t at = slot(sets_.row(row));
    if (slots_[at] == empty) {
      if (2 * first_.size() >= slots_.size()) {
        grow();
        at = slot(sets_.row(row));
      }
      slots_[at] = static_cast<std::uint32_t>(first_.size());
      first_.push_back(row);
    }
    return slots_[at];
  }

  const std::vector<std::uint32_t>& first_rows() const { return first_; }

 private:
  static constexpr std::uint32_t empty = 0xffffffffU;

  std::size_t slot(Row row) const {
    const std::size_t mask = slots_.size() - 1;
    // The upper half of a product is the well mixed one.
    std::size_t at = static_cast<std::size_t>(hash_of(row) >> 32U) & mask;
    while (slots_[at] != empty && !same(sets_.row(first_[slots_[at]]), row)) at = (at + 1) & mask;
    return at;
  }

  void grow() {
    slots_.assign(2 * slots_.size(), empty);
    for (std::uint32_t set = 0; set < first_.size(); ++set) slots_[slot(sets_.row(first_[set]))] = set;
  }

  const BitMatrix& sets_;
  std::vector<std::uint32_t> slots_;
  std::vector<std::uint32_t> first_;  // row in which a set appears first
};

}  // namespace

LabelledItems rows_of(const LabelledItems& items, std::span<const std::uint32_t> rows) {
  LabelledItems result;
  result.features = rows_of(items.features, rows);
  result.labels = items.labels;
  if (items.sets.rows() > 0) result.sets = items.sets.rows_of(rows);
  return result;
}

std::string joined_labels(std::span<const std::uint64_t> set, std::span<const std::string> labels) {
  std::string text;
  for_each_bit(set, [&](std::size_t label) {
    if (!text.empty()) text += '|';
    text += labels[label];
  });
  return text;
}

LabelSetIndex index_label_sets(const BitMatrix& sets) { return index_label_sets(sets, Rows::all(sets.rows())); }

LabelSetIndex index_label_sets(const BitMatrix& sets, Rows some) {
  LabelSetIndex index;
  const std::size_t rows = some.size();
  index.of_row.resize(rows);
  SetNumbers numbers(sets);
  for (std::size_t n = 0; n < rows; ++n) index.of_row[n] = numbers.number(static_cast<std::uint32_t>(some[n]));

  const std::vector<std::uint32_t>& first = numbers.first_rows();
  std::vector<SortKey> keys(first.size());
  for (std::uint32_t s = 0; s < first.size(); ++s) {
    const Row row = sets.row(first[s]);
    keys[s] = {sets.count(first[s]), row.empty() ? 0 : reversed(row[0]), s};
  }
  sort_by_degree(keys, sets, first);
  std::vector<std::uint32_t> rank(first.size());
  std::vector<std::uint32_t> ordered_first(first.size());
  for (std::uint32_t i = 0; i < keys.size(); ++i) {
    rank[keys[i].set] = i;
    ordered_first[i] = first[keys[i].set];
  }
  index.sets = sets.rows_of(ordered_first);

  index.starts.assign(first.size() + 1, 0);
  for (std::uint32_t& set : index.of_row) {
    set = rank[set];
    ++index.starts[set + 1];
  }
  std::partial_sum(index.starts.begin(), index.starts.end(), index.starts.begin());
  index.rows.resize(rows);
  std::vector<std::size_t> next(index.starts.begin(), index.starts.end() - 1);
  for (std::size_t n = 0; n < rows; ++n) index.rows[next[index.of_row[n]]++] = static_cast<std::uint32_t>(some[n]);
  return index;
}

std::size_t find_set(const BitMatrix& sets, std::span<const std::uint64_t> set) {
  for (std::size_t n = 0; n < sets.rows(); ++n) {
    if (same(sets.row(n), set)) return n;
  }
  return no_set;
}

}  // namespace motet
