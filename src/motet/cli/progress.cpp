#include "motet/cli/progress.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <ostream>

namespace motet {
namespace {

constexpr double terminal_pause = 0.1;  // seconds between two updates
constexpr double plain_pause = 5.0;
constexpr int bar_width = 24;

std::string time_text(double seconds) {
  if (seconds < 90.0) return fmt::format("{:.0f} s", std::ceil(seconds));
  if (seconds < 5400.0) return fmt::format("{:.0f} min", std::ceil(seconds / 60.0));
  return fmt::format("{:.1f} h", seconds / 3600.0);
}

}  // namespace

std::string progress_text(const Progress& progress, double seconds, double from) {
  const bool percent = progress.unit == "%";
  const double rate = seconds > 0.0 ? (progress.done - from) / seconds : 0.0;
  const std::string speed = percent || rate <= 0.0 ? "" : fmt::format("  {:.3g} {}/s", rate, progress.unit);
  if (!(progress.total > 0.0))
    return fmt::format("{} {:.4g} {}{}", progress.stage, progress.done, progress.unit, speed);
  const double share = std::clamp(progress.done / progress.total, 0.0, 1.0);
  const int filled = static_cast<int>(share * bar_width);
  const double made = progress.done - from;
  const bool is_told = made > 0.0 && share < 1.0 && seconds > 0.5;
  const std::string left = is_told ? "  " + time_text(seconds * (progress.total - progress.done) / made) + " left" : "";
  return fmt::format("{} [{:#<{}}{:.<{}}] {:3.0f} %{}{}", progress.stage, "", filled, "", bar_width - filled,
                     100.0 * share, speed, left);
}

void ProgressPrinter::show(const Progress& progress) {
  const std::lock_guard<std::mutex> lock(mutex_);
  const Clock::time_point now = Clock::now();
  if (progress.stage != stage_) {
    stage_ = progress.stage;
    stage_start_ = now;
    stage_from_ = progress.done;
    if (is_terminal_) last_ = {};  // a new stage shows at once
  }
  const std::chrono::duration<double> pause = now - last_;
  if (pause.count() < (is_terminal_ ? terminal_pause : plain_pause)) return;
  last_ = now;
  const std::string text =
      progress_text(progress, std::chrono::duration<double>(now - stage_start_).count(), stage_from_);
  if (is_terminal_) {
    err_ << "\r\x1b[K" << text << std::flush;
    has_line_ = true;
  } else {
    err_ << text << "\n" << std::flush;
  }
}

void ProgressPrinter::clear() {
  const std::lock_guard<std::mutex> lock(mutex_);
  if (has_line_) err_ << "\r\x1b[K" << std::flush;
  has_line_ = false;
}

}  // namespace motet
