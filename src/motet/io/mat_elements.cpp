#include "motet/io/mat_elements.h"

#include <fmt/format.h>
#include <zlib.h>

#include <algorithm>
#include <array>
#include <bit>
#include <cstdint>
#include <cstring>
#include <span>
#include <vector>

#include "motet/base/available_memory.h"
#include "motet/base/error.h"
#include "motet/io/file.h"

namespace motet {
namespace {

constexpr std::size_t header_size = 128;
constexpr std::uint32_t packed_type = 15;
constexpr std::uint32_t matrix_type = 14;
constexpr std::uint32_t last_nested_class = 3;  // cells, structures and objects: matrices inside a matrix
constexpr std::uint32_t sparse_class = 5;
constexpr std::uint32_t first_number_class = 6;  // double; 15 is uint64
constexpr std::uint32_t last_number_class = 15;
constexpr std::size_t most_sizes = 16;  // of a matrix; more are not multiplied, and refused later
constexpr std::size_t step = std::size_t{1} << 16;

// Bytes in order: of the file, of a part of it, or unpacked from a part.
class Bytes {
 public:
  virtual ~Bytes() = default;
  virtual std::size_t read(std::span<char> into) = 0;  // less than asked for only at the end
};

class FileBytes : public Bytes {
 public:
  explicit FileBytes(InputFile& file) : file_(file) {}
  std::size_t read(std::span<char> into) override { return file_.read(into); }

 private:
  InputFile& file_;
};

class PartOf : public Bytes {
 public:
  PartOf(Bytes& whole, std::uint64_t size) : whole_(whole), left_(size) {}
  std::uint64_t left() const { return left_; }
  std::size_t read(std::span<char> into) override {
    const std::size_t count = whole_.read(into.first(std::min<std::uint64_t>(into.size(), left_)));
    left_ -= count;
    return count;
  }

 private:
  Bytes& whole_;
  std::uint64_t left_;
};

class Unpacked : public Bytes {
 public:
  explicit Unpacked(Bytes& packed) : packed_(packed) { inflateInit(&stream_); }
  ~Unpacked() override { inflateEnd(&stream_); }
  Unpacked(const Unpacked&) = delete;

  std::size_t read(std::span<char> into) override {
    stream_.next_out = reinterpret_cast<Bytef*>(into.data());
    stream_.avail_out = static_cast<uInt>(into.size());
    while (stream_.avail_out > 0 && !is_over_) {
      if (stream_.avail_in == 0) {
        stream_.next_in = reinterpret_cast<Bytef*>(buffer_.data());
        stream_.avail_in = static_cast<uInt>(packed_.read(buffer_));
      }
      const int code = inflate(&stream_, Z_NO_FLUSH);
      is_whole_ = code == Z_STREAM_END;
      is_over_ = code != Z_OK;
    }
    return into.size() - stream_.avail_out;
  }

  // Whether the stream ended as it should, its checksum included.
  bool is_whole() const { return is_whole_; }

 private:
  Bytes& packed_;
  z_stream stream_{};
  std::vector<char> buffer_ = std::vector<char>(step);
  bool is_over_ = false;
  bool is_whole_ = false;
};

struct Tag {
  std::uint32_t type = 0;
  std::uint32_t size = 0;
  std::uint32_t word = 0;  // the second one; of a small element it is the content
  bool is_small = false;
};

std::size_t size_of_type(std::uint32_t type) {
  switch (type) {
    case 1:
    case 2: return 1;
    case 3:
    case 4: return 2;
    case 5:
    case 6:
    case 7: return 4;
    case 9:
    case 12:
    case 13: return 8;
    default: return 0;
  }
}

class Walk {
 public:
  explicit Walk(const std::string& path) : path_(path) {}

  void run() {
    InputFile file(path_);
    FileBytes bytes(file);
    read_header(bytes);
    std::array<char, 8> words{};
    for (;;) {
      const std::size_t count = bytes.read(words);
      if (count == 0) return;
      const Tag tag = tag_of(words, count);
      PartOf part(bytes, tag.size);
      if (tag.type == packed_type) {
        check_packed(part);
      } else if (tag.type == matrix_type) {
        check_matrix(part, tag.size);
      }
      skip(part, part.left());
    }
  }

 private:
  [[noreturn]] void fail_data(std::string_view problem) const {
    fail(ErrorKind::bad_data, fmt::format("{}: {}", path_, problem));
  }
  [[noreturn]] void fail_cut() const { fail_data("the .mat file is damaged or cut short; fetch or save it again"); }

