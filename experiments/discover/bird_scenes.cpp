#include "experiments/discover/bird_scenes.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "motet/audio/mfcc.h"

namespace motet::discover {
namespace {

constexpr std::size_t hop_samples = 4410;
constexpr std::size_t window_samples = 11025;
constexpr std::size_t tries_before_anew = 100;

// 13 coefficients of 0.25 s every 0.1 s, section 7.1.
std::vector<double> mfcc_rows(const std::vector<float>& sound) {
  audio::MfccStream stream(audio::MfccOptions{}, bird_rate);
  std::vector<double> rows;
  stream.push(sound, rows);
  stream.finish(rows);
  return rows;
}

SongPlace place_at(const std::vector<float>& background, std::size_t position, std::size_t song_samples) {
  SongPlace place;
  place.first_row = position < window_samples ? 0 : (position - window_samples) / hop_samples + 1;
  const std::size_t most_rows = (background.size() - window_samples) / hop_samples + 1;
  const std::size_t last_row = std::min(most_rows - 1, (position + song_samples - 1) / hop_samples);
  place.rows = last_row - place.first_row + 1;
  const std::size_t begin = place.first_row * hop_samples;
  const std::size_t end = std::max(last_row * hop_samples + window_samples, position + song_samples);
  place.offset = position - begin;
  place.sound.assign(background.begin() + static_cast<std::ptrdiff_t>(begin),
                     background.begin() + static_cast<std::ptrdiff_t>(std::min(end, background.size())));
  return place;
}

bool meets(const SongPlace& one, const SongPlace& other) {
  return one.first_row < other.first_row + other.rows && other.first_row < one.first_row + one.rows;
}

double power(std::span<const float> samples) {
  double sum = 0.0;
  for (const float sample : samples) sum += static_cast<double>(sample) * static_cast<double>(sample);
  return sum;
}

}  // namespace

BirdScene bird_scene(Background background, double seconds, std::size_t repeats, Rng rng) {
  BirdScene scene;
  scene.name = fmt::format("B{}", static_cast<std::size_t>(background) + 1);
  const std::vector<float> sound = background_sound(background, seconds, rng.child(0));
  scene.background.values = mfcc_rows(sound);
  for (std::size_t c = 0; c < 13; ++c) scene.background.columns.push_back(fmt::format("mfcc{}", c));
  scene.background.starts.push_back(scene.background.values.size() / 13);
  scene.background.sequences.push_back(scene.name);
  scene.background.clock = {0.1, 0.25};
  for (std::size_t song = 0; song < song_count; ++song) scene.songs.push_back(bird_song(song));
  Rng lots = rng.child(1);
  for (std::size_t repeat = 0; repeat < repeats; ++repeat) {
    std::vector<SongPlace> places;
    for (std::size_t tries = 1; places.size() < song_count; ++tries) {
      if (tries % tries_before_anew == 0) places.clear();  // what lies badly in a short recording leaves no room
      const std::size_t length = scene.songs[places.size()].size();
      SongPlace place = place_at(sound, lots.below(sound.size() - length + 1), length);
      const bool is_taken =
          std::any_of(places.begin(), places.end(), [&](const SongPlace& other) { return meets(place, other); });
      if (!is_taken) places.push_back(std::move(place));
    }
    scene.places.push_back(std::move(places));
  }
  return scene;
}

LabelledFeatures with_songs(const BirdScene& scene, std::size_t repeat, const std::vector<std::size_t>& songs,
                            double gain) {
  LabelledFeatures made{scene.background, {{"background"}, std::vector<std::uint32_t>(scene.background.rows(), 0)}};
  for (const std::size_t song : songs) {
    const SongPlace& place = scene.places[repeat][song];
    const std::vector<float>& notes = scene.songs[song];
    std::vector<float> mixed = place.sound;
    const double covered = power(std::span(mixed).subspan(place.offset, notes.size()));
    const auto factor = static_cast<float>(gain * std::sqrt(covered / power(notes)));
    for (std::size_t i = 0; i < notes.size(); ++i) mixed[place.offset + i] += factor * notes[i];
    const std::vector<double> rows = mfcc_rows(mixed);
    std::copy_n(rows.begin(), place.rows * 13,
                made.features.values.begin() + static_cast<std::ptrdiff_t>(place.first_row * 13));
    made.truth.classes.push_back(fmt::format("F{}", song + 1));
    std::fill_n(made.truth.of_row.begin() + static_cast<std::ptrdiff_t>(place.first_row), place.rows,
                static_cast<std::uint32_t>(made.truth.classes.size() - 1));
  }
  return made;
}

}  // namespace motet::discover
