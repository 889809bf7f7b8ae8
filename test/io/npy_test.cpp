#include "motet/io/npy.h"

#include <cmath>
#include <cstdint>
#include <cstring>
#include <limits>

#include "io/support.h"
#include "support/errors.h"

namespace motet::npy_test {
namespace {

using Numbers = std::vector<double>;

// As numpy.save writes it.
template <class T>
std::string npy(std::string_view type, std::string_view order, std::string_view shape, std::vector<T> numbers,
                int version = 1) {
  std::string header = "{'descr': '" + std::string(type) + "', 'fortran_order': " + std::string(order) +
                       ", 'shape': " + std::string(shape) + ", }";
  const std::size_t before = version == 1 ? 10 : 12;
  header.append(63 - (before + header.size()) % 64, ' ');
  header += '\n';
  std::string text = "\x93NUMPY";
  text += {static_cast<char>(version), '\0', static_cast<char>(header.size() % 256),
           static_cast<char>(header.size() / 256)};
  if (version > 1) text += {'\0', '\0'};
  text += header;
  const std::size_t start = text.size();
  text.resize(start + numbers.size() * sizeof(T));
  if (!numbers.empty()) std::memcpy(text.data() + start, numbers.data(), numbers.size() * sizeof(T));
  return text;
}

NpyArray table_in(const std::string& bytes) {
  const TemporaryFolder folder;
  return read_npy(folder.write("x.npy", bytes), {});
}

std::string error_in(const std::string& bytes) {
  const TemporaryFolder folder;
  folder.write("x.npy", bytes);
  return folder.error_of([&] { read_features_npy(folder / "x.npy", {}, {}); });
}

TEST(ReadNpy, AllKindsOfNumbers) {
  const Numbers expected = {1, 2, 3, 4, 5, 6};
  for (const NpyArray& table : {table_in(npy<double>("<f8", "False", "(2, 3)", {1, 2, 3, 4, 5, 6})),
                                table_in(npy<float>("<f4", "False", "(2, 3)", {1, 2, 3, 4, 5, 6}, 2)),
                                table_in(npy<std::int32_t>("<i4", "False", "(2, 3)", {1, 2, 3, 4, 5, 6}, 3)),
                                table_in(npy<std::int64_t>("<i8", "False", "(2, 3)", {1, 2, 3, 4, 5, 6})),
                                table_in(npy<double>("<f8", "True", "(2, 3)", {1, 4, 2, 5, 3, 6}))}) {
    EXPECT_EQ(table.rows, 2U);
    EXPECT_EQ(table.columns, 3U);
    EXPECT_EQ(table.values, expected);
  }
}

// 80 bytes are believed for what they can hold, not for what they promise.
TEST(ReadNpy, APromiseBeyondTheFileIsRefusedBeforeAnythingIsTaken) {
  EXPECT_EQ(error_in(npy<double>("<f8", "False", "(1000, 1)", {1, 2})),
            "x.npy: is cut short: 1000 numbers are promised");
  EXPECT_EQ(error_in(npy<double>("<f8", "False", "(1, 1000000000000)", {1, 2})),
            "x.npy: is cut short: 1000000000000 numbers are promised");
}

TEST(ReadNpy, OneDimensionIsOneColumn) {
  for (const std::string order : {"False", "True"}) {
    const NpyArray table = table_in(npy<float>("<f4", order, "(3,)", {0.5, 1.5, 2.5}));
    EXPECT_EQ(table.rows, 3U);
    EXPECT_EQ(table.columns, 1U);
    EXPECT_EQ(table.values, (Numbers{0.5, 1.5, 2.5}));
  }
}

TEST(ReadNpy, MoreThanOneChunk) {
  Numbers many(300'001);
  for (std::size_t i = 0; i < many.size(); ++i) many[i] = static_cast<double>(i);
  EXPECT_EQ(table_in(npy("<f8", "False", "(300001,)", many)).values, many);
}

TEST(WriteNpy, SameBytesAsNumpyAndBack) {
  const TemporaryFolder folder;
  const NpyArray table{2, 2, {1.5, -0.1, 1e300, 5e-324}};
  write_npy(folder / "x.npy", table);
  EXPECT_EQ(folder.read("x.npy"), npy("<f8", "False", "(2, 2)", table.values));
  EXPECT_EQ(read_npy(folder / "x.npy", {}).values, table.values);
}

TEST(ReadNpy, Errors) {
  const std::string good = npy<double>("<f8", "False", "(2, 2)", {1, 2, 3, 4});
  const double nan = std::numeric_limits<double>::quiet_NaN();
  const double inf = std::numeric_limits<double>::infinity();
  expect_each(
      error_in,
      {{"a,b\n1,2\n", "x.npy: is not an .npy file"},
       {"", "x.npy: is not an .npy file"},
       {good.substr(0, 9), "x.npy: is cut short in its header"},
       {good.substr(0, 40), "x.npy: is cut short in its header"},
       {good.substr(0, good.size() - 9), "x.npy: is cut short: 2 of 4 numbers are there"},
       {good + "x", "x.npy: has more in it than the 4 numbers promised"},
       {npy<double>("<f8", "False", "(99999999999999, 2)", {}),
        "x.npy: is cut short: 199999999999998 numbers are promised"},
       {npy<double>("<f8", "False", "(2, 2), 3", {}, 9), "x.npy: has .npy version 9; 1 to 3 are known"},
       {npy<double>("<f8", "False", "(1, 2, 2)", {1, 2, 3, 4}),
        "x.npy: the array has 3 dimensions; 1 or 2 are allowed"},
       {npy<double>("<f8", "False", "()", {1}), "x.npy: the array has 0 dimensions; 1 or 2 are allowed"},
       {npy<double>("<f8", "False", "(a,)", {1}), "x.npy: the shape is broken"},
       {npy<double>(">f8", "False", "(1,)", {1}), "x.npy: holds big-endian numbers ('>f8'); little-endian is needed"},
       {npy<double>("<c16", "False", "(1,)", {1, 1}),
        "x.npy: holds numbers of type '<c16'; f4, f8, i4 and i8 are allowed"},
       {npy<double>("<f8", "False", "(2, 2)", {1, 2, nan, 4}),
        "x.npy: row 2 column 1 is nan; every feature needs a finite number"},
       {npy<double>("<f8", "True", "(2, 2)", {1, -inf, 3, 4}),
        "x.npy: row 2 column 1 is -inf; every feature needs a finite number"},
       {npy<std::int64_t>("<i8", "False", "(1,)", {9007199254740993}),
        "x.npy: holds 9007199254740993, which double precision cannot; whole numbers up to 2^53 are allowed"},
       {npy<double>("<f8", "False", "(0, 2)", {}), "x.npy: there are no rows"},
       {npy<double>("<f8", "False", "(2, 0)", {}), "x.npy: there are no columns"},
       {"\x93NUMPY\x01" + std::string(1, '\0') + "\x03" + std::string(1, '\0') + "{ }",
        "x.npy: the header has no 'descr'"}});
}

}  // namespace
}  // namespace motet::npy_test
