#include "motet/io/special_bytes.h"

#include <cstring>

#if defined(__SSE2__)
#include <emmintrin.h>
#endif

namespace motet {
namespace {

constexpr std::uint64_t high_bits = 0x8080808080808080U;

bool is_special(char byte, char delimiter) { return byte == delimiter || byte == '\n' || byte == '"' || byte == '\0'; }

std::uint32_t* make_room(std::string_view text, SpecialBytes& found) {
  if (found.offsets.size() < text.size()) found.offsets.resize(text.size());
  return found.offsets.data();
}

// From byte `from` on; `out` has room for every byte. Returns the end of what was written.
std::uint32_t* scan_plainly(std::string_view text, std::size_t from, char delimiter, std::uint32_t* out,
                            bool& is_ascii) {
  unsigned char all = 0;
  for (std::size_t i = from; i < text.size(); ++i) {
    all |= static_cast<unsigned char>(text[i]);
    if (is_special(text[i], delimiter)) *out++ = static_cast<std::uint32_t>(i);
  }
  is_ascii = is_ascii && all < 128;
  return out;
}

#if defined(__SSE2__)

class BlockScanner {
 public:
  explicit BlockScanner(char delimiter) : delimiter_(_mm_set1_epi8(delimiter)) {}

  // Bit i: byte i of these 64 is special.
  std::uint64_t specials(const char* block) {
    return quarter(block) | quarter(block + 16) << 16 | quarter(block + 32) << 32 | quarter(block + 48) << 48;
  }
  bool is_ascii() const { return _mm_movemask_epi8(all_) == 0; }

 private:
  std::uint64_t quarter(const char* at) {
    const __m128i bytes = _mm_loadu_si128(reinterpret_cast<const __m128i*>(at));
    all_ = _mm_or_si128(all_, bytes);
    const __m128i separators = _mm_or_si128(_mm_cmpeq_epi8(bytes, delimiter_), _mm_cmpeq_epi8(bytes, line_feed_));
    const __m128i others = _mm_or_si128(_mm_cmpeq_epi8(bytes, quote_), _mm_cmpeq_epi8(bytes, _mm_setzero_si128()));
    return static_cast<std::uint32_t>(_mm_movemask_epi8(_mm_or_si128(separators, others)));
  }

  __m128i delimiter_;
  __m128i line_feed_ = _mm_set1_epi8('\n');
  __m128i quote_ = _mm_set1_epi8('"');
  __m128i all_ = _mm_setzero_si128();
};

#endif

}  // namespace

void find_special_bytes_plainly(std::string_view text, char delimiter, SpecialBytes& found) {
  found.is_ascii = true;
  const std::uint32_t* end = scan_plainly(text, 0, delimiter, make_room(text, found), found.is_ascii);
  found.count = static_cast<std::size_t>(end - found.offsets.data());
}

void find_special_bytes(std::string_view text, char delimiter, SpecialBytes& found) {
#if defined(__SSE2__)
  std::uint32_t* out = make_room(text, found);
  BlockScanner scanner(delimiter);
  std::size_t block = 0;
  for (; block + 64 <= text.size(); block += 64) {
    for (std::uint64_t bits = scanner.specials(text.data() + block); bits != 0; bits &= bits - 1) {
      *out++ = static_cast<std::uint32_t>(block) + static_cast<std::uint32_t>(__builtin_ctzll(bits));
    }
  }
  found.is_ascii = scanner.is_ascii();
  out = scan_plainly(text, block, delimiter, out, found.is_ascii);
  found.count = static_cast<std::size_t>(out - found.offsets.data());
#else
  find_special_bytes_plainly(text, delimiter, found);
#endif
}

bool is_utf8(std::string_view text) {
  const auto byte = [&](std::size_t i) { return static_cast<unsigned char>(text[i]); };
  const auto follows = [&](std::size_t i) { return i < text.size() && (byte(i) & 0xC0U) == 0x80U; };
  std::size_t i = 0;
  while (i < text.size()) {
    std::uint64_t word = high_bits;
    if (i + 8 <= text.size()) std::memcpy(&word, text.data() + i, 8);
    if ((word & high_bits) == 0) {
      i += 8;
      continue;
    }
    const unsigned char lead = byte(i);
    const std::size_t length = lead < 0x80   ? 1
                               : lead < 0xC2 ? 0
                               : lead < 0xE0 ? 2
                               : lead < 0xF0 ? 3
                               : lead < 0xF5 ? 4
                                             : 0;
    if (length == 0) return false;
    for (std::size_t k = 1; k < length; ++k) {
      if (!follows(i + k)) return false;
    }
    // Too long a form, surrogates, and beyond the last code point.
    if (lead == 0xE0 && byte(i + 1) < 0xA0) return false;
    if (lead == 0xED && byte(i + 1) >= 0xA0) return false;
    if (lead == 0xF0 && byte(i + 1) < 0x90) return false;
    if (lead == 0xF4 && byte(i + 1) >= 0x90) return false;
    i += length;
  }
  return true;
}

}  // namespace motet
