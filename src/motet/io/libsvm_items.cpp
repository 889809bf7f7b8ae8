#include "motet/io/libsvm_items.h"

#include <fmt/format.h>

#include <algorithm>
#include <charconv>
#include <cmath>
#include <numeric>

#include "motet/base/available_memory.h"
#include "motet/base/error.h"
#include "motet/base/fields.h"
#include "motet/data/names.h"
#include "motet/io/numbers.h"
#include "motet/io/reading_progress.h"
#include "motet/io/sparse_size.h"
#include "motet/io/text_lines.h"

namespace motet {
namespace {

constexpr std::uint64_t items_a_step = 1024;
constexpr std::size_t most_features = 10'000'000;

struct LibsvmEntry {
  std::uint32_t feature;
  double value;
};

class LibsvmCollector {
 public:
  LibsvmCollector(const TextLines& lines, const LabelledFormat& format) : lines_(lines), format_(format) {
    const auto& known = format.known_labels.empty() ? format.label_columns : format.known_labels;
    fixed_labels_ = !known.empty();
    for (const std::string& label : known) labels_.id_of(label);
    if (!format.known_columns.empty()) first_feature_ = format.known_columns.front() == "0" ? 0 : 1;
  }

  void add(std::string_view line) {
    line = line.substr(0, line.find('#'));
    const bool has_labels = !line.empty() && line.front() != ' ' && line.front() != '\t';
    bool is_first = true;
    ++rows_;
    last_feature_ = -1;
    for (;;) {
      line.remove_prefix(std::min(line.find_first_not_of(" \t"), line.size()));
      if (line.empty()) break;
      const std::string_view word = line.substr(0, line.find_first_of(" \t"));
      line.remove_prefix(word.size());
      const bool is_labels = is_first && has_labels && word.find(':') == std::string_view::npos;
      is_first = false;
      is_labels ? add_labels(word) : add_feature(word);
    }
    if (format_.are_candidates && label_numbers_.size() == (label_ends_.empty() ? 0 : label_ends_.back())) {
      lines_.fail_here("no candidates before the features; each line starts with them, such as 1,3");
    }
    entry_ends_.push_back(entries_.size());
    label_ends_.push_back(label_numbers_.size());
  }

  LabelledItems finish() {
    const std::string& file = lines_.name();
    if (rows_ == 0) fail(ErrorKind::bad_data, file + ": there are no items in it");
    LabelledItems result;
    fill_features(result.features);
    fill_sets(result);
    return result;
  }

 private:
  void add_labels(std::string_view word) {
    for (std::size_t begin = 0; begin <= word.size();) {
      const std::size_t end = std::min(word.find(',', begin), word.size());
      const std::string_view label = word.substr(begin, end - begin);
      begin = end + 1;
      if (label.empty()) lines_.fail_here(fmt::format("'{}' is no list of labels such as 1,3", word.substr(0, 40)));
      if (format_.are_candidates && label == "*") {
        lines_.fail_here("'*' is no candidate of libsvm rows; name every label the item may have");
      }
      const std::uint32_t known = labels_.find(label);
      if (fixed_labels_ && known == NameTable::absent) {
        if (!format_.needs_labels) {
          sets_known_ = false;
          continue;
        }
        lines_.fail_here(fmt::format("label '{}' is not one of {}", label, quoted_list(labels_.names().to_vector())));
      }
      const std::uint32_t number = labels_.id_of(label);
      const std::size_t row_begin = label_ends_.empty() ? 0 : label_ends_.back();
      if (std::find(label_numbers_.begin() + static_cast<std::ptrdiff_t>(row_begin), label_numbers_.end(), number) !=
          label_numbers_.end()) {
        lines_.fail_here(fmt::format("label '{}' appears twice", label));
      }
      label_numbers_.push_back(number);
    }
  }

  void add_feature(std::string_view word) {
    const std::size_t colon = word.find(':');
    const std::string_view number = word.substr(0, std::min(colon, word.size()));
    std::size_t feature = 0;
    const auto [end, code] = std::from_chars(number.data(), number.data() + number.size(), feature);
    if (colon == std::string_view::npos || code != std::errc() || end != number.data() + number.size()) {
      lines_.fail_here(fmt::format("'{}' is no feature such as 7:0.5", word.substr(0, 40)));
    }
    if (feature > most_features) {
      lines_.fail_here(fmt::format("feature {} is out of range; {} is the largest number", feature, most_features));
    }
    const std::size_t known = format_.known_columns.size();
    if (known != 0 && (feature < first_feature_ || feature >= first_feature_ + known)) {
      lines_.fail_here(fmt::format("feature {} is not one of the model's, {} to {}", feature, first_feature_,
                                   first_feature_ + known - 1));
    }
    if (static_cast<std::int64_t>(feature) <= last_feature_) {
      lines_.fail_here(fmt::format("feature {} comes after feature {}; numbers must rise", feature, last_feature_));
    }
    last_feature_ = static_cast<std::int64_t>(feature);
    const std::string_view text = word.substr(colon + 1);
    const double value = number_in(text);
    if (std::isnan(value)) {
      lines_.fail_here(fmt::format("feature {} is '{}'; every feature needs a finite number", feature,
                                   text.substr(text.starts_with('+') ? 1 : 0, 40)));
    }
    if (known == 0) {
      first_feature_ = std::min(first_feature_, feature);
      largest_ = std::max(largest_, feature);
    }
    make_room(entries_, 1, lines_.name());
    entries_.push_back({static_cast<std::uint32_t>(feature), value});
  }

