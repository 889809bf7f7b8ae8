#include "motet/io/npy.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <bit>
#include <charconv>
#include <cmath>
#include <cstdint>
#include <cstring>
#include <optional>
#include <string_view>

#include "motet/base/available_memory.h"
#include "motet/base/error.h"
#include "motet/io/file.h"

namespace motet {
namespace {

static_assert(std::endian::native == std::endian::little, "numbers are copied as they lie in the file");

constexpr std::string_view magic = "\x93NUMPY";
constexpr std::size_t longest_header = std::size_t{1} << 20;
constexpr std::size_t alignment = 64;  // of the data in files that numpy writes

[[noreturn]] void fail_npy(const InputFile& file, std::string_view problem) {
  fail(ErrorKind::bad_data, fmt::format("{}: {}", file.name(), problem));
}

struct Header {
  std::string type;
  bool is_fortran = false;
  std::vector<std::size_t> shape;
};

// The header is a Python dict of three known keys; this reads just what numpy writes there.
class HeaderText {
 public:
  HeaderText(const InputFile& file, std::string_view text) : file_(file), text_(text) {}

  std::string_view value_of(std::string_view key) const {
    for (const char quote : {'\'', '"'}) {
      const std::string quoted = fmt::format("{}{}{}", quote, key, quote);
      const std::size_t found = text_.find(quoted);
      if (found == std::string_view::npos) continue;
      std::string_view rest = text_.substr(found + quoted.size());
      rest.remove_prefix(std::min(rest.find_first_not_of(": "), rest.size()));
      return rest;
    }
    fail_npy(file_, fmt::format("the header has no '{}'", key));
  }

  Header parse() const {
    Header header;
    const std::string_view type = value_of("descr");
    if (type.empty() || (type[0] != '\'' && type[0] != '"')) {
      fail_npy(file_, "the array has fields; only plain numbers (f4, f8, i4, i8) are allowed");
    }
    header.type = std::string(type.substr(1, type.find(type[0], 1) - 1));
    header.is_fortran = value_of("fortran_order").starts_with("True");
    std::string_view shape = value_of("shape");
    if (!shape.starts_with('(') || shape.find(')') == std::string_view::npos) fail_npy(file_, "the shape is broken");
    shape = shape.substr(1, shape.find(')') - 1);
    while (true) {
      shape.remove_prefix(std::min(shape.find_first_not_of(", "), shape.size()));
      if (shape.empty()) return header;
      std::size_t size = 0;
      const auto [end, code] = std::from_chars(shape.data(), shape.data() + shape.size(), size);
      if (code != std::errc()) fail_npy(file_, "the shape is broken");
      header.shape.push_back(size);
      shape.remove_prefix(static_cast<std::size_t>(end - shape.data()));
    }
  }

