// The labels of items in a table of their own: `item,labels` with the labels joined by '|', or `item` and a column of 0
// and 1 per label.
#pragma once

#include <string>
#include <unordered_map>
#include <vector>

namespace motet {

struct NamedLabelSets {
  std::vector<std::string> labels;  // in the order in which they come
  std::unordered_map<std::string, std::vector<std::size_t>> of_item;
};

// Throws Error{bad_data} "labels.csv:3: item 'a.wav' comes a second time" and the like.
NamedLabelSets read_label_sets(const std::string& path, char delimiter);

}  // namespace motet
