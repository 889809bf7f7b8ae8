// Pieces that tasks make side by side, handed on in the order of the tasks.
//
// The first task that is not yet done hands its pieces on at once; those of the others are kept, up to a limit of
// memory, beyond which they wait. Tasks must be begun in their order, as for_each_task does: then the one that all wait
// for is always at work.
#pragma once

#include <condition_variable>
#include <cstddef>
#include <functional>
#include <map>
#include <mutex>
#include <vector>

namespace motet {

class OrderedPieces {
 public:
  // What is to be done with a piece, one at a time; `bytes` is what it takes while it is kept.
  using Piece = std::function<void()>;

  explicit OrderedPieces(std::size_t most_bytes) : most_bytes_(most_bytes) {}

  void put(std::size_t task, std::size_t bytes, Piece piece);
  void finish(std::size_t task);  // no more pieces of this task

  // Nothing is handed on any more and nobody waits.
  void abandon();

 private:
  struct Kept {
    std::size_t bytes = 0;
    Piece piece;
  };
  struct Task {
    std::vector<Kept> kept;
    bool is_done = false;
  };

  void hand_on(Task& task);

  std::mutex mutex_;
  std::condition_variable changed_;
  std::map<std::size_t, Task> tasks_;  // those with pieces that are kept, or done before their turn
  std::size_t first_ = 0;              // whose turn it is
  std::size_t most_bytes_;
  std::size_t kept_bytes_ = 0;
  bool is_abandoned_ = false;
};

}  // namespace motet