  void read_header(Bytes& bytes) {
    std::array<char, header_size> header{};
    const std::size_t count = bytes.read(header);
    const std::string_view order(header.data() + 126, 2);
    if (count < header_size || (order != "IM" && order != "MI")) fail_data("is no .mat file that can be read");
    is_swapped_ = (order == "IM") != (std::endian::native == std::endian::little);
    const auto version = static_cast<std::uint8_t>(header[order == "IM" ? 125 : 124]);
    if (version != 1) fail_data("is of MATLAB's version 7.3, which is not read; save it with -v7");
  }

  std::uint32_t word_at(const char* from) const {
    std::uint32_t word = 0;
    std::memcpy(&word, from, sizeof word);
    return is_swapped_ ? __builtin_bswap32(word) : word;
  }

  Tag tag_of(const std::array<char, 8>& words, std::size_t count) const {
    if (count < words.size()) fail_cut();
    const std::uint32_t first = word_at(words.data());
    const std::uint32_t second = word_at(words.data() + 4);
    if (first >> 16 == 0) return {first, second, second, false};
    return {first & 0xFFFF, first >> 16, second, true};
  }

  void skip(Bytes& bytes, std::uint64_t count) {
    while (count > 0) {
      const std::size_t now = bytes.read(std::span(skipped_).first(std::min<std::uint64_t>(count, step)));
      if (now == 0) fail_cut();
      count -= now;
    }
  }

  void check_packed(PartOf& part) {
    Unpacked unpacked(part);
    std::array<char, 8> words{};
    const Tag tag = tag_of(words, unpacked.read(words));
    if (tag.type != matrix_type || tag.is_small) fail_cut();
    check_matrix(unpacked, tag.size);
    char more = 0;
    if (unpacked.read({&more, 1}) != 0 || !unpacked.is_whole()) fail_cut();
  }

  // The elements inside a matrix: flags, sizes, name, then numbers where it is one of numbers.
  void check_matrix(Bytes& bytes, std::uint64_t size) {
    const std::uint64_t whole = size;
    std::uint32_t kind = 0;
    double cells = -1.0;  // not known yet
    std::array<char, 8> words{};
    for (std::size_t i = 0; size > 0; ++i) {
      if (size < words.size()) fail_cut();
      const Tag tag = tag_of(words, bytes.read(words));
      size -= words.size();
      if (tag.is_small ? tag.size > 4 : tag.size > size) fail_cut();
      if (i == 3 && cells >= 0.0) check_numbers(kind, cells, tag, whole);
      if (tag.is_small) continue;
      std::uint64_t left = std::min<std::uint64_t>((tag.size + std::uint64_t{7}) / 8 * 8, size);
      size -= left;
      if (i < 2) {  // flags and sizes
        std::array<char, most_sizes * 4> content{};
        const auto part = std::span(content).first(std::min<std::uint64_t>(tag.size, content.size()));
        if (bytes.read(part) < part.size()) fail_cut();
        left -= part.size();
        if (i == 0) kind = word_at(content.data()) & 0xFF;
        if (i == 1) cells = product_of(part);
      }
      skip(bytes, left);
    }
  }

  double product_of(std::span<const char> sizes) const {
    double product = 1.0;
    for (std::size_t i = 0; i + 4 <= sizes.size(); i += 4) product *= static_cast<double>(word_at(sizes.data() + i));
    return product;
  }

  // `tag` is that of the first element behind sizes and name. What a matrix says of its sizes is believed by matio.
  void check_numbers(std::uint32_t kind, double cells, const Tag& tag, std::uint64_t whole) const {
    const bool is_of_numbers = kind >= first_number_class && kind <= last_number_class;
    if (is_of_numbers && static_cast<double>(tag.size) != cells * static_cast<double>(size_of_type(tag.type))) {
      fail_cut();
    }
    if (kind <= last_nested_class && cells > static_cast<double>(whole)) fail_cut();
    if (kind == sparse_class) {
      require_memory(path_, "a sparse matrix in it", 2.0 * static_cast<double>(whole), "save less of it");
    }
  }

  const std::string& path_;
  bool is_swapped_ = false;  // the file has the other order of bytes than this machine
  std::vector<char> skipped_ = std::vector<char>(step);
};

}  // namespace

void check_mat_elements(const std::string& path) { Walk(path).run(); }

}  // namespace motet
