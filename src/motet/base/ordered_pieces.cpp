#include "motet/base/ordered_pieces.h"

#include <utility>

namespace motet {

void OrderedPieces::hand_on(Task& task) {
  for (Kept& kept : task.kept) {
    kept_bytes_ -= kept.bytes;
    kept.piece();
  }
  task.kept.clear();
}

void OrderedPieces::put(std::size_t task, std::size_t bytes, Piece piece) {
  std::unique_lock lock(mutex_);
  changed_.wait(lock, [&] { return is_abandoned_ || task == first_ || kept_bytes_ + bytes <= most_bytes_; });
  if (is_abandoned_) return;
  if (task == first_) {
    hand_on(tasks_[task]);
    piece();
  } else {
    kept_bytes_ += bytes;
    tasks_[task].kept.push_back({bytes, std::move(piece)});
  }
}

void OrderedPieces::finish(std::size_t task) {
  const std::lock_guard lock(mutex_);
  if (is_abandoned_) return;
  tasks_[task].is_done = true;
  for (auto at = tasks_.find(first_); at != tasks_.end(); at = tasks_.find(first_)) {
    hand_on(at->second);
    if (!at->second.is_done) break;
    tasks_.erase(at);
    ++first_;
  }
  changed_.notify_all();
}

void OrderedPieces::abandon() {
  const std::lock_guard lock(mutex_);
  is_abandoned_ = true;
  changed_.notify_all();
}

}  // namespace motet
