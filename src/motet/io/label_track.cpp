#include "motet/io/label_track.h"

#include <fmt/format.h>

#include <algorithm>
#include <cctype>
#include <cmath>
#include <map>
#include <optional>
#include <sstream>
#include <string_view>
#include <utility>

#include "motet/base/error.h"
#include "motet/base/fields.h"
#include "motet/base/numeric.h"
#include "motet/io/csv_writer.h"
#include "motet/io/file.h"
#include "motet/io/table_reader.h"
#include "motet/io/words.h"

namespace motet {
namespace {

std::vector<std::string_view> split(std::string_view line, char delimiter) {
  std::vector<std::string_view> fields;
  while (true) {
    const std::size_t end = line.find(delimiter);
    fields.push_back(line.substr(0, end));
    if (end == std::string_view::npos) return fields;
    line.remove_prefix(end + 1);
  }
}

// Lines of a text file that has no quoting, with their numbers.
class Lines {
 public:
  explicit Lines(const std::string& path) : path_(path), text_(read_whole(path)), rest_(text_) {
    if (rest_.starts_with("\xEF\xBB\xBF")) rest_.remove_prefix(3);
    if (rest_.find('\0') != std::string_view::npos) {
      fail(ErrorKind::bad_data, path + ": has zero bytes; a text file is needed");
    }
  }

  // The next line that is not blank, without its end.
  bool next(std::string_view& line) {
    while (!rest_.empty()) {
      const std::size_t end = std::min(rest_.find('\n'), rest_.size());
      line = rest_.substr(0, end);
      rest_.remove_prefix(std::min(end + 1, rest_.size()));
      ++number_;
      if (line.ends_with('\r')) line.remove_suffix(1);
      if (line.find_first_not_of(" \t") != std::string_view::npos) return true;
    }
    return false;
  }

  [[noreturn]] void fail_here(std::string_view problem) const {
    fail(ErrorKind::bad_data, fmt::format("{}:{}: {}", path_, number_, problem));
  }

  double number(std::string_view text, std::string_view what) const {
    const auto parsed = parse_double(text);
    if (!parsed) fail_here(fmt::format("{} '{}' is not a finite number", what, text));
    return parsed.value();
  }

