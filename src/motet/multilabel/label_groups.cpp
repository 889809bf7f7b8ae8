#include "motet/multilabel/label_groups.h"

#include <algorithm>
#include <map>
#include <utility>

#include "motet/base/error.h"
#include "motet/data/names.h"

namespace motet::multilabel {

std::vector<std::vector<std::size_t>> LabelGroups::members() const {
  std::vector<std::vector<std::size_t>> result(count);
  for (std::size_t k = 0; k < group.size(); ++k) {
    if (group[k] != no_group) result[group[k]].push_back(k);
  }
  return result;
}

std::vector<std::string> LabelGroups::names() const {
  std::vector<std::string> result(count);
  for (std::size_t k = 0; k < group.size(); ++k) {
    if (group[k] == no_group) continue;
    std::string& name = result[group[k]];
    name += (name.empty() ? "" : "|") + labels[k];
  }
  return result;
}

std::vector<std::string> LabelGroups::absent() const {
  std::vector<std::string> result;
  for (std::size_t k = 0; k < group.size(); ++k) {
    if (group[k] == no_group) result.push_back(labels[k]);
  }
  return result;
}

BitMatrix LabelGroups::grouped(const BitMatrix& sets) const {
  if (is_plain()) return sets;
  const std::vector<std::vector<std::size_t>> of_group = members();
  BitMatrix result(sets.rows(), count);
  for (std::size_t n = 0; n < sets.rows(); ++n) {
    for (std::size_t g = 0; g < count; ++g) {
      const std::vector<std::size_t>& own = of_group[g];
      result.set(n, g, std::all_of(own.begin(), own.end(), [&](std::size_t k) { return sets(n, k); }));
    }
  }
  return result;
}

BitMatrix LabelGroups::widened(const BitMatrix& groups) const {
  if (is_plain()) return groups;
  const std::vector<std::vector<std::size_t>> of_group = members();
  BitMatrix result(groups.rows(), labels.size());
  for (std::size_t n = 0; n < groups.rows(); ++n) {
    for_each_bit(groups.row(n), [&](std::size_t g) {
      for (const std::size_t k : of_group[g]) result.set(n, k);
    });
  }
  return result;
}

std::vector<double> LabelGroups::widened(std::span<const double> numbers) const {
  const std::size_t rows = count == 0 ? 0 : numbers.size() / count;
  std::vector<double> result(rows * labels.size(), 0.0);
  for (std::size_t n = 0; n < rows; ++n) {
    for (std::size_t k = 0; k < labels.size(); ++k) {
      if (group[k] != no_group) result[n * labels.size() + k] = numbers[n * count + group[k]];
    }
  }
  return result;
}

LabelGroups group_labels(const BitMatrix& sets, const std::vector<std::string>& labels) {
  LabelGroups groups{labels, std::vector<std::size_t>(labels.size(), no_group), 0};
  const BitMatrix by_label = sets.transposed();
  std::map<std::vector<std::uint64_t>, std::size_t> numbers;
  for (std::size_t k = 0; k < labels.size(); ++k) {
    if (by_label.count(k) == 0) continue;
    const auto items = by_label.row(k);
    const auto [place, is_new] = numbers.try_emplace({items.begin(), items.end()}, groups.count);
    groups.group[k] = place->second;
    if (is_new) ++groups.count;
  }
  return groups;
}

Value to_value(const LabelGroups& groups) {
  Value::List numbers;
  for (const std::size_t group : groups.group) {
    if (group == no_group) {
      numbers.emplace_back();
    } else {
      numbers.emplace_back(group);
    }
  }
  return Value::object({{"labels", Value::list_of(groups.labels)}, {"group", std::move(numbers)}});
}

LabelGroups label_groups_from(const Value& value) {
  LabelGroups groups;
  for (const Value& label : value.at("labels").as_list()) groups.labels.push_back(label.as_text());
  const Value::List& numbers = value.at("group").as_list();
  if (numbers.size() != groups.labels.size()) {
    fail(ErrorKind::bad_data, "field 'group' has " + std::to_string(numbers.size()) + " entries; " +
                                  std::to_string(groups.labels.size()) + " are needed");
  }
  for (const Value& number : numbers) {
    if (number.is_null()) {
      groups.group.push_back(no_group);
      continue;
    }
    // Groups are numbered by their first labels, so that each number is one of those before or the next.
    const std::int64_t group = number.as_whole();
    if (group < 0 || group > static_cast<std::int64_t>(groups.count)) {
      fail(ErrorKind::bad_data, "field 'group' has number " + std::to_string(group) + "; at most " +
                                    std::to_string(groups.count) + " can be there");
    }
    groups.group.push_back(static_cast<std::size_t>(group));
    groups.count = std::max(groups.count, static_cast<std::size_t>(group) + 1);
  }
  return groups;
}

}  // namespace motet::multilabel
