// Ways of asking that go by a score of each row, and how the adaptive strategy shares its questions out among them.
//
//   distance    d^2 |y| / median |y|: unlike everything that was answered, and unlike the rest at all; of rows averaged
//               over a quarter of the radius (odd_rows.h), d the distance to the nearest answered row
//   farthest    d^2 of rows as they are: farthest-first
//   isolation   isolation_forest.h
//   energy      |y| of rows as they are
//   density     -log p of the row under the mixture of the background
//
// adaptive: the next question goes to the way with the greatest (found + a) / (asked + 1), with the number of classes
// that it was the first to find among the questions it asked, a = 1 for distance and 1/6 for farthest and isolation. So
// `distance` asks three of four questions until somebody finds more. Rows in no order have nothing to average over, and
// classes within the background are then nearer than what is odd: farthest takes the place of distance.
#pragma once

#include <array>
#include <cstdint>
#include <string_view>
#include <vector>

#include "motet/discover/options.h"
#include "motet/discover/questions/odd_rows.h"

namespace motet::discover {

struct Discovery;

enum class Asker : std::uint8_t { distance, farthest, isolation, energy, density };
constexpr std::size_t asker_count = 5;
std::string_view name_of(Asker asker);

// Those that a strategy lets ask, who asks most of all first; none: it does not go by scores.
std::vector<Asker> askers_of(const DiscoverOptions& options);

// The strategy that asks as this way by itself.
Strategy alone(Asker asker);

struct AskerCount {
  std::uint32_t asked = 0;  // questions that were answered
  std::uint32_t found = 0;  // classes that were new with one of these answers

  bool operator==(const AskerCount&) const = default;
};
using AskerCounts = std::array<AskerCount, asker_count>;  // by Asker

// Who asks next; `counts` with the questions that are still open among `asked`.
Asker next_asker(const DiscoverOptions& options, const AskerCounts& counts);

// What the scores go by; follows from the data, the options and the answers, and is kept to save time.
struct Scout {
  OddRows averaged;
  OddRows plain;
  std::vector<float> isolation;
  std::vector<float> density;
  std::size_t answers_taken = 0;
};

// Brings the scout of a discovery up to date with its rows and answers.
void bring_scout(const Features& features, Discovery& discovery, Threads threads);

// The scores of one way of asking while a batch is put together: each question of it counts as answered.
class AskedRows {
 public:
  AskedRows(const Scout& scout, bool has_answers) : scout_(scout), is_first_(!has_answers) {}

  // Larger: to be asked sooner.
  float score(Asker asker, std::size_t row) const;
  // The score where it is `least` at least; where it is less, something less.
  float score_from(Asker asker, std::size_t row, float least) const;
  // Not below the score, and there at once.
  float bound(Asker asker, std::size_t row) const;
  void ask(std::size_t row);

 private:
  float far_score(const OddRows& odd, std::size_t row, float weight, float least) const;

  const Scout& scout_;
  bool is_first_;
  std::vector<std::size_t> asked_;  // in this batch
};

}  // namespace motet::discover