  void fill_features(NumberTable& features) const {
    const std::string& file = lines_.name();
    features.columns = format_.known_columns;
    require_table_memory(file, rows_, features.columns.size());
    if (features.columns.empty()) {
      if (entries_.empty()) fail(ErrorKind::bad_data, file + ": no item has a feature");
      require_sparse_size(file, rows_, largest_ - first_feature_ + 1, entries_.size());
      for (std::size_t f = first_feature_; f <= largest_; ++f) features.columns.push_back(std::to_string(f));
    }
    const std::size_t width = features.columns.size();
    features.values.assign(rows_ * width, 0.0);
    std::size_t entry = 0;
    for (std::size_t n = 0; n < rows_; ++n) {
      for (; entry < entry_ends_[n]; ++entry) {
        features.values[n * width + entries_[entry].feature - first_feature_] = entries_[entry].value;
      }
    }
  }

  // Labels that are numbers go by their size, others by first appearance.
  std::vector<std::uint32_t> label_order() const {
    std::vector<std::uint32_t> order(labels_.names().size());
    std::iota(order.begin(), order.end(), 0U);
    if (fixed_labels_) return order;
    std::vector<double> values;
    for (const std::uint32_t k : order) {
      const auto value = parse_double(labels_.names()[k]);
      if (!value) return order;
      values.push_back(value.value());
    }
    std::stable_sort(order.begin(), order.end(),
                     [&](std::uint32_t a, std::uint32_t b) { return values[a] < values[b]; });
    return order;
  }

  void fill_sets(LabelledItems& result) const {
    const std::vector<std::uint32_t> order = label_order();
    if (order.empty()) {
      if (!format_.needs_labels) return;
      fail(ErrorKind::bad_data, lines_.name() + ": no item has a label; each line starts with its labels, such as 1,3");
    }
    std::vector<std::uint32_t> place(order.size());
    for (std::uint32_t k = 0; k < order.size(); ++k) {
      place[order[k]] = k;
      result.labels.emplace_back(labels_.names()[order[k]]);
    }
    // Where labels may be absent, a file without any tells nothing.
    if (!sets_known_ || (!format_.needs_labels && label_numbers_.empty())) return;
    result.sets = BitMatrix(rows_, order.size());
    std::size_t at = 0;
    for (std::size_t n = 0; n < rows_; ++n) {
      for (; at < label_ends_[n]; ++at) result.sets.set(n, place[label_numbers_[at]]);
    }
  }

  const TextLines& lines_;
  const LabelledFormat& format_;
  NameTable labels_;
  bool fixed_labels_ = false;
  bool sets_known_ = true;
  std::size_t first_feature_ = 1;
  std::size_t largest_ = 0;
  std::int64_t last_feature_ = -1;
  std::vector<LibsvmEntry> entries_;
  std::vector<std::size_t> entry_ends_;
  std::vector<std::uint32_t> label_numbers_;
  std::vector<std::size_t> label_ends_;
  std::size_t rows_ = 0;
};

}  // namespace

LabelledItems read_libsvm_items(const std::string& path, const LabelledFormat& format, const RunContext& run) {
  if (!format.labels_file.empty() || format.label_count != 0 || !format.item_column.empty() ||
      !format.leave_out.empty()) {
    fail(ErrorKind::usage,
         path +
             ": a libsvm file has no named columns, and its labels start each line; --labels, --label-count, "
             "--item-column and --leave-out do not apply");
  }
  TextLines lines(path);
  ReadingProgress progress(lines.file(), run);
  LibsvmCollector collector(lines, format);
  std::string_view line;
  while (lines.next(line)) {
    if (lines.line() % items_a_step == 1) progress.step();
    // A blank line is no item, but one of spaces alone is one without labels and features.
    if (line.empty() || line.front() == '#') continue;
    collector.add(line);
  }
  return collector.finish();
}

}  // namespace motet
