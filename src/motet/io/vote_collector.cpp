#include "motet/io/vote_collector.h"

#include <fmt/format.h>

#include <algorithm>
#include <iterator>
#include <unordered_map>

#include "motet/base/error.h"

namespace motet {

std::string unknown_label_text(std::string_view label, const NameList& classes) {
  constexpr std::size_t most = 20;
  std::vector<std::string> names = classes.to_vector();
  const std::size_t left = names.size() > most ? names.size() - most : 0;
  names.resize(names.size() - left);
  return fmt::format("label '{}' is not one of {{{}{}}}", label, fmt::join(names, ", "),
                     left == 0 ? "" : fmt::format(" and {} more", left));
}

VoteCollector::VoteCollector(std::string source, std::span<const std::string> classes)
    : labels(NameList(classes)), source_(std::move(source)), fixed_classes_(classes.size()) {}

void VoteCollector::add(std::span<const Vote> votes, std::span<const std::size_t> lines) {
  if (fixed_classes_ != 0 && labels.names().size() > fixed_classes_) check_labels(votes, lines);
  list_.append(votes);
  for (const std::size_t line : lines) lines_.add(line);
}

void VoteCollector::check_labels(std::span<const Vote> votes, std::span<const std::size_t> lines) const {
  for (std::size_t i = 0; i < votes.size(); ++i) {
    if (votes[i].label < fixed_classes_) continue;
    NameList classes;
    for (std::size_t c = 0; c < fixed_classes_; ++c) classes.push_back(labels.names()[c]);
    fail(ErrorKind::bad_data,
         fmt::format("{}:{}: {}", source_, lines[i], unknown_label_text(labels.names()[votes[i].label], classes)));
  }
}

// Sets votes.classes; returns the class of each label id.
std::vector<std::uint32_t> VoteCollector::order_classes(Votes& votes) {
  const NameList names = labels.take_names();
  std::vector<std::uint32_t> class_of(names.size());
  const std::vector<std::uint32_t> order = natural_order(names);
  for (std::uint32_t i = 0; i < order.size(); ++i) {
    const std::uint32_t label = fixed_classes_ != 0 ? i : order[i];
    votes.classes.push_back(names[label]);
    class_of[label] = i;
  }
  return class_of;
}

VoteList VoteCollector::without_repeats(RepeatedVotes repeated) const {
  std::unordered_map<std::uint64_t, std::size_t> place;  // item and judge: where the vote stands that counts
  for (std::size_t i = 0; i < list_.size(); ++i) {
    const Vote vote = list_[i];
    const auto [at, is_new] = place.try_emplace(std::uint64_t{vote.item} << 32 | vote.judge, i);
    if (!is_new && repeated == RepeatedVotes::last) at->second = i;
  }
  VoteList kept;
  for (std::size_t i = 0; i < list_.size(); ++i) {
    const Vote vote = list_[i];
    if (place.at(std::uint64_t{vote.item} << 32 | vote.judge) == i) kept.append({&vote, 1});
  }
  return kept;
}

Votes VoteCollector::finish(RepeatedVotes repeated) {
  if (list_.size() == 0) fail(ErrorKind::bad_data, source_ + ": there are no votes");
  if (labels.names().size() < 2) {
    fail(ErrorKind::bad_data,
         fmt::format("{}: all votes say '{}'; at least two classes are needed", source_, labels.names()[0]));
  }
  Votes votes;
  votes.items = items.take_names();
  votes.judges = judges.take_names();
  const std::vector<std::uint32_t> class_of = order_classes(votes);
  if (const auto twice = group_by_item(list_, class_of, votes)) {
    if (repeated != RepeatedVotes::refuse) {
      const VoteList kept = without_repeats(repeated);
      votes.repeats_left_out = list_.size() - kept.size();
      group_by_item(kept, class_of, votes);
      return votes;
    }
    const Vote vote = list_[twice->second];
    fail(ErrorKind::bad_data,
         fmt::format(
             "{}:{}: judge '{}' voted twice on item '{}' (first on line {}); keep one, or say which with --repeated",
             source_, lines_.line_of(twice->second), votes.judges[vote.judge], votes.items[vote.item],
             lines_.line_of(twice->first)));
  }
  list_ = {};
  return votes;
}

}  // namespace motet
