#include "motet/roles/cover/least_cover.h"

#include <algorithm>
#include <limits>
#include <numeric>

#include "motet/base/error.h"
#include "motet/base/streams.h"
#include "motet/engine/iterate.h"
#include "motet/roles/cover/ejection.h"
#include "motet/roles/cover/fooling_set.h"
#include "motet/roles/cover/group_search.h"
#include "motet/roles/cover/hardest_first.h"
#include "motet/roles/cover/part.h"
#include "motet/roles/cover/reduction.h"

namespace motet::roles {
namespace {

constexpr std::size_t most_exact_cells = 400;
constexpr std::size_t most_nodes = 50'000;
constexpr std::size_t fooling_rounds = 200'000;  // over the cells of a part
constexpr std::size_t least_fooling_rounds = 40;
constexpr std::size_t first_tries = 3;
constexpr std::size_t most_anew = 4'000'000;  // groups times cells of a part that is dealt anew more than once
constexpr std::size_t most_dealings = 20;     // in a round
constexpr std::size_t least_dealings = 4;
constexpr std::size_t dealt_cells = 500'000;  // in a round, within these
constexpr std::size_t most_patience = 25;     // rounds without a better grouping
constexpr std::size_t least_patience = 5;
constexpr std::size_t patient_cells = 2'000'000;  // over those of the part
constexpr std::size_t least_ejections = 2'000;
constexpr std::size_t most_ejections = 20'000;

struct OpenPart {
  std::vector<std::uint32_t> cells;
  CoverPart part;
  CellGroups best;
  CellGroups now;
  std::vector<std::uint32_t> apart = {};  // cells no two of which one role covers
  std::size_t at_least = 1;
  std::size_t idle = 0;  // rounds since it became better
  bool settled = false;

  std::size_t groups() const { return group_count(best); }
};

std::size_t dealings_of(const OpenPart& open) {
  return std::clamp(dealt_cells / open.part.count(), least_dealings, most_dealings);
}

std::size_t patience_of(const OpenPart& open) {
  return std::clamp(patient_cells / open.part.count(), least_patience, most_patience);
}

// Deals `now` out again; it becomes the best when it is better.
void deal_out(OpenPart& open, CellGroups& now, Rng& rng) {
  std::vector<std::uint32_t> order = largest_first(now);
  switch (rng.below(3)) {
    case 0: std::reverse(order.begin(), order.end()); break;
    case 1: shuffle(order, rng); break;
    default: break;
  }
  now = dealt_again(open.part, now, order, rng);
  if (group_count(now) < open.groups()) open.best = now;
}

// From cells that are apart, hardest first, unless that takes more than `most` groups; then again and again.
void deal_anew(OpenPart& open, std::size_t most, std::size_t dealings, Rng& rng) {
  std::optional<CellGroups> anew = dealt_hardest_first(open.part, open.apart, most, rng);
  if (!anew) return;
  if (group_count(*anew) < open.groups()) open.best = *anew;
  for (std::size_t i = 0; i < dealings && open.groups() > open.at_least; ++i) deal_out(open, *anew, rng);
  if (group_count(*anew) <= group_count(open.now)) open.now = std::move(*anew);
}

bool is_dealt_anew(const OpenPart& open) { return open.groups() * open.part.count() <= most_anew; }

void begin_part(OpenPart& open, const AccessCells& cells, Rng rng) {
  open.part = cover_part(cells, open.cells);
  open.best = open.now = lines_of(open.part);
  Rng dealing = rng.child(0);
  for (std::size_t i = 0; i < dealings_of(open); ++i) deal_out(open, open.now, dealing);
  const std::size_t rounds = std::max(least_fooling_rounds, fooling_rounds / open.part.count());
  open.apart = fooling_set(open.part, rounds, open.groups(), rng.child(1));
  open.at_least = open.apart.size();
  const std::size_t tries = is_dealt_anew(open) ? first_tries : 1;
  for (std::size_t i = 0; i < tries && open.groups() > open.at_least; ++i) {
    deal_anew(open, open.groups() - 1, 0, dealing);
  }
  open.settled = open.at_least == open.groups();
  if (open.settled || open.part.count() > most_exact_cells) return;
  GroupSearch search = least_groups(open.part, open.best, open.apart, most_nodes);
  open.best = open.now = std::move(search.grouping);
  if (search.is_least) open.at_least = open.groups();
  open.settled = search.is_least;
}

void search_part(OpenPart& open, Rng rng) {
  const std::size_t before = open.groups();
  if (is_dealt_anew(open)) deal_anew(open, open.groups() + open.groups() / 10, dealings_of(open), rng);
  for (std::size_t i = 0; i < dealings_of(open) && open.groups() > open.at_least; ++i) deal_out(open, open.now, rng);
  const std::size_t steps = std::clamp(20 * open.part.count(), least_ejections, most_ejections);
  while (open.groups() > open.at_least && can_eject(open.part, open.groups())) {
    std::optional<CellGroups> fewer = with_one_less(open.part, open.best, steps, rng);
    if (!fewer) break;
    open.best = open.now = std::move(*fewer);
  }
  open.idle = open.groups() < before ? 0 : open.idle + 1;
  open.settled = open.groups() == open.at_least || open.idle >= patience_of(open);
}

// The parts with more than one cell, and the search in all of them.
class SearchedParts {
 public:
  SearchedParts(const AccessCells& cells, std::vector<std::vector<std::uint32_t>> parts, const RunContext& run)
      : run_(run) {
    for (std::vector<std::uint32_t>& part : parts) {
      if (part.size() == 1) {
        singles_.push_back(part[0]);
      } else {
        open_.emplace_back().cells = std::move(part);
      }
    }
    for_each_task(open_.size(), run.threads, [&](std::size_t i) {
      if (!run.cancelled()) begin_part(open_[i], cells, stream(run.seed, Stream::roles_cover).child(i));
    });
    if (run.cancelled()) fail(ErrorKind::interrupted, "interrupted while looking for the least number of roles");
  }

