#include "motet/multilabel/choice/inner_run.h"

#include <fmt/format.h>

#include <utility>

#include "motet/base/error.h"

namespace motet::multilabel {

RunContext inner_run(const RunContext& run, std::string stage, std::uint64_t number, Stream name) {
  if (run.cancelled()) fail(ErrorKind::interrupted, "interrupted in " + stage);
  RunContext inner = run;
  inner.save = {};
  inner.resume = {};
  inner.seed = drawn_seed(run.seed, name, number);
  if (run.observer) {
    inner.observer = [outer = run.observer, stage = std::move(stage)](const Progress& progress) {
      const std::string named = fmt::format("{}: {}", stage, progress.stage);
      outer({named, progress.done, progress.total, progress.unit});
    };
  }
  return inner;
}

}  // namespace motet::multilabel
