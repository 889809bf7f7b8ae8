#include "motet/data/fingerprint.h"

#include <fmt/format.h>

#include <array>

#include "motet/data/names.h"

namespace motet {

Fingerprint& Fingerprint::add(const std::vector<std::string>& names) {
  add(names.size());
  for (const std::string& name : names) add(name);
  return *this;
}

Fingerprint& Fingerprint::add(const BitMatrix& bits) {
  add(bits.rows()).add(bits.columns());
  for (std::size_t n = 0; n < bits.rows(); ++n) add(bits.row(n));
  return *this;
}

std::string Fingerprint::text() const { return fmt::format("{:016x}", hash_); }

Fingerprint& Fingerprint::add_bytes(std::string_view bytes) {
  const std::array<std::uint64_t, 2> both{hash_, key_of_long(bytes).low};
  hash_ = key_of_long({reinterpret_cast<const char*>(both.data()), sizeof(both)}).low;
  return *this;
}

}  // namespace motet
