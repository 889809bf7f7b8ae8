#include "motet/data/votes.h"

#include <fmt/format.h>

#include <algorithm>
#include <charconv>
#include <cmath>
#include <numeric>

#include "motet/base/error.h"
#include "motet/base/memory.h"

namespace motet {
namespace {

constexpr unsigned bucket_bits = 15;  // items per bucket: its votes and starts stay in the second-level cache
constexpr std::uint32_t bucket_mask = (1U << bucket_bits) - 1;
constexpr std::ptrdiff_t few_enough = 12;  // votes of an item that are sorted without branches
constexpr std::uint64_t most_codes = 0xFFFFFFFFU;
constexpr std::string_view too_many = "more than 4294967295 votes, or judges times classes; split the data";

DuplicateVote locate(const VoteList& list, std::uint32_t item, std::uint32_t judge) {
  std::vector<std::size_t> places;
  for (std::size_t i = 0; i < list.size() && places.size() < 2; ++i) {
    if (list[i].item == item && list[i].judge == judge) places.push_back(i);
  }
  return {places.at(0), places.at(1)};
}

// The votes by ranges of items, within a range in the order they came.
struct Buckets {
  std::vector<std::size_t> ends;
  ZeroedArray<std::uint16_t> items;  // of each vote, counted from the bucket's first
};

// First step of the sort by item: codes go to their item's bucket. Done at once, every
// vote of a large shuffled file would miss the cache three times.
Buckets distribute(const VoteList& list, std::span<const std::uint32_t> class_of, Votes& votes) {
  const auto class_count = static_cast<std::uint32_t>(votes.class_count());
  Buckets buckets{std::vector<std::size_t>((votes.item_count() >> bucket_bits) + 2),
                  ZeroedArray<std::uint16_t>(votes.vote_count())};
  std::size_t* const places = buckets.ends.data();
  for (const auto& block : list.blocks()) {
    for (const auto& vote : block) ++places[(vote.item >> bucket_bits) + 1];
  }
  std::partial_sum(buckets.ends.begin(), buckets.ends.end(), buckets.ends.begin());
  std::uint16_t* const items = &buckets.items[0];
  std::uint32_t* const codes = votes.codes.data();
  for (const auto& block : list.blocks()) {
    for (const auto& packed : block) {
      const Vote vote = list.unpacked(packed);
      const std::size_t place = places[vote.item >> bucket_bits]++;
      codes[place] = vote.judge * class_count + (class_of.empty() ? vote.label : class_of[vote.label]);
      items[place] = static_cast<std::uint16_t>(vote.item & bucket_mask);
    }
  }
  return buckets;
}

// Second step, for one bucket: counting sort by item. ends[i] first counts item i,
// then walks over its range, up to the start of the next.
void sort_bucket(std::span<const std::uint16_t> items, std::size_t begin, std::span<std::uint32_t> ends,
                 std::span<std::uint32_t> codes, std::vector<std::uint32_t>& kept) {
  for (const std::uint16_t item : items) ++ends[item];
  auto at = static_cast<std::uint32_t>(begin);
  for (std::uint32_t& end : ends) at += std::exchange(end, at);
  const auto own = codes.subspan(begin, items.size());
  kept.assign(own.begin(), own.end());
  for (std::size_t i = 0; i < items.size(); ++i) codes[ends[items[i]]++] = kept[i];
}

// An item has few votes as a rule, in no order: a branch on each comparison would be wrong half the time.
void sort_codes(std::uint32_t* first, std::uint32_t* last) {
  if (last - first > few_enough) {
    std::sort(first, last);
    return;
  }
  for (; last - first > 1; --last) {
    for (std::uint32_t* at = first; at + 1 < last; ++at) {
      const std::uint32_t low = std::min(at[0], at[1]);
      const std::uint32_t high = std::max(at[0], at[1]);
      at[0] = low;
      at[1] = high;
    }
  }
}

// The first vote of a judge that has another on the same item, or null. Sorts the votes.
const std::uint32_t* sort_item(std::uint32_t* first, std::uint32_t* last, std::uint32_t class_count) {
  sort_codes(first, last);
  for (const std::uint32_t* code = first; code + 1 < last; ++code) {
    // Codes of one judge are less than class_count apart; the division decides only then.
    if (code[1] - code[0] < class_count && code[1] / class_count == code[0] / class_count) return code;
  }
  return nullptr;
}

// Finite numbers only: "nan" has no place in an order.
bool read_number(std::string_view text, double& value) {
  const auto [end, code] = std::from_chars(text.data(), text.data() + text.size(), value);
  return code == std::errc{} && end == text.data() + text.size() && std::isfinite(value);
}

}  // namespace

void VoteList::append(std::span<const Vote> votes) {
  Vote largest;
  for (const Vote& vote : votes) {
    largest.judge = std::max(largest.judge, vote.judge);
    largest.label = std::max(largest.label, vote.label);
  }
  if (largest.label >> label_bits_ != 0 || largest.judge >> (32 - label_bits_) != 0) make_room_for(largest);
  while (!votes.empty()) {
    if (size_ % block_size == 0) reserve_in_huge_pages(blocks_.emplace_back(), block_size);
    const auto some = votes.first(std::min(votes.size(), block_size - size_ % block_size));
    std::vector<Packed>& block = blocks_.back();
    block.resize(block.size() + some.size());
    Packed* out = &block.back() + 1 - some.size();
    const unsigned bits = label_bits_;
    for (const Vote& vote : some) *out++ = {vote.item, vote.judge << bits | vote.label};
    size_ += some.size();
    votes = votes.subspan(some.size());
  }
}

void VoteList::make_room_for(const Vote& vote) {
  const unsigned old_bits = label_bits_;
  while (vote.label >> label_bits_ != 0 && label_bits_ < 31) ++label_bits_;
  for (auto& block : blocks_) {
    for (Packed& packed : block) {
      const std::uint32_t judge = packed.judge_and_label >> old_bits;
      if (judge >> (32 - label_bits_) != 0) fail(ErrorKind::machine_limit, std::string(too_many));
      packed.judge_and_label = judge << label_bits_ | (packed.judge_and_label & ((1U << old_bits) - 1));
    }
  }
  if (vote.judge >> (32 - label_bits_) != 0 || vote.label >> label_bits_ != 0) {
    fail(ErrorKind::machine_limit, std::string(too_many));
  }
}

std::optional<DuplicateVote> group_by_item(std::span<const Vote> votes_list, Votes& votes) {
  VoteList list;
  list.append(votes_list);
  return group_by_item(list, {}, votes);
}

std::optional<DuplicateVote> group_by_item(const VoteList& list, std::span<const std::uint32_t> class_of,
                                           Votes& votes) {
  const std::size_t size = list.size();
  if (size > most_codes || votes.judge_count() * votes.class_count() > most_codes) {
    fail(ErrorKind::machine_limit, std::string(too_many));
  }
  votes.starts.assign(votes.item_count() + 1, 0);
  votes.codes = {};
  reserve_in_huge_pages(votes.codes, size);
  votes.codes.resize(size);
  const Buckets buckets = distribute(list, class_of, votes);
  const auto class_count = static_cast<std::uint32_t>(votes.class_count());
  std::vector<std::uint32_t> kept;
  std::size_t begin = 0;
  for (std::size_t b = 0; b << bucket_bits < votes.item_count(); ++b) {
    const std::size_t end = buckets.ends[b];
    const std::size_t first_item = b << bucket_bits;
    const std::size_t item_count = std::min<std::size_t>(votes.item_count() - first_item, bucket_mask + 1);
    sort_bucket({&buckets.items[begin], end - begin}, begin,
                std::span(votes.starts).subspan(first_item + 1, item_count), votes.codes, kept);
    for (std::size_t i = first_item; i < first_item + item_count; ++i) {
      std::uint32_t* const codes = votes.codes.data();
      const auto* twice = sort_item(codes + votes.starts[i], codes + votes.starts[i + 1], class_count);
      if (twice != nullptr) return locate(list, static_cast<std::uint32_t>(i), *twice / class_count);
    }
    begin = end;
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
