#include "motet/discover/byte_stream.h"

#include "motet/base/error.h"

namespace motet::discover {
namespace {

[[noreturn]] void fail_size() { fail(ErrorKind::bad_data, "a size in the saved state does not fit its bytes"); }

}  // namespace

void ByteWriter::numbers(const std::vector<std::uint32_t>& values) {
  number(std::uint64_t{values.size()});
  for (const std::uint32_t value : values) {
    for (int i = 0; i < 4; ++i) bytes_.push_back(static_cast<char>((value >> (8 * i)) & 0xff));
  }
}

void ByteWriter::runs(const std::vector<std::uint8_t>& values) {
  number(std::uint64_t{values.size()});
  for (std::size_t begin = 0; begin < values.size();) {
    std::size_t end = begin + 1;
    while (end < values.size() && values[end] == values[begin]) ++end;
    std::size_t length = end - begin;
    for (; length >= 128; length >>= 7) bytes_.push_back(static_cast<char>(128 | (length & 127)));
    bytes_.push_back(static_cast<char>(length));
    bytes_.push_back(static_cast<char>(values[begin]));
    begin = end;
  }
}

std::string_view ByteReader::take(std::size_t count) {
  if (count > bytes_.size() - at_) fail(ErrorKind::bad_data, "the saved state ends too early");
  const std::string_view taken = bytes_.substr(at_, count);
  at_ += count;
  return taken;
}

std::uint64_t ByteReader::number() {
  const std::string_view taken = take(8);
  std::uint64_t value = 0;
  for (std::size_t i = 0; i < 8; ++i) value |= std::uint64_t{static_cast<unsigned char>(taken[i])} << (8 * i);
  return value;
}

std::size_t ByteReader::size(std::size_t bytes_each) {
  const std::uint64_t count = number();
  if (count > (bytes_.size() - at_) / bytes_each) fail_size();
  return count;
}

std::string ByteReader::text() { return std::string(take(size(1))); }

std::vector<double> ByteReader::reals() {
  std::vector<double> values(size(8));
  for (double& value : values) value = real();
  return values;
}

std::vector<std::uint32_t> ByteReader::small_numbers() {
  std::vector<std::uint32_t> values(size(4));
  for (std::uint32_t& value : values) {
    const std::string_view taken = take(4);
    for (std::size_t i = 0; i < 4; ++i) value |= std::uint32_t{static_cast<unsigned char>(taken[i])} << (8 * i);
  }
  return values;
}

std::vector<std::uint8_t> ByteReader::runs(std::size_t most) {
  const std::uint64_t count = number();
  if (count > most) fail_size();
  std::vector<std::uint8_t> values;
  while (values.size() < count) {
    std::uint64_t length = 0;
    for (int shift = 0;; shift += 7) {
      const auto byte = static_cast<unsigned char>(take(1)[0]);
      if (shift > 35) fail_size();
      length |= std::uint64_t{byte & 127U} << shift;
      if (byte < 128) break;
    }
    if (length == 0 || length > count - values.size()) fail_size();
    values.insert(values.end(), length, static_cast<std::uint8_t>(take(1)[0]));
  }
  return values;
}

}  // namespace motet::discover
