#include "motet/io/recording_header.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cctype>
#include <cmath>
#include <cstring>
#include <string_view>
#include <utility>

namespace motet {
namespace {

constexpr std::size_t most_before_sound = std::size_t{1} << 22;  // bytes of chunks before the samples
constexpr std::uint32_t unknown_size = 0xFFFFFFFFU;

// Reads forward through the start of a file.
class HeaderReader {
 public:
  explicit HeaderReader(RecordingBytes& bytes) : bytes_(bytes) {}

  std::uint64_t at() const { return at_; }
  std::uint64_t size() const { return bytes_.size(); }
  void go_to(std::uint64_t at) { at_ = at; }

  // Empty where there are fewer.
  std::string take(std::size_t count) {
    std::string text(count, '\0');
    const std::size_t got = bytes_.read(at_, text);
    at_ += got;
    return got == count ? text : std::string();
  }

 private:
  RecordingBytes& bytes_;
  std::uint64_t at_ = 0;
};

std::uint64_t little_endian(std::string_view bytes) {
  std::uint64_t number = 0;
  for (std::size_t i = bytes.size(); i > 0; --i) number = number << 8 | static_cast<unsigned char>(bytes[i - 1]);
  return number;
}

std::uint64_t big_endian(std::string_view bytes) {
  std::uint64_t number = 0;
  for (const char byte : bytes) number = number << 8 | static_cast<unsigned char>(byte);
  return number;
}

std::string little_endian_bytes(std::uint64_t number, std::size_t size) {
  std::string bytes;
  for (std::size_t i = 0; i < size; ++i) bytes.push_back(static_cast<char>(number >> (8 * i) & 0xFF));
  return bytes;
}

// --- wav ---------------------------------------------------------------------------------------

// Who writes into a pipe cannot come back, and fills in the most, or nothing; sox writes 0x7FFFF000 and some more.
bool is_never_filled_in(std::uint64_t size, std::uint64_t there) {
  constexpr std::uint64_t of_sox = 0x7FFFF000U;
  constexpr std::uint64_t most_of_sox = 0x80000000U;
  return size == 0 || (size > there && (size >= unknown_size - 0xFFFU || (size >= of_sox && size <= most_of_sox)));
}

bool is_tag(std::string_view start) {
  return start.starts_with("TAG") || start.starts_with("ID3") || start.starts_with("APETAGEX");
}

// Whether the sound may well end here: at the end of the file, before another chunk, even one that is cut short, before
// a tag, or before zeros alone.
bool may_end_at(std::uint64_t at, HeaderReader& reader) {
  constexpr std::array<std::string_view, 18> known = {"LIST", "id3 ", "ID3 ", "bext", "fact", "cue ",
                                                      "smpl", "iXML", "PEAK", "inst", "JUNK", "junk",
                                                      "FLLR", "afsp", "PAD ", "axml", "_PMX", "levl"};
  if (at + 8 > reader.size()) return true;
  reader.go_to(at);
  const std::string start = reader.take(8);
  const std::string_view name = std::string_view(start).substr(0, 4);
  if (is_tag(start) || std::find(known.begin(), known.end(), name) != known.end()) return true;
  const auto is_of_a_name = [](char c) { return std::isalnum(static_cast<unsigned char>(c)) != 0 || c == ' '; };
  const std::uint64_t size = little_endian(std::string_view(start).substr(4));
  if (std::all_of(name.begin(), name.end(), is_of_a_name) && at + 8 + size <= reader.size() + 1) return true;
  constexpr std::uint64_t some = 65536;
  reader.go_to(at);
  const std::string rest = reader.take(static_cast<std::size_t>(std::min(some, reader.size() - at)));
  return std::all_of(rest.begin(), rest.end(), [](char c) { return c == '\0'; });
}

struct WavChunks {
  std::uint64_t bytes_a_frame = 0;
  std::uint64_t long_size_at = 0;  // of RF64, where 32 bits were too few; 0: there is none
  std::uint64_t long_size = 0;
  std::uint64_t data_at = 0;  // its first sample
  std::uint64_t data_size = 0;
};

// Up to the sound; its place is 0 where it was not found.
WavChunks wav_chunks(HeaderReader& reader, RecordingHeader& header) {
  WavChunks chunks;
  while (reader.at() < most_before_sound) {
    const std::string head = reader.take(8);
    if (head.empty()) return chunks;
    const std::string_view name = std::string_view(head).substr(0, 4);
    const std::uint64_t size = little_endian(std::string_view(head).substr(4));
    if (name == "data") {
      chunks.data_at = reader.at();
      chunks.data_size = size;
      return chunks;
    }
    if (size > most_before_sound) return chunks;
    const std::uint64_t begin = reader.at();
    const std::string chunk = reader.take(size + size % 2);
    if (chunk.empty() && size > 0) return chunks;
    const std::string_view content = chunk;
    if (name == "fmt " && size >= 16) {
      header.channels = little_endian(content.substr(2, 2));
      header.sample_rate = static_cast<double>(static_cast<std::int32_t>(little_endian(content.substr(4, 4))));
      chunks.bytes_a_frame = little_endian(content.substr(12, 2));
    } else if (name == "ds64" && size >= 16) {
      chunks.long_size_at = begin + 8;
      chunks.long_size = little_endian(content.substr(8, 8));
    }
  }
  return chunks;
}

void read_wav(HeaderReader& reader, RecordingHeader& header) {
  const WavChunks chunks = wav_chunks(reader, header);
  if (chunks.data_at == 0 || chunks.bytes_a_frame == 0) return;
  const bool is_long = chunks.long_size_at != 0 && chunks.data_size == unknown_size;
  const std::uint64_t size = is_long ? chunks.long_size : chunks.data_size;
  const std::uint64_t there = reader.size() - chunks.data_at;
  const bool is_open = is_never_filled_in(size, there);
  if (!is_open) header.promised_frames = size / chunks.bytes_a_frame;
  // A chunk of odd size is followed by a byte that not all writers write.
  if (size <= there && (may_end_at(chunks.data_at + size + size % 2, reader) ||
                        (size % 2 == 1 && may_end_at(chunks.data_at + size, reader)))) {
    return;
  }
  if (!is_open && size >= there) return;
  header.promised_frames = 0;
  if (is_long) {
    header.instead.push_back({chunks.long_size_at, little_endian_bytes(there, 8)});
  } else if (there < unknown_size) {
    header.instead.push_back({chunks.data_at - 4, little_endian_bytes(there, 4)});
  } else {
    // What libsndfile takes for a wav that was not closed: all up to the end of the file.
    header.instead.push_back({4, little_endian_bytes(8, 4)});
    header.instead.push_back({chunks.data_at - 4, little_endian_bytes(0, 4)});
  }
  header.remark = is_open ? "its header does not tell its length, as of a recorder that was cut off or a program that "
                            "writes into a pipe"
                          : fmt::format("its header tells of {} bytes of sound, and there are {}", size, there);
}

// --- others ------------------------------------------------------------------------------------

void read_aiff(HeaderReader& reader, RecordingHeader& header) {
  while (reader.at() < most_before_sound) {
    const std::string head = reader.take(8);
    if (head.empty()) return;
    const std::uint64_t size = big_endian(std::string_view(head).substr(4));
    if (!head.starts_with("COMM")) {
      reader.go_to(reader.at() + size + size % 2);
      continue;
    }
    const std::string chunk = reader.take(18);
    if (chunk.empty()) return;
    const std::string_view content = chunk;
    header.channels = big_endian(content.substr(0, 2));
    header.promised_frames = big_endian(content.substr(2, 4));
    // 80 bits: the sign and 15 of the exponent, 64 of the fraction with the one before the point.
    constexpr int bias = 16383 + 63;
    const auto exponent = static_cast<int>(big_endian(content.substr(8, 2)));
    header.sample_rate = std::ldexp(static_cast<double>(big_endian(content.substr(10, 8))), exponent - bias);
    return;
  }
}

void read_au(std::string_view start, bool is_little, RecordingHeader& header) {
  const auto word = [&](std::size_t n) {
    return is_little ? little_endian(start.substr(4 * n, 4)) : big_endian(start.substr(4 * n, 4));
  };
  constexpr std::array<std::uint64_t, 8> bytes_a_sample = {0, 1, 1, 2, 3, 4, 4, 8};
  constexpr std::uint64_t a_law = 27;
  const std::uint64_t coding = word(3);
  const std::uint64_t of_sample = coding == a_law ? 1 : coding < bytes_a_sample.size() ? bytes_a_sample[coding] : 0;
  header.sample_rate = static_cast<double>(word(4));
  header.channels = word(5);
  const std::uint64_t size = word(2);
  if (size != unknown_size && of_sample * word(5) > 0) header.promised_frames = size / (of_sample * word(5));
}

void read_w64(HeaderReader& reader, RecordingHeader& header) {
  constexpr std::uint64_t head_size = 24;  // of a chunk, which its size counts too
  std::uint64_t bytes_a_frame = 0;
  reader.go_to(40);
  while (reader.at() < most_before_sound) {
    const std::uint64_t begin = reader.at();
    const std::string head = reader.take(head_size);
    if (head.empty()) return;
    const std::uint64_t size = little_endian(std::string_view(head).substr(16));
    if (size < head_size) return;
    if (head.starts_with("data")) {
      if (bytes_a_frame > 0) header.promised_frames = (size - head_size) / bytes_a_frame;
      return;
    }
    if (head.starts_with("fmt ")) {
      const std::string chunk = reader.take(16);
      if (chunk.empty()) return;
      const std::string_view content = chunk;
      header.channels = little_endian(content.substr(2, 2));
      header.sample_rate = static_cast<double>(little_endian(content.substr(4, 4)));
      bytes_a_frame = little_endian(content.substr(12, 2));
    }
    if (size > most_before_sound) return;
    reader.go_to(begin + (size + 7) / 8 * 8);
  }
}

// --- mp3 ---------------------------------------------------------------------------------------

// Where the frame begins that holds a count at `at`: behind 4 bytes and what a decoder keeps for itself, whose size
// depends on version and channels; with a checksum in between or not.
bool is_after_frame_head(std::string_view text, std::size_t at) {
  for (const std::size_t before : {36U, 38U, 21U, 23U, 13U, 15U}) {
    if (before > at) continue;
    const auto first = static_cast<unsigned char>(text[at - before]);
    const auto second = static_cast<unsigned char>(text[at - before + 1]);
    if (first == 0xFF && (second & 0xE6U) == 0xE2U) return true;  // layer III
  }
  return false;
}

// The first frame may tell how many frames and bytes follow. libmpg123 prints a warning of its own where the bytes are
// not those of the file, which no setting that libsndfile leaves to us turns off: it gets to see the size that is
// there.
void read_mp3(HeaderReader& reader, RecordingHeader& header) {
  reader.go_to(0);
  const std::string tag = reader.take(10);
  std::uint64_t begin = 0;
  if (tag.starts_with("ID3")) {
    for (const std::size_t i : {6U, 7U, 8U, 9U}) begin = begin << 7 | (static_cast<unsigned char>(tag[i]) & 0x7FU);
    begin += 10;
  }
  if (begin >= reader.size()) return;
  constexpr std::uint64_t first_frames = 4096;
  reader.go_to(begin);
  const std::string text = reader.take(static_cast<std::size_t>(std::min(first_frames, reader.size() - begin)));
  std::size_t at = std::string::npos;
  for (const std::string_view name : {"Xing", "Info"}) at = std::min(at, text.find(name));
  if (at == std::string::npos || at + 16 > text.size() || !is_after_frame_head(text, at)) return;
  const std::string_view content = std::string_view(text).substr(at);
  const std::uint64_t flags = big_endian(content.substr(4, 4));
  header.has_frame_count = (flags & 1U) != 0;
  if ((flags & 2U) == 0) return;
  const std::size_t place = at + (header.has_frame_count ? 12 : 8);
  const std::uint64_t size = reader.size() - begin;
  std::string bytes = little_endian_bytes(std::min<std::uint64_t>(size, unknown_size), 4);
  std::reverse(bytes.begin(), bytes.end());
  header.instead.push_back({begin + place, std::move(bytes)});
}

class ReplacedBytes : public RecordingBytes {
 public:
  ReplacedBytes(std::unique_ptr<RecordingBytes> bytes, std::vector<HeaderBytes> instead)
      : bytes_(std::move(bytes)), instead_(std::move(instead)) {}

