#include "motet/roles/mac/kept_search.h"

#include "motet/base/error.h"

namespace motet::roles {
namespace {

constexpr std::size_t head = 5;  // roles, p0, p1, objective, label sets

bool is_count(double number, double most) { return number >= 0.0 && number <= most; }

}  // namespace

std::vector<double> numbers_of(const RoleState& state) {
  std::vector<double> numbers = {static_cast<double>(state.count()), state.p0, state.p1, state.objective,
                                 static_cast<double>(state.share.size())};
  numbers.insert(numbers.end(), state.share.begin(), state.share.end());
  for (std::size_t k = 0; k < state.count(); ++k) {
    numbers.push_back(static_cast<double>(state.roles.count(k)));
    for_each_bit(state.roles.row(k), [&](std::size_t d) { numbers.push_back(static_cast<double>(d)); });
  }
  return numbers;
}

std::optional<RoleState> state_of_numbers(std::span<const double> numbers, std::size_t columns) {
  if (numbers.size() < head) return {};
  const auto left = static_cast<double>(numbers.size() - head);
  if (!is_count(numbers[0], left) || !is_count(numbers[4], left)) return {};
  const auto shares = static_cast<std::size_t>(numbers[4]);
  RoleState state{BitMatrix(static_cast<std::size_t>(numbers[0]), columns), numbers[1], numbers[2], {}, numbers[3]};
  const std::span<const double> share = numbers.subspan(head, shares);
  state.share.assign(share.begin(), share.end());
  std::span<const double> rest = numbers.subspan(head + shares);
  for (std::size_t k = 0; k < state.count(); ++k) {
    if (rest.empty() || !is_count(rest[0], static_cast<double>(rest.size() - 1))) return {};
    const auto ones = static_cast<std::size_t>(rest[0]);
    for (const double column : rest.subspan(1, ones)) {
      if (!is_count(column, static_cast<double>(columns) - 1.0)) return {};
      state.roles.set(k, static_cast<std::size_t>(column));
    }
    rest = rest.subspan(1 + ones);
  }
  return rest.empty() ? std::optional(std::move(state)) : std::nullopt;
}

std::optional<RoleState> KeptSearch::find(std::size_t task) const {
  const std::vector<double>* const numbers = tasks_->find(first_ + task);
  if (numbers == nullptr) return {};
  std::optional<RoleState> state = state_of_numbers(*numbers, columns_);
  if (!state) fail(ErrorKind::bad_data, "the checkpoint is damaged; start without --resume");
  return state;
}

void KeptSearch::keep(std::size_t task, const RoleState& state) {
  if (run_.cancelled()) fail(ErrorKind::interrupted, "interrupted");
  if (run_.save) tasks_->add(first_ + task, numbers_of(state));
}

RoleState KeptSearch::once(std::size_t task, const std::function<RoleState()>& compute) {
  if (std::optional<RoleState> before = find(task)) return *std::move(before);
  RoleState state = compute();
  keep(task, state);
  return state;
}

}  // namespace motet::roles
