#include "motet/multilabel/sources/identifiability.h"

#include <fmt/format.h>

#include <algorithm>
#include <cstdint>
#include <numeric>

namespace motet::multilabel {
namespace {

// Elimination runs in the integers modulo a prime of 61 bits, so rank and null space come
// without rounding. A minor of Z that the prime divides without being 0 would be missed; the
// determinants of 0/1 matrices that arise from label sets are far smaller.
constexpr std::uint64_t prime = (std::uint64_t{1} << 61) - 1;

std::uint64_t times(std::uint64_t a, std::uint64_t b) {
  __extension__ using Wide = unsigned __int128;
  const Wide product = static_cast<Wide>(a) * b;
  const std::uint64_t folded = static_cast<std::uint64_t>(product & prime) + static_cast<std::uint64_t>(product >> 61);
  return folded >= prime ? folded - prime : folded;
}
std::uint64_t minus(std::uint64_t a, std::uint64_t b) { return a >= b ? a - b : a + prime - b; }
std::uint64_t plus(std::uint64_t a, std::uint64_t b) { return minus(a, minus(0, b)); }

std::uint64_t inverse(std::uint64_t a) {  // a^(prime - 2)
  std::uint64_t result = 1;
  for (std::uint64_t exponent = prime - 2; exponent > 0; exponent >>= 1) {
    if ((exponent & 1U) != 0) result = times(result, a);
    a = times(a, a);
  }
  return result;
}

using Row = std::vector<std::uint64_t>;

Row row_of(const BitMatrix& sets, std::size_t set, bool background) {
  Row row(sets.columns() + (background ? 1 : 0), 0);
  for_each_bit(sets.row(set), [&](std::size_t k) { row[k] = 1; });
  if (background) row.back() = 1;
  return row;
}

// Rows with their leading ones, each alone in its column.
struct Echelon {
  std::vector<Row> rows;
  std::vector<std::size_t> pivots;

  void add(Row row) {
    for (std::size_t i = 0; i < rows.size(); ++i) subtract(row, rows[i], row[pivots[i]]);
    const auto lead = std::find_if(row.begin(), row.end(), [](std::uint64_t v) { return v != 0; });
    if (lead == row.end()) return;
    const std::uint64_t scale = inverse(*lead);
    for (std::uint64_t& value : row) value = times(value, scale);
    const auto pivot = static_cast<std::size_t>(lead - row.begin());
    for (Row& other : rows) subtract(other, row, other[pivot]);
    rows.push_back(std::move(row));
    pivots.push_back(pivot);
  }

