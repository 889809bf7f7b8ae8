#include "motet/io/reading_progress.h"

#include "motet/base/error.h"

namespace motet {
namespace {

constexpr double bytes_a_megabyte = 1e6;
constexpr std::uint64_t bytes_a_report = 4'000'000;

}  // namespace

ReadingProgress::ReadingProgress(const InputFile& file, const RunContext& run)
    : file_(file), run_(run), stage_("reading " + file.name()) {}

void ReadingProgress::step() {
  if (run_.cancelled()) fail(ErrorKind::interrupted, "interrupted while " + stage_);
  if (!run_.observer || file_.bytes_done() < next_report_) return;
  next_report_ = file_.bytes_done() + bytes_a_report;
  run_.observer({stage_, static_cast<double>(file_.bytes_done()) / bytes_a_megabyte,
                 static_cast<double>(file_.bytes_total()) / bytes_a_megabyte, "MB"});
}

}  // namespace motet
