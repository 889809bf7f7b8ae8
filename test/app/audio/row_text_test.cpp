#include "motet/app/audio/row_text.h"

#include <gtest/gtest.h>

#include <cstring>

namespace motet::audio::row_text_test {
namespace {

RowShape shape_with(FrameClock clock) { return {{"a", "b c"}, {"dB", "Hz"}, clock, Value::object({{"hop", "0.5"}})}; }

const std::vector<double> rows = {1.5, -2.0, 0.1, 1e-7};

TEST(RowText, OfCsv) {
  const RowShape shape = shape_with({0.5, 1.0});
  EXPECT_EQ(row_header(RowFile::csv, shape, 0), "sequence,time,a,b c\n");
  EXPECT_EQ(row_text(RowFile::csv, shape, "x,1.wav", 3, rows), "\"x,1.wav\",1.5,1.5,-2\n\"x,1.wav\",2,0.1,1e-07\n");
}

TEST(RowText, OfRowsForWholeRecordings) {
  const RowShape shape = shape_with({});
  EXPECT_EQ(row_header(RowFile::csv, shape, 0), "item,a,b c\n");
  EXPECT_EQ(row_text(RowFile::csv, shape, "x.wav", 0, std::span(rows).first(2)), "x.wav,1.5,-2\n");
}

TEST(RowText, OfArff) {
  const RowShape shape = shape_with({0.5, 1.0});
  EXPECT_EQ(row_header(RowFile::arff, shape, 0),
            "% {\"kind\":\"motet audio features\",\"version\":1,\"columns\":[\"a\",\"b c\"],\"units\":[\"dB\",\"Hz\"],"
            "\"hop\":0.5,\"window\":1.0,\"options\":{\"hop\":\"0.5\"}}\n"
            "@relation 'motet audio features'\n@attribute sequence string\n@attribute time numeric\n"
            "@attribute a numeric % dB\n@attribute 'b c' numeric % Hz\n@data\n");
  EXPECT_EQ(row_text(RowFile::arff, shape, "it's.wav", 0, rows), "'it\\'s.wav',0,1.5,-2\n'it\\'s.wav',0.5,0.1,1e-07\n");
}

TEST(RowText, OfJsonLines) {
  const RowShape shape = shape_with({0.5, 1.0});
  EXPECT_TRUE(row_header(RowFile::json_lines, shape, 0).starts_with("{\"kind\":\"motet audio features\""));
  EXPECT_EQ(row_text(RowFile::json_lines, shape, "x.wav", 1, rows),
            "{\"sequence\":\"x.wav\",\"time\":0.5,\"values\":[1.5,-2.0]}\n"
            "{\"sequence\":\"x.wav\",\"time\":1.0,\"values\":[0.1,1e-07]}\n");
}

TEST(RowText, OfNpyHasAHeaderOfOneLength) {
  const RowShape shape = shape_with({0.5, 1.0});
  EXPECT_EQ(row_header(RowFile::npy, shape, 0).size(), row_header(RowFile::npy, shape, 123'456'789'012).size());
  const std::string bytes = row_text(RowFile::npy, shape, "x.wav", 0, rows);
  ASSERT_EQ(bytes.size(), 32U);
  EXPECT_EQ(std::memcmp(bytes.data(), rows.data(), 32), 0);
}

TEST(RowFile, ByTheEndOfTheName) {
  EXPECT_EQ(row_file_of("a.csv"), RowFile::csv);
  EXPECT_EQ(row_file_of("-"), RowFile::csv);
  EXPECT_EQ(row_file_of("a.npy"), RowFile::npy);
  EXPECT_EQ(row_file_of("a.arff"), RowFile::arff);
  EXPECT_EQ(row_file_of("a.jsonl"), RowFile::json_lines);
}

}  // namespace
}  // namespace motet::audio::row_text_test
