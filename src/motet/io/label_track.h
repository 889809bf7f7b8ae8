// Segments in the files that people's tools read and write.
//
// Audacity label track: `start TAB end TAB text`, then perhaps a line `\ TAB low TAB high`.
//   Holds begin, end, label and the frequency range of one recording; neither its name
//   nor a probability.
// Raven selection table: tab separated with a header. Holds every field of a Segment
//   (`Probability` and `End Offset (s)` are columns of our own; others are ignored when read). `Begin Time (s)` and
//   `End Time (s)` count from the start of the first of several recordings, `File Offset (s)` from that of the
//   segment's own. Raven needs frequencies: a range that is not known becomes all that the recording can hold.
// Segments CSV: sequence,begin,end,label,probability and, if any segment has a range,
//   low_hz,high_hz and begin_clock. Holds everything, any text too.
// JSON: a list of objects with the fields of Segment, those that are unknown left out.
//
// Numbers are the shortest texts that read back the same. Neither of the tab-separated
// formats can escape a tab or a line break: labels and names with one are refused.
#pragma once

#include <span>
#include <string>
#include <vector>

#include "motet/data/segment.h"
#include "motet/data/value.h"

namespace motet {

// Every rule broken is Error{bad_data} with file and line.
std::vector<Segment> read_audacity_labels(const std::string& path);

// `annotation`: the column with the label; empty: the first of Annotation, Label, Species, Common Name,
// Species Code, Tags (in any case) that is there. Where `Begin File` is there it names the sequence, and
// with `File Offset (s)` too, times count from the start of that file. A selection that comes in two
// views is read once.
std::vector<Segment> read_raven_table(const std::string& path, const std::string& annotation = "");

std::vector<Segment> read_segments_csv(const std::string& path, char delimiter = ',');

// Whichever of the three it looks like: a name that ends with .csv or .csv.gz, a first line that has Begin Time (s) in
// it, as Raven's, or else Audacity's.
std::vector<Segment> read_any_segments(const std::string& path);

// Raven opens several recordings as one sound, and its times count from the start of the first.
struct RavenSound {
  std::string name;      // of the sequence
  double begin = 0.0;    // seconds from the start of the first one
  double high_hz = 0.0;  // of what it can hold, half its sample rate: for segments without a frequency range
};

// The whole text of a file. Throws Error{unanswerable} for segments of several sequences, and for text with
// a tab or a line break.
std::string audacity_labels(std::span<const Segment> segments);
std::string raven_table(std::span<const Segment> segments, std::span<const RavenSound> sounds);
std::string segments_csv(std::span<const Segment> segments, char delimiter = ',');
Value segments_value(std::span<const Segment> segments);

}  // namespace motet
