#include "motet/superset/lsb_cmm/product.h"

#include "motet/base/lanes.h"
#include "motet/base/processor.h"

namespace motet::superset {
namespace {

typedef float FloatLanes __attribute__((vector_size(32)));

template <class T>
struct VectorOf;
template <>
struct VectorOf<double> {
  using type = Lanes;
};
template <>
struct VectorOf<float> {
  using type = FloatLanes;
};

// c(i, j) = from(i, j) + sum_p a(i, p) b(p, j), where `from` is nothing (fresh), a row for all i (bias) or c itself.
template <class T>
struct Job {
  const T* a;
  std::size_t step_i, step_p;
  const T* b;
  T* c;
  std::size_t width;  // of b and c
  std::size_t count_i, count_p;
  bool fresh;
  const T* bias;
};

template <class Vector, class T>
[[gnu::always_inline]] inline Vector load(const T* from) {
  Vector to;
  std::memcpy(&to, from, sizeof to);
  return to;
}

// All loops have fixed lengths and are unrolled, so that the sums stay in registers.
template <class T, std::size_t rows, std::size_t groups>
[[gnu::always_inline]] inline void tile(const Job<T>& job, std::size_t i, std::size_t j) {
  using Vector = typename VectorOf<T>::type;
  constexpr std::size_t lanes = sizeof(Vector) / sizeof(T);
  Vector sum[rows][groups];
  const T* const from = job.bias != nullptr ? job.bias + j : job.c + i * job.width + j;
  const std::size_t step = job.bias != nullptr ? 0 : job.width;
#pragma GCC unroll 4
  for (std::size_t r = 0; r < rows; ++r) {
#pragma GCC unroll 3
    for (std::size_t g = 0; g < groups; ++g)
      sum[r][g] = job.fresh ? Vector{} : load<Vector>(from + r * step + g * lanes);
  }
  const T* a = job.a + i * job.step_i;
  const T* b = job.b + j;
  for (std::size_t p = 0; p < job.count_p; ++p, a += job.step_p, b += job.width) {
    Vector row[groups];
#pragma GCC unroll 3
    for (std::size_t g = 0; g < groups; ++g) row[g] = load<Vector>(b + g * lanes);
#pragma GCC unroll 4
    for (std::size_t r = 0; r < rows; ++r) {
      const T factor = a[r * job.step_i];
#pragma GCC unroll 3
      for (std::size_t g = 0; g < groups; ++g) sum[r][g] += factor * row[g];
    }
  }
#pragma GCC unroll 4
  for (std::size_t r = 0; r < rows; ++r) {
#pragma GCC unroll 3
    for (std::size_t g = 0; g < groups; ++g) {
      const Vector done = sum[r][g];
      std::memcpy(job.c + (i + r) * job.width + j + g * lanes, &done, sizeof done);
    }
  }
}

template <class T, std::size_t groups>
[[gnu::always_inline]] inline void strip(const Job<T>& job, std::size_t j) {
  std::size_t i = 0;
  for (; i + 4 <= job.count_i; i += 4) tile<T, 4, groups>(job, i, j);
  for (; i < job.count_i; ++i) tile<T, 1, groups>(job, i, j);
}

template <class T>
[[gnu::always_inline]] inline void product(const Job<T>& job) {
  constexpr std::size_t lanes = 32 / sizeof(T);
  std::size_t j = 0;
  for (; j + 3 * lanes <= job.width; j += 3 * lanes) strip<T, 3>(job, j);
  if (j + 2 * lanes <= job.width) {
    strip<T, 2>(job, j);
    j += 2 * lanes;
  }
  if (j < job.width) strip<T, 1>(job, j);
}

#if defined(__x86_64__)
[[gnu::target("avx2")]] void product_avx2(const Job<double>& job) { product(job); }
[[gnu::target("avx2")]] void product_avx2(const Job<float>& job) { product(job); }
#else
void product_avx2(const Job<double>& job) { product(job); }
void product_avx2(const Job<float>& job) { product(job); }
#endif

template <class T>
void run(const Job<T>& job) {
  has_avx2() ? product_avx2(job) : product(job);
}

}  // namespace

void multiply_rows(const RowBlock<double>& x, const double* w, const double* bias, std::size_t width, double* u) {
  run(Job<double>{x.values, x.dimensions, 1, w, u, width, x.rows, x.dimensions, bias == nullptr, bias});
}

void multiply_rows(const RowBlock<float>& x, const float* w, const float* bias, std::size_t width, float* u) {
  run(Job<float>{x.values, x.dimensions, 1, w, u, width, x.rows, x.dimensions, bias == nullptr, bias});
}

void add_transposed(const RowBlock<double>& x, const double* r, std::size_t width, double* g) {
  run(Job<double>{x.values, 1, x.dimensions, r, g, width, x.dimensions, x.rows, false, nullptr});
}

void add_transposed(const RowBlock<float>& x, const float* r, std::size_t width, float* g) {
  run(Job<float>{x.values, 1, x.dimensions, r, g, width, x.dimensions, x.rows, false, nullptr});
}

}  // namespace motet::superset