  FitSummary search() {
    Iterated rounds;
    rounds.objective = [&] { return -static_cast<double>(total([](const OpenPart& p) { return p.groups(); })); };
    rounds.step = [&] { return step(); };
    rounds.keep = [&] { return state(); };
    rounds.take = [&](std::span<const double> kept) { return take(kept); };
    RunContext quiet = run_;  // how many parts are settled says more than the objective does
    quiet.observer = {};
    return iterate(rounds,
                   {.max_iterations = std::numeric_limits<std::size_t>::max(),
                    .least_rise = -std::numeric_limits<double>::infinity()},
                   quiet, "cover");
  }

  template <class Of>
  std::size_t total(const Of& of) const {
    return std::accumulate(open_.begin(), open_.end(), singles_.size(),
                           [&](std::size_t sum, const OpenPart& part) { return sum + of(part); });
  }

  void write(LeastCover& cover) const {
    for (const std::uint32_t cell : singles_) cover.role[cell] = static_cast<std::uint32_t>(cover.roles++);
    for (const OpenPart& open : open_) {
      for (std::size_t i = 0; i < open.cells.size(); ++i) {
        cover.role[open.cells[i]] = static_cast<std::uint32_t>(cover.roles + open.best[i]);
      }
      cover.roles += open.groups();
    }
    cover.at_least = total([](const OpenPart& part) { return part.at_least; });
  }

 private:
  Step step() {
    std::vector<std::size_t> unsettled;
    for (std::size_t i = 0; i < open_.size(); ++i) {
      if (!open_[i].settled) unsettled.push_back(i);
    }
    if (run_.observer) {
      run_.observer({"looking for fewer roles", static_cast<double>(open_.size() - unsettled.size()),
                     static_cast<double>(open_.size()), "parts"});
    }
    if (unsettled.empty()) return {.stop = Stop::converged};
    ++round_;
    const Rng rng = stream(run_.seed, Stream::roles_cover, 1).child(round_);
    for_each_task(unsettled.size(), run_.threads,
                  [&](std::size_t i) { search_part(open_[unsettled[i]], rng.child(unsettled[i])); });
    return {};
  }

  // The round, and of each part: how long nothing was gained, whether it is settled, and both groupings.
  std::vector<double> state() const {
    std::vector<double> state = {static_cast<double>(round_)};
    for (const OpenPart& open : open_) {
      state.push_back(static_cast<double>(open.idle));
      state.push_back(open.settled ? 1.0 : 0.0);
      state.insert(state.end(), open.best.begin(), open.best.end());
      state.insert(state.end(), open.now.begin(), open.now.end());
    }
    return state;
  }
  bool take(std::span<const double> state) {
    std::size_t size = 1;
    for (const OpenPart& open : open_) size += 2 + 2 * open.cells.size();
    if (state.size() != size) return false;
    round_ = static_cast<std::uint64_t>(state[0]);
    const double* from = state.data() + 1;
    for (OpenPart& open : open_) {
      open.idle = static_cast<std::size_t>(*from++);
      open.settled = *from++ != 0.0;
      for (CellGroups* grouping : {&open.best, &open.now}) {
        for (std::uint32_t& group : *grouping) group = static_cast<std::uint32_t>(*from++);
      }
    }
    return true;
  }

  const RunContext& run_;
  std::vector<std::uint32_t> singles_;
  std::vector<OpenPart> open_;
  std::uint64_t round_ = 0;
};

}  // namespace

LeastCover least_cover(const AccessCells& cells, const RunContext& run) {
  const Reduction reduction = reduce(cells, run);
  std::vector<std::vector<std::uint32_t>> parts = independent_parts(cells, reduction.remaining);
  LeastCover cover;
  cover.role.assign(cells.count(), 0);
  cover.remaining = reduction.remaining.size();
  cover.parts = parts.size();
  SearchedParts search(cells, std::move(parts), run);
  cover.summary = search.search();
  search.write(cover);
  // A cell that was left out goes with the cell whose star lies in its own: last out, first back in.
  for (std::size_t i = reduction.order.size(); i-- > 0;) {
    const std::uint32_t cell = reduction.order[i];
    cover.role[cell] = cover.role[reduction.covered_with[cell]];
  }
  return cover;
}

}  // namespace motet::roles