 private:
  std::string path_;
  std::string text_;
  std::string_view rest_;
  std::size_t number_ = 0;
};

std::optional<std::string> problem_of(const Segment& segment) {
  if (segment.end < segment.begin) {
    return fmt::format("the end {} is before the begin {}", to_text(segment.end), to_text(segment.begin));
  }
  if (segment.high_hz < segment.low_hz) {
    return fmt::format("the high frequency {} is below the low frequency {}", to_text(segment.high_hz),
                       to_text(segment.low_hz));
  }
  if (segment.probability < 0.0 || segment.probability > 1.0) {
    return fmt::format("the probability {} is outside [0, 1]", to_text(segment.probability));
  }
  return std::nullopt;
}

void check(const Lines& lines, const Segment& segment) {
  if (const auto problem = problem_of(segment)) lines.fail_here(*problem);
}

// Audacity knows an unknown frequency as a negative one.
double frequency_in(const Lines& lines, std::string_view text, std::string_view what) {
  const double number = lines.number(text, what);
  return number < 0.0 ? no_number : number;
}

Segment audacity_segment(const Lines& lines, std::string_view line) {
  const std::size_t first = line.find('\t');
  Segment segment;
  segment.begin = lines.number(line.substr(0, first), "the start");
  segment.end = segment.begin;
  if (first == std::string_view::npos) return segment;
  std::string_view rest = line.substr(first + 1);
  const std::size_t second = rest.find('\t');
  // Old versions wrote point labels as `start TAB text`.
  if (second == std::string_view::npos && !parse_double(rest)) {
    segment.label = std::string(rest);
    return segment;
  }
  segment.end = lines.number(rest.substr(0, second), "the end");
  if (second != std::string_view::npos) segment.label = std::string(rest.substr(second + 1));
  if (segment.label.find('\t') != std::string::npos) {
    lines.fail_here("there are more than three fields: start, end and text, with tabs between");
  }
  return segment;
}

void require_no_breaks(std::string_view text, std::string_view what) {
  if (text.find_first_of("\t\n\r") == std::string_view::npos) return;
  std::string shown(text);
  std::replace_if(
      shown.begin(), shown.end(), [](char c) { return c == '\t' || c == '\n' || c == '\r'; }, ' ');
  fail(ErrorKind::unanswerable,
       fmt::format("the {} '{}' has a tab or a line break, which this format cannot hold; csv and json can", what,
                   shown));
}

// In the sound of all recordings together. What is exact stands in the columns of offsets; more digits here would only
// be noise of the sum.
std::string raven_time(const RavenSound& sound, double seconds) {
  return to_text(std::round((sound.begin + seconds) * 1e9) / 1e9);
}

std::string number_text(double number) { return std::isnan(number) ? "" : to_text(number); }

struct RavenColumns {
  static constexpr std::size_t none = static_cast<std::size_t>(-1);
  std::size_t selection = none;
  std::size_t begin = none;
  std::size_t end = none;
  std::size_t low = none;
  std::size_t high = none;
  std::size_t file = none;
  std::size_t offset = none;
  std::size_t end_offset = none;
  std::size_t label = none;
  std::size_t probability = none;
};

RavenColumns raven_columns(const Lines& lines, std::string_view header, const std::string& annotation) {
  std::vector<std::string> names;
  for (const std::string_view name : split(header, '\t')) names.push_back(lower(name));
  const auto find = [&](std::string_view name) {
    const auto found = std::find(names.begin(), names.end(), lower(name));
    return found == names.end() ? RavenColumns::none : static_cast<std::size_t>(found - names.begin());
  };
  RavenColumns columns{find("Selection"),      find("Begin Time (s)"), find("End Time (s)"),    find("Low Freq (Hz)"),
                       find("High Freq (Hz)"), find("Begin File"),     find("File Offset (s)"), find("End Offset (s)"),
                       RavenColumns::none,     find("Probability")};
  if (columns.begin == RavenColumns::none || columns.end == RavenColumns::none) {
    lines.fail_here(
        "the columns 'Begin Time (s)' and 'End Time (s)' are needed, with tabs between; the first line must be "
        "the header");
  }
  if (!annotation.empty()) {
    columns.label = find(annotation);
    if (columns.label == RavenColumns::none) lines.fail_here(fmt::format("there is no column '{}'", annotation));
    return columns;
  }
  for (const char* usual : {"Annotation", "Label", "Species", "Common Name", "Species Code", "Tags"}) {
    if (columns.label == RavenColumns::none) columns.label = find(usual);
  }
  if (columns.label == RavenColumns::none) {
    lines.fail_here(
        "no column holds labels: none is called Annotation, Label, Species, Common Name, Species Code or "
        "Tags; name the one that does");
  }
  return columns;
}

Segment raven_segment(const Lines& lines, const RavenColumns& columns, std::span<const std::string_view> fields) {
  const auto text = [&](std::size_t column) {
    return column == RavenColumns::none ? std::string_view() : fields[column];
  };
  const auto number_or_unknown = [&](std::size_t column, std::string_view what) {
    return text(column).empty() ? no_number : lines.number(text(column), what);
  };
  Segment segment;
  segment.sequence = std::string(text(columns.file));
  segment.begin = lines.number(text(columns.begin), "the begin time");
  segment.end = lines.number(text(columns.end), "the end time");
  segment.label = std::string(text(columns.label));
  segment.low_hz = number_or_unknown(columns.low, "the low frequency");
  segment.high_hz = number_or_unknown(columns.high, "the high frequency");
  segment.probability = number_or_unknown(columns.probability, "the probability");
  check(lines, segment);
  const double offset = number_or_unknown(columns.offset, "the file offset");
  if (columns.file != RavenColumns::none && !std::isnan(offset) && offset != segment.begin) {
    segment.end = offset + (segment.end - segment.begin);
    segment.begin = offset;
  }
  // Exact where the difference above is rounded.
  const double end_offset = number_or_unknown(columns.end_offset, "the end offset");
  if (!std::isnan(offset) && end_offset >= offset) {
    segment.begin = offset;
    segment.end = end_offset;
  }
  return segment;
}

}  // namespace

std::vector<Segment> read_audacity_labels(const std::string& path) {
  Lines lines(path);
  std::vector<Segment> segments;
  bool may_have_range = false;
  for (std::string_view line; lines.next(line);) {
    if (!line.starts_with("\\\t")) {
      segments.push_back(audacity_segment(lines, line));
      check(lines, segments.back());
      may_have_range = true;
      continue;
    }
    const std::vector<std::string_view> fields = split(line, '\t');
    if (!may_have_range) lines.fail_here("a frequency range (\\) belongs after a label");
    if (fields.size() != 3) lines.fail_here("a frequency range needs a low and a high frequency");
    segments.back().low_hz = frequency_in(lines, fields[1], "the low frequency");
    segments.back().high_hz = frequency_in(lines, fields[2], "the high frequency");
    check(lines, segments.back());
    may_have_range = false;
  }
  return segments;
}

std::vector<Segment> read_raven_table(const std::string& path, const std::string& annotation) {
  Lines lines(path);
  std::string_view line;
  if (!lines.next(line)) fail(ErrorKind::bad_data, path + ": is empty; the first line must be the header");
  const RavenColumns columns = raven_columns(lines, line, annotation);
  const std::size_t width = split(line, '\t').size();
  std::vector<Segment> segments;
  std::map<std::pair<std::string, std::string>, std::size_t> seen;  // file and number of a selection
  while (lines.next(line)) {
    std::vector<std::string_view> fields = split(line, '\t');
    if (fields.size() > width) lines.fail_here(fmt::format("has {} fields, the header {}", fields.size(), width));
    fields.resize(width);  // tools leave out tabs at the end
    Segment segment = raven_segment(lines, columns, fields);
    if (columns.selection != RavenColumns::none && !fields[columns.selection].empty()) {
      const auto [place, is_new] =
          seen.try_emplace({segment.sequence, std::string(fields[columns.selection])}, segments.size());
      Segment* const earlier = is_new ? nullptr : &segments[place->second];
      // The same selection in the waveform and in the spectrogram; the former may lack its frequencies.
      if (earlier != nullptr && earlier->begin == segment.begin && earlier->end == segment.end &&
          earlier->label == segment.label) {
        if (std::isnan(earlier->low_hz)) earlier->low_hz = segment.low_hz;
        if (std::isnan(earlier->high_hz)) earlier->high_hz = segment.high_hz;
        continue;
      }
    }
    segments.push_back(std::move(segment));
  }
  return segments;
}

std::vector<Segment> read_segments_csv(const std::string& path, char delimiter) {
  TableReader table(path, delimiter);
  table.require_names();
  const FoundColumn begin = table.find({"begin"});
  const FoundColumn end = table.find({"end"});
  const FoundColumn label = table.find({"label"});
  table.require({begin, end, label});
  const FoundColumn sequence = table.find({"sequence"});
  const FoundColumn probability = table.find({"probability"});
  const FoundColumn low = table.find({"low_hz"});
  const FoundColumn high = table.find({"high_hz"});
  std::vector<Segment> segments;
  table.for_each_row([&](const TableRow& row) {
    Segment segment;
    segment.sequence = std::string(row.text(sequence));
    segment.begin = row.number(begin.place);
    segment.end = row.number(end.place);
    segment.label = std::string(row.text(label));
    segment.probability = row.number_or_unknown(probability.place);
    segment.low_hz = row.number_or_unknown(low.place);
    segment.high_hz = row.number_or_unknown(high.place);
    if (const auto problem = problem_of(segment)) row.fail(*problem);
    segments.push_back(std::move(segment));
  });
  return segments;
}

std::vector<Segment> read_any_segments(const std::string& path) {
  const std::string name = lower(path);
  if (name.ends_with(".csv") || name.ends_with(".csv.gz")) return read_segments_csv(path);
  const std::string text = read_whole(path);
  const std::string header = lower(text.substr(0, text.find('\n')));
  return header.find("begin time (s)") != std::string::npos ? read_raven_table(path) : read_audacity_labels(path);
}

std::string audacity_labels(std::span<const Segment> segments) {
  std::string text;
  for (const Segment& segment : segments) {
    if (segment.sequence != segments.front().sequence) {
      fail(
          ErrorKind::unanswerable,
          fmt::format("a label track holds one recording, and these segments lie in '{}' and '{}'; choose one, or csv, "
                      "json or raven",
                      segments.front().sequence, segment.sequence));
    }
    require_no_breaks(segment.label, "label");
    text += fmt::format("{}\t{}\t{}\n", to_text(segment.begin), to_text(segment.end), segment.label);
    if (std::isnan(segment.low_hz) && std::isnan(segment.high_hz)) continue;
    const auto frequency = [](double hz) { return std::isnan(hz) ? "-1" : to_text(hz); };
    text += fmt::format("\\\t{}\t{}\n", frequency(segment.low_hz), frequency(segment.high_hz));
  }
  return text;
}

std::string raven_table(std::span<const Segment> segments, std::span<const RavenSound> sounds) {
  std::string text =
      "Selection\tView\tChannel\tBegin Time (s)\tEnd Time (s)\tLow Freq (Hz)\tHigh Freq (Hz)\tBegin File\tFile Offset "
      "(s)\tEnd Offset (s)\tAnnotation\tProbability\n";
  for (std::size_t i = 0; i < segments.size(); ++i) {
    const Segment& segment = segments[i];
    require_no_breaks(segment.sequence, "name");
    require_no_breaks(segment.label, "label");
    const auto sound =
        std::find_if(sounds.begin(), sounds.end(), [&](const RavenSound& one) { return one.name == segment.sequence; });
    if (sound == sounds.end()) {
      fail(ErrorKind::internal, fmt::format("Raven's table has no place for '{}'", segment.sequence));
    }
    const double low = std::isnan(segment.low_hz) ? 0.0 : segment.low_hz;
    const double high = std::isnan(segment.high_hz) ? std::max(low, sound->high_hz) : segment.high_hz;
    text += fmt::format("{}\tSpectrogram 1\t1\t{}\t{}\t{}\t{}\t{}\t{}\t{}\t{}\t{}\n", i + 1,
                        raven_time(*sound, segment.begin), raven_time(*sound, segment.end), to_text(low), to_text(high),
                        segment.sequence, to_text(segment.begin), to_text(segment.end), segment.label,
                        number_text(segment.probability));
  }
  return text;
}

std::string segments_csv(std::span<const Segment> segments, char delimiter) {
  const bool has_range = std::any_of(segments.begin(), segments.end(), [](const Segment& segment) {
    return !std::isnan(segment.low_hz) || !std::isnan(segment.high_hz);
  });
  const bool has_clock = std::any_of(segments.begin(), segments.end(),
                                     [](const Segment& segment) { return !segment.begin_clock.empty(); });
  std::ostringstream text;
  CsvWriter csv(text, delimiter);
  csv.text("sequence").text("begin").text("end").text("label").text("probability");
  if (has_range) csv.text("low_hz").text("high_hz");
  if (has_clock) csv.text("begin_clock");
  csv.end_row();
  for (const Segment& segment : segments) {
    csv.text(segment.sequence).number(segment.begin).number(segment.end).text(segment.label);
    csv.number(segment.probability);
    if (has_range) csv.number(segment.low_hz).number(segment.high_hz);
    if (has_clock) csv.text(segment.begin_clock);
    csv.end_row();
  }
  csv.finish();
  return text.str();
}

Value segments_value(std::span<const Segment> segments) {
  Value::List list;
  for (const Segment& segment : segments) {
    Value value = Value::object({{"begin", segment.begin}, {"end", segment.end}, {"label", segment.label}});
    if (!segment.sequence.empty()) value.set("sequence", segment.sequence);
    for (const auto& [name, number] : {std::pair{"low_hz", segment.low_hz}, std::pair{"high_hz", segment.high_hz},
                                       std::pair{"probability", segment.probability}}) {
      if (!std::isnan(number)) value.set(name, number);
    }
    if (!segment.begin_clock.empty()) value.set("begin_clock", segment.begin_clock);
    list.push_back(std::move(value));
  }
  return list;
}

}  // namespace motet
