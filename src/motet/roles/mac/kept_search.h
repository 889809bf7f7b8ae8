// What a search for roles has found so far, kept in a checkpoint, so that a run taken up again repeats none of it.
#pragma once

#include <cstddef>
#include <functional>
#include <memory>
#include <optional>
#include <span>
#include <vector>

#include "motet/engine/kept_tasks.h"
#include "motet/roles/mac/search.h"

namespace motet::roles {

// A state as numbers and back; nothing when they are not those of a state with so many columns.
std::vector<double> numbers_of(const RoleState& state);
std::optional<RoleState> state_of_numbers(std::span<const double> numbers, std::size_t columns);

class KeptSearch {
 public:
  KeptSearch(const RunContext& run, std::size_t columns)
      : run_(run), tasks_(std::make_shared<KeptTasks>(run, "roles search")), columns_(columns) {}

  // For another search of the same run, whose tasks have numbers of their own in the same checkpoint.
  KeptSearch another() const {
    KeptSearch other = *this;
    other.first_ = 1'000'000;
    return other;
  }

  // The last state that was kept of a task, by a run before this one.
  std::optional<RoleState> find(std::size_t task) const;
  // Throws Error{interrupted} when the run was cancelled: then the state is not what it should have become.
  void keep(std::size_t task, const RoleState& state);
  RoleState once(std::size_t task, const std::function<RoleState()>& compute);

  // The run ends here.
  void stop() { tasks_->stop(); }

 private:
  const RunContext& run_;
  std::shared_ptr<KeptTasks> tasks_;
  std::size_t columns_;
  std::size_t first_ = 0;  // added to the numbers of tasks
};

}  // namespace motet::roles
