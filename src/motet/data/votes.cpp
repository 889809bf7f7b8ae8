#include "motet/data/votes.h"

#include <fmt/format.h>

#include <algorithm>
#include <charconv>
#include <numeric>

#include "motet/base/error.h"

namespace motet {
namespace {

DuplicateVote locate(std::span<const Vote> list, std::uint32_t item, std::uint32_t judge) {
  std::vector<std::size_t> places;
  for (std::size_t i = 0; i < list.size() && places.size() < 2; ++i) {
    if (list[i].item == item && list[i].judge == judge) places.push_back(i);
  }
  return {places.at(0), places.at(1)};
}

bool read_number(std::string_view text, double& value) {
  const auto [end, code] = std::from_chars(text.data(), text.data() + text.size(), value);
  return code == std::errc{} && end == text.data() + text.size();
}

}  // namespace

std::optional<DuplicateVote> group_by_item(std::span<const Vote> list, Votes& votes) {
  const auto class_count = static_cast<std::uint32_t>(votes.class_count());
  if (list.size() > 0xFFFFFFFFU || votes.judge_count() * votes.class_count() > 0xFFFFFFFFU) {
    fail(ErrorKind::machine_limit, "more than 4294967295 votes, or judges times classes; split the data");
  }
  votes.starts.assign(votes.item_count() + 1, 0);
  votes.codes.resize(list.size());
  // Counting sort: starts[i + 1] first counts item i, then walks over its range.
  for (const Vote& vote : list) ++votes.starts[vote.item + 1];
  std::uint32_t begin = 0;
  for (std::size_t i = 1; i < votes.starts.size(); ++i) begin += std::exchange(votes.starts[i], begin);
  for (const Vote& vote : list) votes.codes[votes.starts[vote.item + 1]++] = vote.judge * class_count + vote.label;
  for (std::size_t i = 0; i < votes.item_count(); ++i) {
    const auto first = votes.codes.begin() + votes.starts[i];
    const auto last = votes.codes.begin() + votes.starts[i + 1];
    std::sort(first, last);
    const auto twice =
        std::adjacent_find(first, last, [&](auto a, auto b) { return a / class_count == b / class_count; });
    if (twice != last) return locate(list, static_cast<std::uint32_t>(i), *twice / class_count);
  }
  return std::nullopt;
}

Votes make_votes(NameList items, NameList judges, NameList classes, std::span<const Vote> list) {
  Votes votes;
  votes.items = std::move(items);
  votes.judges = std::move(judges);
  votes.classes = std::move(classes);
  for (const Vote& vote : list) {
    if (vote.item >= votes.item_count() || vote.judge >= votes.judge_count() || vote.label >= votes.class_count()) {
      fail(ErrorKind::bad_data, "a vote names an item, judge or class that does not exist");
    }
  }
  if (const auto twice = group_by_item(list, votes)) {
    const Vote& vote = list[twice->second];
    fail(ErrorKind::bad_data,
         fmt::format("judge '{}' voted twice on item '{}'", votes.judges[vote.judge], votes.items[vote.item]));
  }
  return votes;
}

std::vector<std::uint32_t> natural_order(const NameList& names) {
  std::vector<double> numbers(names.size());
  bool all_numbers = true;
  for (std::size_t i = 0; i < names.size(); ++i) all_numbers = read_number(names[i], numbers[i]) && all_numbers;
  std::vector<std::uint32_t> order(names.size());
  std::iota(order.begin(), order.end(), 0U);
  std::sort(order.begin(), order.end(), [&](std::uint32_t a, std::uint32_t b) {
    if (all_numbers && numbers[a] != numbers[b]) return numbers[a] < numbers[b];
    return names[a] < names[b];
  });
  return order;
}

}  // namespace motet
