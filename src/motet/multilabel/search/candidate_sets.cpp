#include "motet/multilabel/search/candidate_sets.h"

#include <algorithm>
#include <cmath>
#include <numeric>
#include <vector>

namespace motet::multilabel {

double count_sets(std::size_t labels, std::size_t degree, bool with_empty) {
  double total = with_empty ? 1.0 : 0.0;
  double of_degree = 1.0;
  for (std::size_t m = 1; m <= std::min(labels, degree); ++m) {
    of_degree *= static_cast<double>(labels - m + 1) / static_cast<double>(m);
    total += of_degree;
  }
  return total;
}

BitMatrix enumerate_sets(std::size_t labels, std::size_t degree, bool with_empty) {
  BitMatrix sets(static_cast<std::size_t>(std::llround(count_sets(labels, degree, with_empty))), labels);
  std::size_t row = with_empty ? 1 : 0;
  for (std::size_t m = 1; m <= std::min(labels, degree); ++m) {
    std::vector<std::size_t> members(m);
    std::iota(members.begin(), members.end(), std::size_t{0});
    while (true) {
      for (const std::size_t k : members) sets.set(row, k);
      ++row;
      std::size_t i = m;  // the last member that can still move up
      while (i > 0 && members[i - 1] == labels - m + i - 1) --i;
      if (i == 0) break;
      ++members[i - 1];
      for (; i < m; ++i) members[i] = members[i - 1] + 1;
    }
  }
  return sets;
}

}  // namespace motet::multilabel
