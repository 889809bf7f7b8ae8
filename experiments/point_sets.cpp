#include "experiments/point_sets.h"

#include <fmt/format.h>

#include <algorithm>
#include <numeric>

#include "motet/base/error.h"
#include "motet/base/fields.h"
#include "motet/io/file.h"

namespace motet {
namespace {

constexpr std::string_view blanks = " \t\r";

// The numbers of each line that has any.
std::vector<std::vector<double>> read_lines(const std::string& path) {
  const std::string text = read_whole(path);
  std::vector<std::vector<double>> lines;
  std::size_t number = 0;
  for (std::size_t at = 0; at < text.size();) {
    const std::size_t end = std::min(text.find('\n', at), text.size());
    const std::string_view line = std::string_view(text).substr(at, end - at);
    at = end + 1;
    ++number;
    std::vector<double> values;
    for (std::size_t word = line.find_first_not_of(blanks); word != std::string_view::npos;) {
      const std::size_t after = std::min(line.find_first_of(blanks, word), line.size());
      const Result<double> value = parse_double(line.substr(word, after - word));
      if (!value) fail(ErrorKind::bad_data, fmt::format("{}:{}: {}", path, number, value.reason()));
      values.push_back(value.value());
      word = line.find_first_not_of(blanks, after);
    }
    if (!values.empty()) lines.push_back(std::move(values));
  }
  return lines;
}

}  // namespace

PointSet read_point_set(const ExperimentContext& context, const std::string& name) {
  const std::string stem = data_folder(context, "temporal") + "/" + name;
  const std::vector<std::vector<double>> points = read_lines(stem + ".data.gz");
  const std::vector<std::vector<double>> labels = read_lines(stem + ".labels0.gz");
  if (points.empty() || labels.size() != points.size()) {
    fail(ErrorKind::bad_data, fmt::format("{}: {} labels do not fit {} points", stem, labels.size(), points.size()));
  }
  PointSet set;
  for (std::size_t d = 0; d < points[0].size(); ++d) set.features.columns.push_back(fmt::format("x{}", d + 1));
  for (const std::vector<double>& point : points) {
    if (point.size() != points[0].size()) fail(ErrorKind::bad_data, stem + ": lines of different lengths");
    set.features.values.insert(set.features.values.end(), point.begin(), point.end());
  }
  set.features.starts = {0, points.size()};
  set.features.sequences = {name};
  for (const std::vector<double>& label : labels) {
    if (!(label[0] >= 1.0 && label[0] <= 1000.0)) fail(ErrorKind::bad_data, stem + ": classes are numbered from 1");
    set.of_class.push_back(static_cast<std::uint32_t>(label[0]) - 1);
    set.classes = std::max<std::size_t>(set.classes, set.of_class.back() + 1);
  }
  return set;
}

PointSet in_order(const PointSet& set, const std::vector<std::size_t>& order) {
  PointSet ordered = set;
  ordered.features.values.clear();
  for (std::size_t i = 0; i < order.size(); ++i) {
    const auto row = set.features.row(order[i]);
    ordered.features.values.insert(ordered.features.values.end(), row.begin(), row.end());
    ordered.of_class[i] = set.of_class[order[i]];
  }
  return ordered;
}

PointSet sorted_by_class(const PointSet& set) {
  std::vector<std::size_t> order(set.of_class.size());
  std::iota(order.begin(), order.end(), std::size_t{0});
  std::stable_sort(order.begin(), order.end(),
                   [&](std::size_t a, std::size_t b) { return set.of_class[a] < set.of_class[b]; });
  return in_order(set, order);
}

}  // namespace motet
