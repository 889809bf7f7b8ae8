#include "motet/io/resampler.h"

#include <fmt/format.h>
#include <soxr.h>

#include <algorithm>
#include <cmath>
#include <string>

#include "motet/base/error.h"

namespace motet {
namespace {

// soxr changes its way of working with the size of what it is given; always the same pieces give the same bits.
constexpr std::size_t piece = 4096;

void check_soxr(soxr_error_t error) {
  if (error != nullptr) fail(ErrorKind::machine_limit, fmt::format("the sample rate cannot be changed: {}", error));
}

}  // namespace

struct Resampler::Inside {
  ~Inside() { soxr_delete(soxr); }

  void take(std::size_t count, std::vector<std::vector<float>>& out);
  void take_rest(std::vector<std::vector<float>>& out);

  soxr_t soxr = nullptr;
  double ratio = 1.0;  // of the new rate to the old
  std::vector<std::vector<float>> waiting;
  std::vector<std::vector<float>> room;
};

Resampler::Resampler(double from_rate, double to_rate, std::size_t channels) : inside_(std::make_unique<Inside>()) {
  soxr_error_t error = nullptr;
  const soxr_io_spec_t format = soxr_io_spec(SOXR_FLOAT32_S, SOXR_FLOAT32_S);  // each channel by itself
  const soxr_quality_spec_t quality = soxr_quality_spec(SOXR_HQ, 0);
  const soxr_runtime_spec_t one_thread = soxr_runtime_spec(1);
  inside_->soxr =
      soxr_create(from_rate, to_rate, static_cast<unsigned>(channels), &error, &format, &quality, &one_thread);
  check_soxr(error);
  inside_->ratio = to_rate / from_rate;
  inside_->waiting.resize(channels);
  inside_->room.resize(channels);
}

Resampler::~Resampler() = default;
Resampler::Resampler(Resampler&&) noexcept = default;

// The first `count` samples of those that wait; 0: there will be no more.
void Resampler::Inside::take(std::size_t count, std::vector<std::vector<float>>& out) {
  const auto most = static_cast<std::size_t>(std::ceil(static_cast<double>(piece) * ratio)) + 64;
  std::vector<const float*> in(waiting.size());
  std::vector<float*> to(waiting.size());
  for (std::size_t c = 0; c < waiting.size(); ++c) {
    room[c].resize(most);
    in[c] = waiting[c].data();
    to[c] = room[c].data();
  }
  std::size_t used = 0;
  do {
    std::size_t taken = 0;
    std::size_t made = 0;
    const std::vector<const float*>& from = in;
    check_soxr(soxr_process(soxr, count == 0 ? nullptr : from.data(), count - used, &taken, to.data(), most, &made));
    for (std::size_t c = 0; c < out.size(); ++c) {
      out[c].insert(out[c].end(), room[c].begin(), room[c].begin() + static_cast<std::ptrdiff_t>(made));
      if (count > 0) in[c] += taken;
    }
    used += taken;
    if (made == 0 && taken == 0) break;
    if (count > 0 && used == count && made < most) break;
  } while (true);
  for (std::vector<float>& channel : waiting) {
    channel.erase(channel.begin(), channel.begin() + static_cast<std::ptrdiff_t>(used));
  }
}

void Resampler::Inside::take_rest(std::vector<std::vector<float>>& out) {
  if (!waiting[0].empty()) take(waiting[0].size(), out);
  take(0, out);
}

void Resampler::push(std::vector<std::vector<float>>& channels) {
  const bool is_end = channels[0].empty();
  for (std::size_t c = 0; c < channels.size(); ++c) {
    inside_->waiting[c].insert(inside_->waiting[c].end(), channels[c].begin(), channels[c].end());
    channels[c].clear();
  }
  while (inside_->waiting[0].size() >= piece) inside_->take(piece, channels);
  if (is_end) inside_->take_rest(channels);
}

}  // namespace motet
