#include "motet/app/multilabel/recordings.h"

#include <fmt/format.h>

#include <algorithm>
#include <utility>

#include "motet/app/audio/recording_table.h"
#include "motet/base/error.h"
#include "motet/data/names.h"
#include "motet/io/label_sets_csv.h"

namespace motet::multilabel {
namespace {

// Where each label of the table stands among those of the model.
std::vector<std::size_t> places_of(const std::vector<std::string>& labels, const std::vector<std::string>& known,
                                   const std::string& file) {
  std::vector<std::size_t> places;
  for (const std::string& label : labels) {
    const auto found = std::find(known.begin(), known.end(), label);
    if (found == known.end()) {
      fail(ErrorKind::bad_data,
           fmt::format("{}: label '{}' is not one of those that the model knows: {}", file, label, quoted_list(known)));
    }
    places.push_back(static_cast<std::size_t>(found - known.begin()));
  }
  return places;
}

void add_labels(LabelledItems& items, const Features& features, const std::string& file, char delimiter,
                const std::vector<std::string>& known_labels) {
  const NamedLabelSets sets = read_label_sets(file, delimiter);
  items.labels = known_labels.empty() ? sets.labels : known_labels;
  const std::vector<std::size_t> places = places_of(sets.labels, items.labels, file);
  items.sets = BitMatrix(features.rows(), items.labels.size());
  for (std::size_t s = 0; s < features.sequences.size(); ++s) {
    const auto found = sets.of_item.find(features.sequences[s]);
    if (found == sets.of_item.end()) {
      fail(ErrorKind::bad_data, fmt::format("{}: recording '{}' has no labels here", file, features.sequences[s]));
    }
    for (std::size_t n = features.starts[s]; n < features.starts[s + 1]; ++n) {
      for (const std::size_t label : found->second) items.sets.set(n, places[label]);
    }
  }
}

std::vector<std::string> item_names(const Features& features) {
  std::vector<std::string> names;
  for (std::size_t s = 0; s < features.sequences.size(); ++s) {
    const std::size_t first = features.starts[s];
    const bool is_one = features.starts[s + 1] == first + 1;
    for (std::size_t n = first; n < features.starts[s + 1]; ++n) {
      names.push_back(is_one ? features.sequences[s]
                             : fmt::format("{}@{}", features.sequences[s], to_text(features.clock.begin(n - first))));
    }
  }
  return names;
}

}  // namespace

LabelledFile recording_items(const std::vector<std::string>& arguments, const RecordingOptions& options,
                             const std::string& labels, const std::vector<std::string>& known_labels, char delimiter,
                             const RunContext& run) {
  audio::RecordingTable table = audio::recording_table(arguments, options, run);
  LabelledFile file;
  file.warnings = std::move(table.warnings);
  if (!labels.empty()) add_labels(file.items, table.features, labels, delimiter, known_labels);
  table.features.items = item_names(table.features);
  file.items.features = std::move(static_cast<NumberTable&>(table.features));
  return file;
}

}  // namespace motet::multilabel
