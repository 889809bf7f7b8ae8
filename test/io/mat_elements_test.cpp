// Files made byte by byte, as MATLAB's description of level 5 has them.
#include "motet/io/mat_elements.h"

#include <zlib.h>

#include <bit>
#include <cstdint>
#include <cstring>

#include "io/support.h"
#include "support/words.h"

namespace motet::mat_elements_test {
namespace {

constexpr const char* cut = "x.mat: the .mat file is damaged or cut short; fetch or save it again";

// Words in the order of the machine that wrote the file, which need not be ours.
struct Writer {
  bool is_little = true;

  std::string word(std::uint32_t value) const {
    std::string bytes;
    for (int i = 0; i < 4; ++i) bytes.push_back(static_cast<char>(value >> (8 * (is_little ? i : 3 - i))));
    return bytes;
  }
  std::string header() const {
    std::string text(124, ' ');
    return text + (is_little ? std::string("\0\1IM", 4) : std::string("\1\0MI", 4));
  }
  // Filled up to a multiple of 8 bytes.
  std::string element(std::uint32_t type, std::string content) const {
    const std::string tag = word(type) + word(static_cast<std::uint32_t>(content.size()));
    content.resize((content.size() + 7) / 8 * 8);
    return tag + content;
  }
  // Up to 4 bytes, in the tag itself.
  std::string small(std::uint32_t type, std::string content) const {
    const auto size = static_cast<std::uint32_t>(content.size());
    content.resize(4);
    return word(size << 16 | type) + content;
  }
  // rows x columns numbers of `numbers` bytes, called "a".
  std::string matrix(std::uint32_t rows, std::uint32_t columns, const std::string& numbers, std::uint32_t kind = 6,
                     std::uint32_t type = 9) const {
    return element(14, element(6, word(kind) + word(0)) + element(5, word(rows) + word(columns)) + small(1, "a") +
                           element(type, numbers));
  }
};

std::string packed(const std::string& element) {
  std::string bytes(compressBound(element.size()), '\0');
  uLongf size = bytes.size();
  compress(reinterpret_cast<Bytef*>(bytes.data()), &size, reinterpret_cast<const Bytef*>(element.data()),
           element.size());
  bytes.resize(size);
  const Writer writer;
  return writer.word(15) + writer.word(static_cast<std::uint32_t>(size)) + bytes;  // not filled up
}

std::string told(const std::string& bytes) {
  const TemporaryFolder folder;
  const std::string path = folder.write("x.mat", bytes);
  try {
    check_mat_elements(path);
    return "accepted";
  } catch (const Error& error) {
    EXPECT_EQ(error.kind(), ErrorKind::bad_data);
    return folder.without_path(error.what());
  }
}

TEST(MatElements, WholeFilesAreAcceptedInEitherOrderOfBytes) {
  for (const bool is_little : {true, false}) {
    const Writer w{is_little};
    EXPECT_EQ(told(w.header()), "accepted");
    EXPECT_EQ(told(w.header() + w.matrix(2, 3, std::string(48, 'x'))), "accepted");
    EXPECT_EQ(told(w.header() + w.matrix(2, 3, std::string(6, 'x'), 6, 2) + w.matrix(1, 1, std::string(8, 'x'))),
              "accepted");
    EXPECT_EQ(told(w.header() + w.element(1, "any other thing.") + w.matrix(0, 5, "")), "accepted");
  }
  EXPECT_EQ(told(Writer{}.header() + packed(Writer{}.matrix(2, 3, std::string(48, 'x')))), "accepted");
}

TEST(MatElements, FilesThatEndAnywhereElseAreRefused) {
  const Writer w;
  const std::string head = w.header() + w.matrix(1, 1, std::string(8, 'x'));
  for (const std::string& last : {w.matrix(2, 3, std::string(48, 'x')), packed(w.matrix(2, 3, std::string(48, 'x')))}) {
    for (std::size_t kept = 1; kept < last.size(); ++kept) EXPECT_EQ(told(head + last.substr(0, kept)), cut) << kept;
  }
}

TEST(MatElements, ANumberOfValuesThatIsNotThatOfTheSizesIsRefused) {
  const Writer w;
  EXPECT_EQ(told(w.header() + w.matrix(2, 3, std::string(40, 'x'))), cut);
  EXPECT_EQ(told(w.header() + w.matrix(2, 2, std::string(48, 'x'))), cut);
  EXPECT_EQ(told(w.header() + w.matrix(2, 3, std::string(6, 'x'))), cut);  // bytes that are said to be doubles
  EXPECT_EQ(told(w.header() + packed(w.matrix(2, 2, std::string(48, 'x')))), cut);
  // Of sizes that overflow 32 and 64 bits together.
  EXPECT_EQ(told(w.header() + w.matrix(1U << 31, 1U << 31, std::string(8, 'x'))), cut);
  // Cells are matrices themselves, so there cannot be more of them than bytes.
  EXPECT_EQ(told(w.header() + w.matrix(1000, 1000, std::string(8, 'x'), 1, 14)), cut);
}

TEST(MatElements, ElementsThatReachBeyondTheMatrixAreRefused) {
  const Writer w;
  const std::string inside = w.element(6, w.word(6) + w.word(0)) + w.element(5, w.word(1) + w.word(1));
  EXPECT_EQ(told(w.header() + w.element(14, inside + w.small(1, "a") + w.word(9) + w.word(800))), cut);
  EXPECT_EQ(told(w.header() + w.element(14, inside + w.word(5U << 16 | 1) + "abcd")), cut);  // 5 bytes in 4
  EXPECT_EQ(told(w.header() + w.element(14, w.word(6))), cut);                               // too short for a tag
}

TEST(MatElements, APackedElementMustUnpackToWhatItSays) {
  const Writer w;
  std::string whole = packed(w.matrix(2, 3, std::string(48, 'x')));
  EXPECT_EQ(told(w.header() + packed(w.matrix(2, 3, std::string(48, 'x')) + "more")), cut);
  EXPECT_EQ(told(w.header() + packed(w.element(1, "no matrix"))), cut);
  whole.back() = static_cast<char>(whole.back() ^ 1);  // of its checksum
  EXPECT_EQ(told(w.header() + whole), cut);
}

TEST(MatElements, OtherFilesAreToldFromDamagedOnes) {
  EXPECT_EQ(told(""), "x.mat: is no .mat file that can be read");
  EXPECT_EQ(told(std::string(500, 'x')), "x.mat: is no .mat file that can be read");
  std::string newer = Writer{}.header();
  newer[125] = 2;
  EXPECT_EQ(told(newer), "x.mat: is of MATLAB's version 7.3, which is not read; save it with -v7");
}

}  // namespace
}  // namespace motet::mat_elements_test
