// The deterministic fixtures of test/golden/judges: see README.md there.
#pragma once

#include <fstream>
#include <sstream>
#include <string>
#include <vector>

#include "motet/data/votes.h"

namespace motet::judges {

// Columns truth,f0,f1,...; -1 is a missing vote. The first `gold` truths are made known.
inline Votes golden_votes(const std::string& name, std::size_t class_count, std::size_t gold = 0) {
  std::ifstream in(std::string(MOTET_TEST_DIR) + "/golden/judges/" + name + ".csv");
  std::string line;
  std::getline(in, line);
  NameList items;
  NameList judges;
  NameList classes;
  for (std::size_t c = 0; c < class_count; ++c) classes.push_back(std::to_string(c));
  std::vector<Vote> list;
  std::vector<std::int32_t> truth;
  while (std::getline(in, line)) {
    std::istringstream fields(line);
    std::string field;
    std::getline(fields, field, ',');
    truth.push_back(std::stoi(field));
    const auto item = static_cast<std::uint32_t>(items.size());
    items.push_back("i" + std::to_string(item));
    for (std::uint32_t j = 0; std::getline(fields, field, ','); ++j) {
      if (judges.size() <= j) judges.push_back("f" + std::to_string(j));
      if (std::stoi(field) >= 0) list.push_back({item, j, static_cast<std::uint32_t>(std::stoi(field))});
    }
  }
  Votes votes = make_votes(items, judges, classes, list);
  if (gold > 0) {
    votes.known.assign(votes.item_count(), Votes::unknown);
    std::copy_n(truth.begin(), gold, votes.known.begin());
  }
  return votes;
}

}  // namespace motet::judges
