#include "motet/temporal/mixture/block_posterior.h"

#include "motet/base/processor.h"
#include "motet/temporal/mixture/gauss_block.h"

namespace motet::temporal {
namespace {

static_assert(posterior_rows == block_rows);

[[gnu::always_inline]] inline double posterior(double* table, std::size_t components, std::size_t count) {
  double objective = 0.0;
  block_responsibilities(table, components, count, objective);
  return objective;
}

#if defined(__x86_64__)
[[gnu::target("avx2")]] double posterior_avx2(double* table, std::size_t components, std::size_t count) {
  return posterior(table, components, count);
}
#else
double posterior_avx2(double* table, std::size_t components, std::size_t count) {
  return posterior(table, components, count);
}
#endif

}  // namespace

double posterior_of_block(double* table, std::size_t components, std::size_t count) {
  return has_avx2() ? posterior_avx2(table, components, count) : posterior(table, components, count);
}

}  // namespace motet::temporal
