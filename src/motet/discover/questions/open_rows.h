// Rows that may be asked, and those that each new question takes away.
#pragma once

#include <cstdint>
#include <vector>

#include "motet/discover/discovery.h"

namespace motet::discover {

// In which turn a row comes: those that look like noise after all others, then those that another project's answers
// tell well enough, then those answered with "not sure".
enum class Turn : std::uint8_t { ordinary, noise, known, unsure };

class OpenRows {
 public:
  // No row within g rows of an answer in its sequence is open.
  OpenRows(const Features& features, const Discovery& discovery, std::size_t g);

  bool may_ask(std::size_t row, Turn turn) const { return closed_[row] == 0 && turn_[row] == turn; }
  bool has_any(Turn turn) const;
  void ask(std::size_t row);

 private:
  const Features& features_;
  std::size_t g_;
  std::vector<std::uint8_t> closed_;
  std::vector<Turn> turn_;
};

}  // namespace motet::discover
