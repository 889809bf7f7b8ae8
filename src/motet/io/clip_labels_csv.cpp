#include "motet/io/clip_labels_csv.h"

#include <fmt/format.h>

#include <algorithm>
#include <map>
#include <string_view>

#include "motet/io/table_reader.h"

namespace motet {
namespace {

std::vector<std::string> parts_of(std::string_view text, const TableRow& row) {
  std::vector<std::string> labels;
  for (std::size_t begin = 0; begin <= text.size();) {
    const std::size_t end = std::min(text.find('|', begin), text.size());
    if (end == begin) row.fail(fmt::format("a label is empty in '{}'; write a|b", text));
    labels.emplace_back(text.substr(begin, end - begin));
    begin = end + 1;
  }
  std::sort(labels.begin(), labels.end());
  labels.erase(std::unique(labels.begin(), labels.end()), labels.end());
  return labels;
}

}  // namespace

std::vector<ClipLabelRow> read_clip_labels(const std::string& path, char delimiter) {
  TableReader table(path, delimiter);
  const FoundColumn clip = table.find({"clip", {"item", "file", "recording", "sequence"}});
  const FoundColumn labels = table.find({"labels", {"label"}});
  table.require({clip, labels}, " (or 'item', 'file', 'recording', 'sequence'; 'label')");
  std::vector<ClipLabelRow> rows;
  std::map<std::string, std::size_t> lines;
  table.for_each_row([&](const TableRow& row) {
    ClipLabelRow one{std::string(row.name(clip)), parts_of(row.name(labels), row)};
    const auto [found, is_new] = lines.emplace(one.name, row.line);
    if (!is_new) row.fail(fmt::format("clip '{}' is on line {} already; keep one", one.name, found->second));
    rows.push_back(std::move(one));
  });
  return rows;
}

}  // namespace motet
