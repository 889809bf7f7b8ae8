// p(class | votes) when judges err together: what error_blocks.h says of the blocks, over the classes.
#pragma once

#include <cstdint>
#include <memory>
#include <span>

#include "motet/judges/tied/dependence.h"

namespace motet::judges {

class ErrorInference {
 public:
  ErrorInference(const ErrorDependence& dependence, std::size_t class_count);
  ErrorInference(ErrorInference&&) noexcept;
  ErrorInference& operator=(ErrorInference&&) noexcept;
  ~ErrorInference();

  // Returns the log-likelihood of the votes.
  double infer(std::span<const double> prior, std::span<const std::uint32_t> codes, std::int32_t known,
               std::span<double> posterior) const;

 private:
  struct Blocks;
  std::unique_ptr<Blocks> blocks_;
};

}  // namespace motet::judges
