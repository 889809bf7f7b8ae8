#include "motet/roles/jaccard.h"

#include <bit>

namespace motet::roles {

double jaccard(std::span<const std::uint64_t> a, std::span<const std::uint64_t> b) {
  std::size_t common = 0;
  std::size_t either = 0;
  for (std::size_t w = 0; w < a.size(); ++w) {
    common += static_cast<std::size_t>(std::popcount(a[w] & b[w]));
    either += static_cast<std::size_t>(std::popcount(a[w] | b[w]));
  }
  return either == 0 ? 1.0 : static_cast<double>(common) / static_cast<double>(either);
}

std::vector<double> pairwise_jaccard(const BitMatrix& sets) {
  const std::size_t n = sets.rows();
  std::vector<double> shared(n * n, 1.0);
  for (std::size_t a = 0; a < n; ++a) {
    for (std::size_t b = 0; b < a; ++b) shared[a * n + b] = shared[b * n + a] = jaccard(sets.row(a), sets.row(b));
  }
  return shared;
}

}  // namespace motet::roles