 private:
  const InputFile& file_;
  std::string_view text_;
};

Header read_header(InputFile& file) {
  std::array<char, 12> start{};
  if (file.read(std::span(start).first(8)) != 8 || !std::string_view(start.data(), 6).starts_with(magic)) {
    fail_npy(file, "is not an .npy file");
  }
  const int version = static_cast<unsigned char>(start[6]);
  if (version < 1 || version > 3) fail_npy(file, fmt::format("has .npy version {}; 1 to 3 are known", version));
  const std::size_t size_bytes = version == 1 ? 2 : 4;
  std::uint32_t size = 0;
  if (file.read(std::span(start).subspan(8, size_bytes)) != size_bytes) fail_npy(file, "is cut short in its header");
  std::memcpy(&size, start.data() + 8, size_bytes);
  if (size > longest_header) fail_npy(file, "the header is broken");
  std::string text(size, '\0');
  if (file.read(text) != size) fail_npy(file, "is cut short in its header");
  return HeaderText(file, text).parse();
}

template <class T>
void convert(std::span<const char> bytes, std::vector<double>& values, std::size_t first) {
  for (std::size_t i = 0; i * sizeof(T) < bytes.size(); ++i) {
    T number;
    std::memcpy(&number, bytes.data() + i * sizeof(T), sizeof(T));
    values[first + i] = static_cast<double>(number);
  }
}

void check_whole(std::span<const char> bytes, const InputFile& file) {
  constexpr std::int64_t most = std::int64_t{1} << 53;
  for (std::size_t i = 0; i < bytes.size(); i += 8) {
    std::int64_t number = 0;
    std::memcpy(&number, bytes.data() + i, 8);
    if (number > most || number < -most) {
      fail_npy(file,
               fmt::format("holds {}, which double precision cannot; whole numbers up to 2^53 are allowed", number));
    }
  }
}

std::size_t width_of(const std::string& type, const InputFile& file) {
  if (type == "<f4" || type == "<i4") return 4;
  if (type == "<f8" || type == "<i8") return 8;
  if (type.starts_with('>'))
    fail_npy(file, fmt::format("holds big-endian numbers ('{}'); little-endian is needed", type));
  fail_npy(file, fmt::format("holds numbers of type '{}'; f4, f8, i4 and i8 are allowed", type));
}

std::vector<double> read_values(InputFile& file, const Header& header, std::size_t count, const RunContext& run) {
  constexpr std::size_t chunk = std::size_t{1} << 20;
  const std::size_t width = width_of(header.type, file);
  if (file.bytes_total() != 0 && count > file.most_bytes() / width) {
    fail_npy(file, fmt::format("is cut short: {} numbers are promised", count));
  }
  // A plain file holds what it promises or is told now; what comes packed or through a pipe is believed as it comes.
  const bool is_plain = file.bytes_total() != 0 && file.most_bytes() == file.bytes_total();
  const std::uint64_t there = (file.bytes_total() - file.bytes_done()) / width;
  if (is_plain && count > there) fail_npy(file, fmt::format("is cut short: {} of {} numbers are there", there, count));
  std::vector<double> values;
  make_room(values, is_plain ? count : std::min(count, chunk), file.name());
  std::vector<char> bytes(std::min(chunk, count * width));
  const std::string stage = "reading " + file.name();
  for (std::size_t first = 0; first < count;) {
    if (run.cancelled()) fail(ErrorKind::interrupted, "interrupted while " + stage);
    if (run.observer) {
      run.observer({stage, static_cast<double>(first * width) / 1e6, static_cast<double>(count * width) / 1e6, "MB"});
    }
    const auto part = std::span(bytes).first(std::min(bytes.size(), (count - first) * width));
    const std::size_t got = file.read(part);
    if (got != part.size()) {
      fail_npy(file, fmt::format("is cut short: {} of {} numbers are there", first + got / width, count));
    }
    make_room(values, part.size() / width, file.name());
    values.resize(first + part.size() / width);
    if (header.type == "<f4") convert<float>(part, values, first);
    if (header.type == "<i4") convert<std::int32_t>(part, values, first);
    if (header.type == "<f8") std::memcpy(values.data() + first, part.data(), part.size());
    if (header.type == "<i8") {
      check_whole(part, file);
      convert<std::int64_t>(part, values, first);
    }
    first += part.size() / width;
  }
  char more = 0;
  if (file.read({&more, 1}) != 0) fail_npy(file, fmt::format("has more in it than the {} numbers promised", count));
  return values;
}

std::vector<double> transposed(std::string_view name, const std::vector<double>& values, std::size_t rows,
                               std::size_t columns) {
  require_table_memory(name, rows, columns);
  std::vector<double> by_row(values.size());
  for (std::size_t c = 0; c < columns; ++c) {
    for (std::size_t r = 0; r < rows; ++r) by_row[r * columns + c] = values[c * rows + r];
  }
  return by_row;
}

}  // namespace

NpyArray read_npy(const std::string& path, const RunContext& run) {
  InputFile file(path);
  const Header header = read_header(file);
  if (header.shape.empty() || header.shape.size() > 2) {
    fail_npy(file, fmt::format("the array has {} dimensions; 1 or 2 are allowed", header.shape.size()));
  }
  NpyArray table;
  table.rows = header.shape[0];
  table.columns = header.shape.size() == 2 ? header.shape[1] : 1;
  if (table.columns != 0 && table.rows > (std::size_t{1} << 60) / table.columns) fail_npy(file, "the shape is broken");
  table.values = read_values(file, header, table.rows * table.columns, run);
  if (header.is_fortran && table.columns > 1)
    table.values = transposed(file.name(), table.values, table.rows, table.columns);
  return table;
}

void write_npy(const std::string& path, const NpyArray& table) {
  write_npy(path, table.rows, table.columns, table.values);
}

std::string npy_header(std::size_t rows, std::size_t columns) {
  std::string shape = fmt::format("{{'descr': '<f8', 'fortran_order': False, 'shape': ({}, {}), }}", rows, columns);
  const std::size_t before = magic.size() + 4;
  shape.append(alignment - 1 - (before + shape.size()) % alignment, ' ');
  shape += '\n';
  std::string header(magic);
  header += {'\x01', '\x00'};
  header += {static_cast<char>(shape.size() & 0xFF), static_cast<char>(shape.size() >> 8)};
  return header + shape;
}

void write_npy(const std::string& path, std::size_t rows, std::size_t columns, std::span<const double> values) {
  AtomicFile file(path);
  file.write(npy_header(rows, columns));
  file.write({reinterpret_cast<const char*>(values.data()), values.size_bytes()});
  file.commit();
}

Features read_features_npy(const std::string& path, const FrameClock& clock, const RunContext& run) {
  NpyArray table = read_npy(path, run);
  if (table.rows == 0) fail(ErrorKind::bad_data, path + ": there are no rows");
  if (table.columns == 0) fail(ErrorKind::bad_data, path + ": there are no columns");
  const auto bad =
      std::find_if_not(table.values.begin(), table.values.end(), [](double x) { return std::isfinite(x); });
  if (bad != table.values.end()) {
    const auto at = static_cast<std::size_t>(bad - table.values.begin());
    fail(ErrorKind::bad_data, fmt::format("{}: row {} column {} is {}; every feature needs a finite number", path,
                                          at / table.columns + 1, at % table.columns + 1, *bad));
  }
  Features features;
  for (std::size_t c = 0; c < table.columns; ++c) features.columns.push_back(fmt::format("x{}", c + 1));
  features.values = std::move(table.values);
  features.starts.push_back(table.rows);
  features.sequences.emplace_back();
  if (clock.has_time()) features.clock = {clock.hop, clock.window > 0.0 ? clock.window : clock.hop};
  return features;
}

}  // namespace motet