  std::uint64_t size() const override { return bytes_->size(); }

  std::size_t read(std::uint64_t at, std::span<char> into) override {
    const std::size_t got = bytes_->read(at, into);
    for (const HeaderBytes& one : instead_) {
      const std::uint64_t first = std::max(at, one.at);
      const std::uint64_t end = std::min<std::uint64_t>(at + got, one.at + one.bytes.size());
      for (std::uint64_t i = first; i < end; ++i) into[i - at] = one.bytes[i - one.at];
    }
    return got;
  }

 private:
  std::unique_ptr<RecordingBytes> bytes_;
  std::vector<HeaderBytes> instead_;
};

}  // namespace

RecordingHeader recording_header(RecordingBytes& bytes) {
  RecordingHeader header;
  HeaderReader reader(bytes);
  const std::string text = reader.take(24);
  if (text.empty()) return header;
  const std::string_view start = text;
  const std::string_view kind = start.substr(0, 4);
  const std::string_view form = start.substr(8, 4);
  reader.go_to(12);
  if ((kind == "RIFF" || kind == "RF64") && form == "WAVE") {
    read_wav(reader, header);
  } else if (kind == "FORM" && (form == "AIFF" || form == "AIFC")) {
    read_aiff(reader, header);
  } else if (kind == ".snd" || kind == "dns.") {
    read_au(start, kind == "dns.", header);
  } else if (kind == "riff") {
    read_w64(reader, header);
  } else if (start.starts_with("ID3") ||
             (start[0] == '\xFF' && (static_cast<unsigned char>(start[1]) & 0xE6U) == 0xE2U)) {
    read_mp3(reader, header);
  }
  return header;
}

std::unique_ptr<RecordingBytes> with_header_bytes(std::unique_ptr<RecordingBytes> bytes,
                                                  std::vector<HeaderBytes> instead) {
  if (instead.empty()) return bytes;
  return std::make_unique<ReplacedBytes>(std::move(bytes), std::move(instead));
}

}  // namespace motet
