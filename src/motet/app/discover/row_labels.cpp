#include "motet/app/discover/row_labels.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <map>
#include <string_view>

#include "motet/app/discover/told.h"
#include "motet/base/error.h"
#include "motet/discover/discovery.h"
#include "motet/io/table_reader.h"

namespace motet::discover {
namespace {

constexpr double ticks_a_second = 1e6;  // times closer than half of one are the same

using LabelsByTime = std::map<long long, std::string>;

long long tick_of(double seconds) { return std::llround(seconds * ticks_a_second); }

std::vector<LabelsByTime> read_labels_by_time(const std::string& path, const Features& features) {
  TableReader table(path);
  const FoundColumn time = table.find({"time"});
  const FoundColumn label = table.find({"label"});
  const FoundColumn sequence = table.find({"sequence"});
  table.require({time, label});
  std::vector<LabelsByTime> of_sequence(features.sequences.size());
  table.for_each_row([&](const TableRow& row) {
    std::size_t s = 0;
    if (sequence.is_there()) {
      const std::string name(row.name(sequence));
      s = with_frame(fmt::format("{}:{}", path, row.line), [&] { return recording_of(features, name); });
    } else if (features.sequences.size() > 1) {
      row.fail(fmt::format("does not say which of the {} recordings it is of; a column 'sequence' does",
                           features.sequences.size()));
    }
    const std::string_view all = row.name(label);
    of_sequence[s][tick_of(row.number(time.place))] = std::string(all.substr(0, all.find('|')));
  });
  return of_sequence;
}

}  // namespace

bool has_row_labels(const std::string& path) {
  if (!path.ends_with(".csv") && !path.ends_with(".csv.gz")) return false;
  const TableReader table(path);
  return table.find({"time"}).is_there() && table.find({"label"}).is_there() && !table.find({"begin"}).is_there();
}

TimeLabels read_row_labels(const std::string& path, const Features& features) {
  const std::vector<LabelsByTime> labels = read_labels_by_time(path, features);
  TimeLabels found{{{std::string(background_name)}, std::vector<std::uint32_t>(features.rows(), 0)}, {}};
  const FrameClock clock = features.clock.has_time() ? features.clock : FrameClock{1.0, 1.0};
  std::size_t behind = 0;
  for (std::size_t s = 0; s < labels.size(); ++s) {
    for (std::size_t n = features.starts[s]; n < features.starts[s + 1]; ++n) {
      const double begin = clock.begin(n - features.starts[s]);
      const auto at = labels[s].find(tick_of(begin));
      if (at == labels[s].end()) {
        if (labels[s].empty() || tick_of(begin) < labels[s].rbegin()->first) {
          fail(ErrorKind::bad_data,
               fmt::format("{}: has no label of the row at {} s of '{}'; give both the same --window "
                           "and --hop",
                           path, to_text(begin), features.sequences[s]));
        }
        ++behind;
        continue;
      }
      std::vector<std::string>& classes = found.truth.classes;
      const auto known = std::find(classes.begin(), classes.end(), at->second);
      found.truth.of_row[n] = static_cast<std::uint32_t>(known - classes.begin());
      if (known == classes.end()) classes.push_back(at->second);
    }
  }
  if (behind > 0) {
    found.warnings.push_back(fmt::format("{}: {} rows behind its last one are taken for background", path, behind));
  }
  return found;
}

}  // namespace motet::discover
