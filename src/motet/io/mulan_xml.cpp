#include "motet/io/mulan_xml.h"

#include <fmt/format.h>

#include <algorithm>
#include <pugixml.hpp>

#include "motet/base/error.h"
#include "motet/data/names.h"
#include "motet/io/file.h"

namespace motet {
namespace {

constexpr std::size_t deepest_element = 200;  // so that no stack runs out

class LabelCollector {
 public:
  LabelCollector(const std::string& path, const std::string& text) : path_(path), text_(text) {}

  void add_below(const pugi::xml_node& parent, std::size_t depth = 0) {
    for (const pugi::xml_node& node : parent.children()) {
      if (node.type() != pugi::node_element) continue;
      if (local_name(node) != "label") fail_at(node, fmt::format("<{}> is not <label>", node.name()));
      const std::string name = node.attribute("name").value();
      if (name.empty()) fail_at(node, "a label has no name; write <label name=\"...\"/>");
      if (seen_.id_of(name) != labels.size()) fail_at(node, fmt::format("label '{}' appears twice", name));
      if (depth == deepest_element) fail_at(node, fmt::format("labels are nested deeper than {}", deepest_element));
      labels.push_back(name);
      add_below(node, depth + 1);
    }
  }

  [[noreturn]] void fail_at(const pugi::xml_node& node, std::string_view problem) const {
    fail_at(static_cast<std::size_t>(std::max<std::ptrdiff_t>(node.offset_debug(), 0)), problem);
  }
  [[noreturn]] void fail_at(std::size_t offset, std::string_view problem) const {
    const auto stop = text_.begin() + static_cast<std::ptrdiff_t>(std::min(offset, text_.size()));
    fail(ErrorKind::bad_data, fmt::format("{}:{}: {}", path_, 1 + std::count(text_.begin(), stop, '\n'), problem));
  }

  static std::string_view local_name(const pugi::xml_node& node) {
    const std::string_view name = node.name();
    return name.substr(name.find(':') == std::string_view::npos ? 0 : name.find(':') + 1);
  }

  std::vector<std::string> labels;

 private:
  const std::string& path_;
  const std::string& text_;
  NameTable seen_;
};

}  // namespace

std::vector<std::string> read_mulan_labels(const std::string& path) {
  const std::string text = read_whole(path);
  LabelCollector collector(path, text);
  pugi::xml_document document;
  const pugi::xml_parse_result result = document.load_buffer(text.data(), text.size());
  if (!result) {
    std::string problem = result.description();
    std::transform(problem.begin(), problem.begin() + 1, problem.begin(),
                   [](char c) { return c >= 'A' && c <= 'Z' ? static_cast<char>(c - 'A' + 'a') : c; });
    collector.fail_at(static_cast<std::size_t>(std::max<std::ptrdiff_t>(result.offset, 0)),
                      fmt::format("this is no XML: {}", problem));
  }
  const pugi::xml_node root = document.document_element();
  if (LabelCollector::local_name(root) != "labels") {
    collector.fail_at(root, fmt::format("<{}> is not <labels>; a MULAN file of labels is needed", root.name()));
  }
  collector.add_below(root);
  if (collector.labels.empty()) fail(ErrorKind::bad_data, path + ": there are no labels in it");
  return std::move(collector.labels);
}

}  // namespace motet
