// A list of names as people type it: "a,b c" is a and "b c". An empty name stays, so that whoever looks
// for it can say that it is not there.
#pragma once

#include <algorithm>
#include <string>
#include <vector>

namespace motet {

inline std::vector<std::string> comma_names(const std::string& list) {
  std::vector<std::string> names;
  for (std::size_t begin = 0; begin < list.size();) {
    const std::size_t end = std::min(list.find(',', begin), list.size());
    names.push_back(list.substr(begin, end - begin));
    begin = end + 1;
  }
  return names;
}

}  // namespace motet