  static void subtract(Row& from, const Row& row, std::uint64_t factor) {
    if (factor == 0) return;
    for (std::size_t k = 0; k < row.size(); ++k) {
      if (row[k] != 0) from[k] = minus(from[k], times(factor, row[k]));
    }
  }
};

// One vector for each column without a pivot; Z times it is 0.
std::vector<Row> null_space(const Echelon& echelon, std::size_t columns) {
  std::vector<bool> is_pivot(columns, false);
  for (const std::size_t pivot : echelon.pivots) is_pivot[pivot] = true;
  std::vector<Row> space;
  for (std::size_t k = 0; k < columns; ++k) {
    if (is_pivot[k]) continue;
    Row vector(columns, 0);
    vector[k] = 1;
    for (std::size_t i = 0; i < echelon.rows.size(); ++i) vector[echelon.pivots[i]] = minus(0, echelon.rows[i][k]);
    space.push_back(std::move(vector));
  }
  return space;
}

// Null vectors that share a source belong together.
std::vector<std::vector<std::size_t>> joined(const std::vector<Row>& space) {
  std::vector<std::size_t> group(space.size());
  std::iota(group.begin(), group.end(), std::size_t{0});
  for (std::size_t a = 0; a < space.size(); ++a) {
    for (std::size_t b = 0; b < a; ++b) {
      bool share = false;
      for (std::size_t k = 0; k < space[a].size(); ++k) share = share || (space[a][k] != 0 && space[b][k] != 0);
      if (!share || group[a] == group[b]) continue;
      const std::size_t from = group[a];
      for (std::size_t& g : group) g = g == from ? group[b] : g;
    }
  }
  std::vector<std::vector<std::size_t>> groups(space.size());
  for (std::size_t v = 0; v < space.size(); ++v) groups[group[v]].push_back(v);
  std::erase_if(groups, [](const auto& members) { return members.empty(); });
  return groups;
}

// --- advice -------------------------------------------------------------------------

// A label set that might be collected: one label alone, or none (number of labels).
struct Wanted {
  std::size_t label = 0;
  Row row;
};

std::uint64_t product(const Row& a, const Row& b) {
  std::uint64_t sum = 0;
  for (std::size_t k = 0; k < a.size(); ++k) sum = plus(sum, times(a[k], b[k]));
  return sum;
}

std::string name_of(const Wanted& wanted, const std::vector<std::string>& labels) {
  return wanted.label == labels.size() ? std::string("without any label")
                                       : fmt::format("with '{}' alone", labels[wanted.label]);
}

// After the wanted row the vectors of the space that it does not see.
std::vector<Row> narrowed(std::vector<Row> space, const Row& row) {
  std::size_t first = 0;
  while (first < space.size() && product(space[first], row) == 0) ++first;
  const Row seen = space[first];
  const std::uint64_t scale = inverse(product(seen, row));
  space.erase(space.begin() + static_cast<std::ptrdiff_t>(first));
  for (Row& vector : space) {
    Echelon::subtract(vector, seen, times(product(vector, row), scale));
  }
  return space;
}

std::string advice_for(std::vector<Row> space, const std::vector<std::uint32_t>& sources,
                       const std::vector<std::string>& labels, bool background) {
  if (sources.size() == 1 && sources[0] < labels.size()) {
    return fmt::format("no item has label '{}': items with it are needed", labels[sources[0]]);
  }
  std::vector<Wanted> wanted;
  for (const std::uint32_t source : sources) {
    Wanted one{source, Row(space[0].size(), 0)};
    one.row[source] = 1;
    if (background) one.row.back() = 1;
    wanted.push_back(std::move(one));
  }
  constexpr std::size_t most_named = 3;
  std::vector<std::string> parts;
  while (!space.empty()) {
    std::vector<const Wanted*> useful;
    for (const Wanted& one : wanted) {
      if (std::any_of(space.begin(), space.end(), [&](const Row& v) { return product(v, one.row) != 0; })) {
        useful.push_back(&one);
      }
    }
    if (useful.empty()) break;  // cannot be: the rows of the sources span all of them
    std::string part = name_of(*useful[0], labels);
    for (std::size_t i = 1; space.size() == 1 && i < std::min(useful.size(), most_named); ++i) {
      part += " or " + name_of(*useful[i], labels);
    }
    parts.push_back(std::move(part));
    space = narrowed(std::move(space), useful[0]->row);
  }
  std::string names;
  for (const std::uint32_t source : sources) {
    names += (names.empty() ? "" : ", ") +
             (source < labels.size() ? fmt::format("'{}'", labels[source]) : std::string("the background"));
  }
  return fmt::format("{} cannot be told apart: items {} would settle it", names, fmt::join(parts, ", and items "));
}

}  // namespace

SourceIdentifiability identifiability(const BitMatrix& sets, const std::vector<std::string>& labels, bool background) {
  const std::size_t sources = labels.size() + (background ? 1 : 0);
  Echelon echelon;
  for (std::size_t j = 0; j < sets.rows() && echelon.rows.size() < sources; ++j) {
    echelon.add(row_of(sets, j, background));
  }
  SourceIdentifiability found;
  found.rank = echelon.rows.size();
  found.identifiable = found.rank == sources;
  const std::vector<Row> space = null_space(echelon, sources);
  for (const std::vector<std::size_t>& group : joined(space)) {
    std::vector<Row> vectors;
    std::vector<std::uint32_t> members;
    vectors.reserve(group.size());
    for (const std::size_t v : group) vectors.push_back(space[v]);
    for (std::uint32_t k = 0; k < sources; ++k) {
      if (std::any_of(vectors.begin(), vectors.end(), [&](const Row& v) { return v[k] != 0; })) members.push_back(k);
    }
    found.advice.push_back(advice_for(std::move(vectors), members, labels, background));
    found.confounded.push_back(std::move(members));
  }
  return found;
}

}  // namespace motet::multilabel
