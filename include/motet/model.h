// What the models of all tasks are to those who use the library: values that are cheap to copy.
#pragma once

#include <memory>
#include <utility>

namespace motet {

template <class Inside>
class ModelOf {
 public:
  explicit ModelOf(std::shared_ptr<const Inside> inside) : inside_(std::move(inside)) {}
  const Inside& inside() const { return *inside_; }  // the library's own

 private:
  std::shared_ptr<const Inside> inside_;
};

}  // namespace motet
