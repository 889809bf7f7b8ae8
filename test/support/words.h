// The words of a command.
#pragma once

#include <sstream>
#include <string>
#include <utility>
#include <vector>

namespace motet {

// A list of words, or a text that is cut at its spaces.
struct Words : std::vector<std::string> {
  using std::vector<std::string>::vector;
  Words(std::vector<std::string> words) : std::vector<std::string>(std::move(words)) {}
  Words(const std::string& text) {
    std::istringstream stream(text);
    for (std::string word; stream >> word;) push_back(word);
  }
  Words(const char* text) : Words(std::string(text)) {}
};

inline Words operator+(Words words, const Words& more) {
  words.insert(words.end(), more.begin(), more.end());
  return words;
}

}  // namespace motet
