// A card: one thing with its figures and short bars, one of many side by side.
#pragma once

#include <limits>
#include <string>
#include <utility>
#include <vector>

namespace motet {

struct CardBar {
  std::string name;
  double share = 0.0;                                           // in [0, 1]
  double reference = std::numeric_limits<double>::quiet_NaN();  // a tick on the bar, NaN: none
};

struct CardBars {
  std::string title;
  std::vector<CardBar> bars;
};

// Names that are shown when the reader unfolds them.
struct CardList {
  std::string title;
  std::vector<std::string> names;
  std::string rest = {};  // what is said of names that are left out; "": none are
};

struct Card {
  std::string title;
  std::vector<std::string> badges;                         // short words such as "kept"
  std::vector<std::pair<std::string, std::string>> facts;  // what, value
  std::vector<CardBars> bars;
  std::vector<CardList> lists = {};
};

}  // namespace motet
