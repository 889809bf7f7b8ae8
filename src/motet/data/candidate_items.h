// Items that come with candidate labels, one of which is right: what a data set (dataset.h) is to who learns one label.
#pragma once

#include <cstdint>
#include <span>
#include <string>
#include <vector>

#include "motet/data/evidence.h"
#include "motet/data/number_table.h"

namespace motet {

struct CandidateItems : Candidates {
  NumberTable features;
  std::vector<std::string> classes;
  std::vector<std::int32_t> truth;  // -1 where unknown; empty: never known
};

CandidateItems rows_of(const CandidateItems& items, std::span<const std::uint32_t> rows);

// Throws Error{bad_data} or {unanswerable}: an item without candidates, one class only, ...
void check_candidates(const CandidateItems& items);

std::vector<std::uint32_t> never_candidates(const CandidateItems& items);  // classes no item has

}  // namespace motet
