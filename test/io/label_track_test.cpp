#include "motet/io/label_track.h"

#include <cmath>

#include "io/support.h"
#include "motet/io/json.h"
#include "support/errors.h"

namespace motet::label_track_test {
namespace {

constexpr double unknown = std::numeric_limits<double>::quiet_NaN();

bool same(double a, double b) { return (std::isnan(a) && std::isnan(b)) || a == b; }

void expect_same(const std::vector<Segment>& read, const std::vector<Segment>& expected) {
  ASSERT_EQ(read.size(), expected.size());
  for (std::size_t i = 0; i < read.size(); ++i) {
    SCOPED_TRACE(i);
    EXPECT_EQ(read[i].sequence, expected[i].sequence);
    EXPECT_EQ(read[i].begin, expected[i].begin);
    EXPECT_EQ(read[i].end, expected[i].end);
    EXPECT_EQ(read[i].label, expected[i].label);
    EXPECT_TRUE(same(read[i].low_hz, expected[i].low_hz)) << read[i].low_hz;
    EXPECT_TRUE(same(read[i].high_hz, expected[i].high_hz)) << read[i].high_hz;
    EXPECT_TRUE(same(read[i].probability, expected[i].probability)) << read[i].probability;
  }
}

const std::vector<Segment> segments = {
    {"a.wav", 0.1, 1.0 / 3.0, "owl", 200.5, 1e4, 0.875},
    {"a.wav", 2.0, 2.0, "click \"loud\"", unknown, 8000.0, unknown},
    {"b, c.wav", 1e-7, 12345.678901234567, "", unknown, unknown, 1.0},
};

const FileReader audacity_file{"l.txt", [](const std::string& path) { return read_audacity_labels(path); }};

const FileReader raven_file{"r.txt", [](const std::string& path, const std::string& annotation = "") {
                              return read_raven_table(path, annotation);
                            }};

TEST(Audacity, RoundTripOfAllItCanHold) {
  std::vector<Segment> one = {segments[0], segments[1], segments[2]};
  one[2].sequence = "a.wav";
  const std::string text = audacity_labels(one);
  EXPECT_EQ(text,
            "0.1\t0.3333333333333333\towl\n\\\t200.5\t10000\n2\t2\tclick \"loud\"\n\\\t-1\t8000\n1e-07\t12345."
            "678901234567\t\n");
  for (Segment& segment : one) {
    segment.sequence = "";
    segment.probability = unknown;
  }
  const TemporaryFolder folder;
  expect_same(read_audacity_labels(folder.write("l.txt", text)), one);
}

TEST(Audacity, WhatOtherVersionsWrite) {
  const TemporaryFolder folder;
  folder.write("l.txt",
               "\xEF\xBB\xBF"
               "1.500000\t2.500000\twren\r\n\n3.0\tpoint\n4\n5\t6\n-1\t0.5\tearly\n");
  expect_same(read_audacity_labels(folder / "l.txt"),
              {{"", 1.5, 2.5, "wren"}, {"", 3, 3, "point"}, {"", 4, 4, ""}, {"", 5, 6, ""}, {"", -1, 0.5, "early"}});
  EXPECT_TRUE(read_audacity_labels(folder.write("empty.txt", "")).empty());
}

TEST(Audacity, Errors) {
  audacity_file.expect_errors(
      {{"1\t2\ta\nx\t3\tb\n", "l.txt:2: the start 'x' is not a finite number"},
       {"1\tx\ta\n", "l.txt:1: the end 'x' is not a finite number"},
       {"1\tnan\ta\n", "l.txt:1: the end 'nan' is not a finite number"},
       {"3\t2\ta\n", "l.txt:1: the end 2 is before the begin 3"},
       {"1\t2\ta\tb\n", "l.txt:1: there are more than three fields: start, end and text, with tabs between"},
       {"\\\t1\t2\n", "l.txt:1: a frequency range (\\) belongs after a label"},
       {"1\t2\ta\n\\\t1\t2\n\\\t1\t2\n", "l.txt:3: a frequency range (\\) belongs after a label"},
       {"1\t2\ta\n\\\t1\n", "l.txt:2: a frequency range needs a low and a high frequency"},
       {"1\t2\ta\n\\\t1\tx\n", "l.txt:2: the high frequency 'x' is not a finite number"},
       {"1\t2\ta\n\\\t9\t5\n", "l.txt:2: the high frequency 5 is below the low frequency 9"},
       {std::string("1\t2\ta\0b\n", 8), "l.txt: has zero bytes; a text file is needed"}});
}

TEST(Audacity, WhatItCannotHoldIsRefused) {
  const TemporaryFolder folder;
  EXPECT_EQ(folder.error_of([] { audacity_labels(segments); }, ErrorKind::unanswerable),
            "a label track holds one recording, and these segments lie in 'a.wav' and 'b, c.wav'; choose one, or csv, "
            "json or raven");
  for (const char* label : {"a\tb", "a\nb", "a\rb"}) {
    const std::vector<Segment> bad = {{"", 0, 1, label}};
    EXPECT_EQ(folder.error_of([&] { audacity_labels(bad); }, ErrorKind::unanswerable),
              "the label 'a b' has a tab or a line break, which this format cannot hold; csv and json can");
    EXPECT_EQ(folder.error_of([&] { raven_table(bad, {}); }, ErrorKind::unanswerable),
              "the label 'a b' has a tab or a line break, which this format cannot hold; csv and json can");
  }
  EXPECT_EQ(folder.error_of(
                [] {
                  raven_table(std::vector<Segment>{{"a\nb", 0, 1, ""}}, {});
                },
                ErrorKind::unanswerable),
            "the name 'a b' has a tab or a line break, which this format cannot hold; csv and json can");
}

TEST(Raven, RoundTrip) {
  const TemporaryFolder folder;
  const std::vector<RavenSound> sounds = {{"a.wav", 0.0, 12'000.0}, {"b, c.wav", 100.1, 4000.0}};
  const std::string text = raven_table(segments, sounds);
  EXPECT_EQ(text,
            "Selection\tView\tChannel\tBegin Time (s)\tEnd Time (s)\tLow Freq (Hz)\tHigh Freq (Hz)\tBegin File\tFile "
            "Offset (s)\tEnd Offset (s)\tAnnotation\tProbability\n"
            "1\tSpectrogram 1\t1\t0.1\t0.333333333\t200.5\t10000\ta.wav\t0.1\t0.3333333333333333\towl\t0.875\n"
            "2\tSpectrogram 1\t1\t2\t2\t0\t8000\ta.wav\t2\t2\tclick \"loud\"\t\n"
            "3\tSpectrogram 1\t1\t100.1000001\t12445.778901235\t0\t4000\tb, c.wav\t1e-07\t12345.678901234567\t\t1\n");
  std::vector<Segment> expected = segments;  // a range that was not known is all of it
  expected[1].low_hz = 0.0;
  expected[2].low_hz = 0.0;
  expected[2].high_hz = 4000.0;
  expect_same(read_raven_table(folder.write("r.txt", text)), expected);
  EXPECT_EQ(error_of([&] { raven_table(segments, {}); }, ErrorKind::internal),
            "Raven's table has no place for 'a.wav'");
}

TEST(Raven, TimesAreTheSameBitsInAnyFile) {
  const TemporaryFolder folder;
  std::vector<Segment> many;
  for (int i = 1; i < 200; ++i) many.push_back({"b.wav", 0.1 * i, 0.1 * i + 0.25, "x", 0.0, 1000.0});
  const std::string text = raven_table(many, std::vector<RavenSound>{{"b.wav", 1234.567, 4000.0}});
  expect_same(read_raven_table(folder.write("r.txt", text)), many);
}

TEST(Raven, TheFormBeforeIsReadToo) {
  const TemporaryFolder folder;
  folder.write(
      "r.txt",
      "Selection\tView\tChannel\tBegin Time (s)\tEnd Time (s)\tLow Freq (Hz)\tHigh Freq (Hz)\tBegin File\tFile "
      "Offset (s)\tAnnotation\tProbability\n"
      "1\tSpectrogram 1\t1\t0.1\t0.5\t\t\ta.wav\t0.1\towl\t0.875\n"
      "2\tSpectrogram 1\t1\t0.2\t0.7\t\t\tb.wav\t0.2\towl\t\n");
  expect_same(read_raven_table(folder / "r.txt"),
              {{"a.wav", 0.1, 0.5, "owl", unknown, unknown, 0.875}, {"b.wav", 0.2, 0.7, "owl"}});
}

TEST(Raven, TablesOfOthers) {
  const TemporaryFolder folder;
  // Two views of a selection, a species column, columns nobody knows, times along several files.
  folder.write(
      "r.txt",
      "Selection\tView\tChannel\tBegin Time (s)\tEnd Time (s)\tDelta Time (s)\tSpecies\tlow freq (hz)\tHigh Freq "
      "(Hz)\tBegin File\tFile Offset (s)\r\n"
      "1\tWaveform 1\t1\t10.5\t11.5\t1\twren\t\t\tx.wav\t0.5\r\n"
      "1\tSpectrogram 1\t1\t10.5\t11.5\t1\twren\t100\t200\tx.wav\t0.5\r\n"
      "2\tSpectrogram 1\t1\t3\t4\t1\t\t100\t200\r\n");
  expect_same(read_raven_table(folder / "r.txt"), {{"x.wav", 0.5, 1.5, "wren", 100, 200}, {"", 3, 4, "", 100, 200}});
  EXPECT_EQ(read_raven_table(folder / "r.txt", "View")[0].label, "Waveform 1");
}

TEST(Raven, Errors) {
  const std::string header = "Begin Time (s)\tEnd Time (s)\tAnnotation\n";
  raven_file.expect_errors(
      {{"", "r.txt: is empty; the first line must be the header"},
       {"1\t2\n",
        "r.txt:1: the columns 'Begin Time (s)' and 'End Time (s)' are needed, with tabs between; the first line must "
        "be the header"},
       {"Begin Time (s)\tEnd Time (s)\n1\t2\n",
        "r.txt:1: no column holds labels: none is called Annotation, Label, Species, Common Name, Species Code or "
        "Tags; name the one that does"}});
  EXPECT_EQ(raven_file.error(header, "kind"), "r.txt:1: there is no column 'kind'");
  raven_file.expect_errors({{header + "1\t2\ta\n1\t\tb\n", "r.txt:3: the end time '' is not a finite number"},
                            {header + "2\t1\ta\n", "r.txt:2: the end 1 is before the begin 2"},
                            {header + "1\t2\ta\tb\n", "r.txt:2: has 4 fields, the header 3"}});
}

TEST(SegmentsCsv, HasTheTimeOfDayWhereItIsKnown) {
  std::vector<Segment> all = {segments[0], segments[1]};
  all[0].begin_clock = "2026-05-19T04:31:12";
  EXPECT_EQ(segments_csv(all),
            "sequence,begin,end,label,probability,low_hz,high_hz,begin_clock\n"
            "a.wav,0.1,0.3333333333333333,owl,0.875,200.5,10000,2026-05-19T04:31:12\n"
            "a.wav,2,2,\"click \"\"loud\"\"\",,,8000,\n");
  EXPECT_EQ(segments_value(all).as_list()[0].at("begin_clock").as_text(), "2026-05-19T04:31:12");
  EXPECT_EQ(segments_value(all).as_list()[1].find("begin_clock"), nullptr);
}

TEST(SegmentsCsv, RoundTripWithAnyText) {
  const TemporaryFolder folder;
  std::vector<Segment> all = segments;
  all[0].label = "a\tb\n\"c\", d";
  const std::string text = segments_csv(all);
  EXPECT_EQ(text,
            "sequence,begin,end,label,probability,low_hz,high_hz\n"
            "a.wav,0.1,0.3333333333333333,\"a\tb\n\"\"c\"\", d\",0.875,200.5,10000\n"
            "a.wav,2,2,\"click \"\"loud\"\"\",,,8000\n"
            "\"b, c.wav\",1e-07,12345.678901234567,,1,,\n");
  expect_same(read_segments_csv(folder.write("s.csv", text)), all);
  EXPECT_EQ(segments_csv(std::vector<Segment>{{"a", 0, 1, "x"}}), "sequence,begin,end,label,probability\na,0,1,x,\n");
}

TEST(SegmentsCsv, Errors) {
  const TemporaryFolder folder;
  const auto error = [&](std::string_view text) {
    folder.write("s.csv", text);
    return folder.error_of([&] { read_segments_csv(folder / "s.csv"); });
  };
  expect_each(error,
              {{"begin,end\n1,2\n", "s.csv:1: columns 'begin', 'end' and 'label' are needed; found 'begin', 'end'"},
               {"begin,end,label\n1,x,a\n", "s.csv:2: column 'end': 'x' is not a finite number"},
               {"begin,end,label\n2,1,a\n", "s.csv:2: the end 1 is before the begin 2"},
               {"begin,end,label,probability\n1,2,a,1.5\n", "s.csv:2: the probability 1.5 is outside [0, 1]"}});
}

TEST(AnySegments, AreReadAsWhatTheyLookLike) {
  const std::vector<Segment> one = {{"", 1.0, 2.5, "owl", unknown, unknown, unknown}};
  const TemporaryFolder folder;
  expect_same(read_any_segments(folder.write("a.txt", "1\t2.5\towl\n")), one);
  expect_same(read_any_segments(folder.write("r.txt", "Begin Time (s)\tEnd Time (s)\tSpecies\n1\t2.5\towl\n")), one);
  expect_same(read_any_segments(folder.write("t.csv", "sequence,begin,end,label,probability\n,1,2.5,owl,\n")), one);
}

TEST(SegmentsJson, UnknownFieldsAreLeftOut) {
  EXPECT_EQ(to_json(segments_value(std::vector<Segment>{segments[0], {"", 1, 2, "x"}}), 0),
            "[{\"begin\":0.1,\"end\":0.3333333333333333,\"label\":\"owl\",\"sequence\":\"a.wav\",\"low_hz\":200.5,"
            "\"high_hz\":10000.0,\"probability\":0.875},{\"begin\":1.0,\"end\":2.0,\"label\":\"x\"}]");
}

}  // namespace
}  // namespace motet::label_track_test
