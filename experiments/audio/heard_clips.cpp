#include "experiments/audio/heard_clips.h"

#include <algorithm>
#include <cmath>
#include <filesystem>
#include <map>
#include <utility>

#include "motet/audio/lane_fft.h"
#include "motet/audio/scene/room.h"
#include "motet/audio/scenes/clip_features.h"
#include "motet/base/error.h"
#include "motet/base/parallel.h"
#include "motet/io/resampler.h"
#include "motet/io/sound_file.h"

namespace motet::audio {
namespace {

constexpr std::size_t mixtures = 40;          // of each kind, for 24 clips
constexpr std::size_t frame_samples = 16384;  // 0.8 s
constexpr std::size_t frame_first = 14 * frame_samples;
constexpr double sensor_noise = 1e-3;
constexpr double full_scale_level = 0.0708;  // -23 dB
constexpr std::size_t heard_point = 2 * LaneFft::lanes;

std::vector<double> spectra_of(LaneFft& fft, const Sound& response) {
  std::vector<double> signals(LaneFft::lanes * fft.size(), 0.0);
  const std::size_t length = std::min(fft.size(), response.samples());
  for (std::size_t m = 0; m < LaneFft::lanes; ++m) {
    for (std::size_t t = 0; t < length; ++t) {
      signals[LaneFft::lanes * t + m] = static_cast<double>(response.channels[m][t]);
    }
  }
  std::vector<double> spectra(heard_point * fft.bins());
  fft.spectra(signals, spectra);
  return spectra;
}

// Frame 15 at the four microphones.
Sound frame_in_room(LaneFft& fft, const std::vector<float>& sound, const std::vector<double>& response, Rng rng) {
  std::vector<double> signals(LaneFft::lanes * fft.size());
  for (std::size_t t = 0; t < fft.size(); ++t) {
    for (std::size_t m = 0; m < LaneFft::lanes; ++m) signals[LaneFft::lanes * t + m] = static_cast<double>(sound[t]);
  }
  std::vector<double> spectra(heard_point * fft.bins());
  fft.spectra(signals, spectra);
  for (std::size_t k = 0; k < fft.bins(); ++k) {
    for (std::size_t m = 0; m < LaneFft::lanes; ++m) {
      double& re = spectra[heard_point * k + m];
      double& im = spectra[heard_point * k + LaneFft::lanes + m];
      const double a = response[heard_point * k + m];
      const double b = response[heard_point * k + LaneFft::lanes + m];
      const double product = re * a - im * b;
      im = re * b + im * a;
      re = product;
    }
  }
  fft.signals(spectra, signals);
  const double level = full_scale_level * std::pow(10.0, rng.uniform(-6.0, 6.0) / 20.0);
  Sound frame{heard_rate, std::vector<std::vector<float>>(LaneFft::lanes, std::vector<float>(frame_samples))};
  for (std::size_t m = 0; m < LaneFft::lanes; ++m) {
    for (std::size_t t = 0; t < frame_samples; ++t) {
      const double heard = level * signals[LaneFft::lanes * (frame_first + t) + m];
      frame.channels[m][t] = static_cast<float>(heard + sensor_noise * rng.normal());
    }
  }
  return frame;
}

// The direct ratio and the waves of a response are its own, whoever is heard in it.
Sound response_of(std::size_t response, std::size_t waves, Rng rng) {
  RoomOptions room;
  room.waves = waves;
  room.t60 = heard_t60[response / responses_per_t60];
  room.direct_ratio = rng.uniform(0.0, 10.0);
  return room_response(room, heard_rate, rng.child(0));
}

std::uint64_t lot_of(const RunContext& run) { return Rng(run.seed).child(0x4A00).next(); }

}  // namespace

const std::vector<std::string>& activity_names() {
  static const std::vector<std::string> names = {"speech", "noise", "music", "speech in low noise",
                                                 "speech in high noise"};
  return names;
}

std::vector<DryClip> dry_clips(std::size_t count, const std::vector<std::vector<float>>& noises, Rng rng,
                               Threads threads) {
  constexpr Everyday kinds[] = {Everyday::speech, Everyday::noise, Everyday::music};
  std::vector<std::vector<float>> sounds(3 * count);
  for_each_task(sounds.size(), threads, [&](std::size_t i) {
    const Everyday kind = kinds[i % 3];
    sounds[i] =
        kind == Everyday::noise && !noises.empty() ? noises[i / 3 % noises.size()] : everyday_sound(kind, rng.child(i));
  });
  std::vector<DryClip> clips;
  for (std::size_t i = 0; i < count; ++i) {
    clips.push_back({Activity::speech, i, sounds[3 * i]});
    clips.push_back({Activity::noise, i, sounds[3 * i + 1]});
    clips.push_back({Activity::music, count + i, sounds[3 * i + 2]});
  }
  constexpr double low[] = {5.0, 10.0, 15.0};
  constexpr double high[] = {2.0, 0.0, -5.0};
  for (std::size_t i = 0; i < count * mixtures / 24; ++i) {
    const std::size_t pair = i % count;
    const std::size_t ratio = (i + i / count) % 3;
    clips.push_back({Activity::low_noise, pair, speech_in_noise(sounds[3 * pair], sounds[3 * pair + 1], low[ratio])});
    clips.push_back({Activity::high_noise, pair, speech_in_noise(sounds[3 * pair], sounds[3 * pair + 1], high[ratio])});
  }
  return clips;
}

std::vector<Hearing> hearings_of(const std::vector<DryClip>& clips, std::size_t rooms, Rng rng) {
  std::vector<Hearing> hearings;
  for (std::size_t c = 0; c < clips.size(); ++c) {
    std::array<std::size_t, heard_t60.size()> order{};
    for (std::size_t i = 0; i < order.size(); ++i) order[i] = i;
    for (std::size_t i = 0; i < rooms; ++i) {
      std::swap(order[i], order[i + rng.below(order.size() - i)]);
      hearings.push_back({c, order[i] * responses_per_t60 + rng.below(responses_per_t60)});
    }
  }
  return hearings;
}

std::vector<Hearing> hearings_at(const std::vector<DryClip>& clips, std::size_t t60, Rng rng) {
  std::vector<Hearing> hearings;
  for (std::size_t c = 0; c < clips.size(); ++c) {
    hearings.push_back({c, t60 * responses_per_t60 + rng.below(responses_per_t60)});
  }
  return hearings;
}

Clips heard_features(const std::vector<DryClip>& clips, const std::vector<Hearing>& hearings, std::size_t waves,
                     const RunContext& run) {
  const Rng lots{static_cast<Seed>(lot_of(run))};
  std::map<std::size_t, std::vector<std::size_t>> by_response;
  for (std::size_t h = 0; h < hearings.size(); ++h) by_response[hearings[h].response].push_back(h);
  const std::vector<std::pair<std::size_t, std::vector<std::size_t>>> tasks(by_response.begin(), by_response.end());
  ClipOptions options;
  options.set = "sfi,sfi-st,mfcc,asa,music";
  std::vector<ClipRow> rows(hearings.size());
  for_each_task(tasks.size(), run.threads.here(), [&](std::size_t task) {
    if (run.cancelled()) fail(ErrorKind::interrupted, "interrupted");
    LaneFft fft(heard_samples);
    const std::vector<double> response =
        spectra_of(fft, response_of(tasks[task].first, waves, lots.child(tasks[task].first)));
    for (const std::size_t h : tasks[task].second) {
      const Rng own = lots.child(1000 + hearings[h].clip * 1000 + hearings[h].response);
      rows[h] = clip_features(frame_in_room(fft, clips[hearings[h].clip].sound, response, own), options);
    }
  });
  Clips made;
  made.columns = rows[0].columns;
  made.rows.width = made.columns.size();
  for (std::size_t h = 0; h < hearings.size(); ++h) {
    made.rows.values.insert(made.rows.values.end(), rows[h].values.begin(), rows[h].values.end());
    made.source.push_back(static_cast<std::uint32_t>(clips[hearings[h].clip].source));
    made.response.push_back(static_cast<std::uint32_t>(hearings[h].response));
  }
  return made;
}

Target activities_of(const std::vector<DryClip>& clips, const std::vector<Hearing>& hearings) {
  Target target{activity_names(), {}};
  for (const Hearing& one : hearings) target.values.push_back(static_cast<double>(clips[one.clip].activity));
  return target;
}

Target t60_of(const std::vector<Hearing>& hearings) {
  Target target;
  for (const Hearing& one : hearings) target.values.push_back(heard_t60[one.response / responses_per_t60]);
  return target;
}

const std::vector<HeardSet>& heard_sets() {
  static const std::vector<HeardSet> sets = {{"sfi", "SFI", 0, 920},
                                             {"sfi-avg", "SFIavg", 920, 800, "_a10"},
                                             {"sfi-std", "SFIstd", 920, 800, "_s10"},
                                             {"sfi-st", "SFIst", 920, 800},
                                             {"mfcc", "MFCC", 1720, 13},
                                             {"asa", "ASA", 1733, 11},
                                             {"music", "MUSIC", 1744, 17}};
  return sets;
}

Clips columns_of(const Clips& all, const HeardSet& set) {
  std::vector<std::size_t> chosen;
  for (std::size_t d = set.first; d < set.first + set.count; ++d) {
    if (all.columns[d].ends_with(set.ending)) chosen.push_back(d);
  }
  Clips made = all;
  made.columns.clear();
  made.rows = {chosen.size(), {}};
  for (const std::size_t d : chosen) made.columns.push_back(all.columns[d]);
  for (std::size_t n = 0; n < all.rows.rows(); ++n) {
    for (const std::size_t d : chosen) made.rows.values.push_back(all.rows.row(n)[d]);
  }
  return made;
}

Clips some_clips(const Clips& all, const std::vector<std::uint32_t>& kept) {
  Clips made{some_rows(all.rows, kept), all.columns, some_targets(all.target, kept), {}, {}};
  for (const std::uint32_t n : kept) {
    made.source.push_back(all.source[n]);
    if (!all.response.empty()) made.response.push_back(all.response[n]);
  }
  return made;
}

std::vector<std::vector<float>> public_noises(const std::string& folder, Rng rng) {
  std::vector<std::string> files;
  for (const auto& entry : std::filesystem::directory_iterator(folder)) {
    if (entry.path().extension() == ".wav") files.push_back(entry.path().string());
  }
  if (files.empty()) fail(ErrorKind::bad_data, folder + ": holds no .wav");
  std::sort(files.begin(), files.end());
  std::vector<std::vector<float>> noises;
  for (std::size_t i = 0; i < files.size(); ++i) {
    std::vector<std::string> warnings;  // these clips are known
    Sound sound = read_sound(files[i], {}, warnings);
    sound.channels.resize(1);
    Resampler resampler(sound.sample_rate, heard_rate, 1);
    resampler.push(sound.channels);
    std::vector<float> all = sound.channels[0];
    sound.channels = {{}};
    resampler.push(sound.channels);
    all.insert(all.end(), sound.channels[0].begin(), sound.channels[0].end());
    noises.push_back(as_heard(all, rng.child(i)));
  }
  return noises;
}

}  // namespace motet::audio
