#include "motet/discover/project/reservations.h"

#include <algorithm>
#include <limits>
#include <span>

#include "motet/discover/answers.h"
#include "motet/discover/questions/nominate.h"
#include "motet/temporal/mixture/densities.h"

namespace motet::discover {
namespace {

// What would be asked if `taken` and the queue were answered: nobody has found anything there yet.
std::vector<Nomination> beyond_queue(const Features& features, Discovery& discovery,
                                     const std::vector<Reservation>& taken, std::size_t wanted, Threads threads) {
  const Mixture& mixture = discovery.mixture;
  const std::size_t size = mixture.components.size() * features.rows();
  if (askers_of(discovery.options).empty() && discovery.densities.size() != size) {
    discovery.densities.resize(size);
    temporal::log_densities(temporal::DensityFactors(mixture.components, features.dimensions()), features, threads,
                            discovery.densities);
  }
  bring_scout(features, discovery, threads);
  const std::size_t answers = discovery.answers.size();
  const std::size_t batch = discovery.options.batch;
  for (const Reservation& one : taken) discovery.answers.push_back({one.row, AnswerKind::nothing, ""});
  for (const Nomination& one : discovery.queue) discovery.answers.push_back({one.row, AnswerKind::nothing, ""});
  discovery.options.batch = wanted;
  std::vector<Nomination> more = nominate(features, discovery, threads);
  discovery.options.batch = batch;
  discovery.answers.resize(answers);
  return more;
}

// Rows that somebody has a question near, and rows that need none any more.
class Covered {
 public:
  Covered(const Features& features, const Discovery& discovery)
      : starts_(features.starts), g_(static_cast<std::size_t>(discovery.options.exclusion)) {
    rows_ = rows_within(starts_, sure_rows(held_answers(discovery)), g_);
  }
  bool has(std::size_t row) const { return rows_[row] != 0; }
  void add(std::size_t row) {
    const auto [begin, end] = rows_around(starts_, row, g_);
    std::fill(rows_.begin() + static_cast<std::ptrdiff_t>(begin), rows_.begin() + static_cast<std::ptrdiff_t>(end),
              std::uint8_t{1});
  }

 private:
  std::span<const std::size_t> starts_;
  std::size_t g_;
  std::vector<std::uint8_t> rows_;
};

std::size_t place_in_queue(const Discovery& discovery, std::size_t row) {
  const auto found = std::find_if(discovery.queue.begin(), discovery.queue.end(),
                                  [&](const Nomination& one) { return one.row == row; });
  return static_cast<std::size_t>(found - discovery.queue.begin());
}

OwnQuestion held_question(const Discovery& discovery, std::size_t row) {
  const std::size_t place = place_in_queue(discovery, row);
  if (place < discovery.queue.size()) return {discovery.queue[place]};
  return {{row, -1, std::numeric_limits<double>::quiet_NaN()}, "", true};
}

}  // namespace

std::vector<OwnQuestion> choose_own_questions(const Features& features, Discovery& discovery,
                                              const std::vector<Reservation>& held, const std::string& by,
                                              std::size_t count, Threads threads) {
  std::vector<OwnQuestion> chosen;
  Covered covered(features, discovery);
  std::vector<Reservation> open = held;
  std::erase_if(open, [&](const Reservation& one) { return one.row >= features.rows() || covered.has(one.row); });
  std::stable_sort(open.begin(), open.end(), [&](const Reservation& a, const Reservation& b) {
    return place_in_queue(discovery, a.row) < place_in_queue(discovery, b.row);
  });
  for (const Reservation& one : open) {
    covered.add(one.row);
    if (one.by == by && chosen.size() < count) chosen.push_back(held_question(discovery, one.row));
  }
  const auto take = [&](const std::vector<Nomination>& list) {
    for (const Nomination& one : list) {
      if (chosen.size() >= count) return;
      if (covered.has(one.row)) continue;
      covered.add(one.row);
      chosen.push_back({one});
    }
  };
  take(discovery.queue);
  if (chosen.size() < count) take(beyond_queue(features, discovery, open, count - chosen.size(), threads));
  if (!chosen.empty()) return chosen;
  for (const Reservation& one : open) {  // nothing is left but what others have
    if (chosen.size() == count) break;
    chosen.push_back(held_question(discovery, one.row));
    chosen.back().also_of = one.by;
  }
  return chosen;
}

}  // namespace motet::discover
