#include "motet/base/processor.h"

namespace motet {

#if defined(__x86_64__)
bool has_avx2() {
  static const bool has = __builtin_cpu_supports("avx2") != 0 && __builtin_cpu_supports("popcnt") != 0;
  return has;
}
bool has_popcnt() {
  static const bool has = __builtin_cpu_supports("popcnt") != 0;
  return has;
}
#else
bool has_avx2() { return false; }
bool has_popcnt() { return false; }
#endif

}  // namespace motet
