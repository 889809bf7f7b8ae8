// Figures 7.1 and 7.2: what a recording with a song looks like, as a signal and as rows of features.
#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <span>
#include <utility>

#include "experiments/discover/bird_study.h"
#include "experiments/discover/figures.h"
#include "experiments/panel.h"
#include "motet/data/preparation.h"
#include "motet/report/line_plot.h"
#include "motet/report/scatter_plot.h"

namespace motet::discover {
namespace {

constexpr std::size_t signal_steps = 400;  // of a picture
constexpr std::size_t most_background_points = 1500;
constexpr std::size_t overlapping_rows = 3;  // to each side: they share samples with a row

double level_of(std::span<const float> sound) {
  double sum = 0.0;
  for (const float x : sound) sum += static_cast<double>(x) * static_cast<double>(x);
  return std::sqrt(sum / static_cast<double>(sound.size()));
}

// The largest excursion of each step, mirrored, as a signal is drawn.
Plot signal_plot(const std::string& title, std::span<const float> sound) {
  Lines lines;
  lines.x_title = "seconds";
  lines.y_title = "signal";
  lines.has_points = false;
  lines.series = {{title, {}, {}, {}, {}, false}};
  const std::size_t steps = std::min(signal_steps, sound.size());
  for (std::size_t i = 0; i < steps; ++i) {
    const std::size_t first = i * sound.size() / steps;
    const auto part = sound.subspan(first, (i + 1) * sound.size() / steps - first);
    const auto [low, high] = std::minmax_element(part.begin(), part.end());
    for (const float value : {*low, *high}) {
      lines.series[0].x.push_back(static_cast<double>(first) / bird_rate);
      lines.series[0].y.push_back(static_cast<double>(value));
    }
  }
  return line_plot({title, "Least and largest sample of each step."}, lines);
}

struct SignalPart {
  std::string name;
  std::vector<float> sound;
};

// (a) the background, (b) the song, (c) both as they are, (d) with the song at the power of what it covers.
std::vector<SignalPart> signals_of(const std::vector<float>& background, const std::vector<float>& song,
                                   std::size_t first) {
  std::vector<float> plain = background;
  std::vector<float> normalised = background;
  const double covered = level_of(std::span(background).subspan(first, song.size()));
  const auto factor = static_cast<float>(covered / level_of(song));
  for (std::size_t t = 0; t < song.size(); ++t) {
    plain[first + t] += song[t];
    normalised[first + t] += factor * song[t];
  }
  return {{"B1", background}, {"F1", song}, {"B1F1, not normalised", plain}, {"B1F1, normalised", normalised}};
}

struct PlaneOfRows {
  std::vector<double> places;  // two per row
  double explained = 0.0;
};

PlaneOfRows plane_of(const LabelledFeatures& data, Threads threads) {
  const Preparation preparation = learn_preparation(data.features, {.standardize = true, .pca = 2}, threads);
  return {prepare(preparation, data.features, threads), preparation.explained[0] + preparation.explained[1]};
}

// Of the rows of the song, the share whose nearest row that shares no sample with them is of the song.
double share_among_own(std::span<const double> values, std::size_t width, const std::vector<std::uint32_t>& of_row) {
  std::size_t own = 0;
  std::size_t all = 0;
  for (std::size_t n = 0; n < of_row.size(); ++n) {
    if (of_row[n] == 0) continue;
    double least = infinity;
    std::uint32_t nearest = 0;
    for (std::size_t m = 0; m < of_row.size(); ++m) {
      if ((m > n ? m - n : n - m) < overlapping_rows) continue;
      double squares = 0.0;
      for (std::size_t d = 0; d < width; ++d) {
        const double off = values[n * width + d] - values[m * width + d];
        squares += off * off;
      }
      if (squares < least) {
        least = squares;
        nearest = of_row[m];
      }
    }
    own += nearest == 0 ? 0 : 1;
    ++all;
  }
  return static_cast<double>(own) / static_cast<double>(all);
}

Plot rows_plot(const std::string& title, const LabelledFeatures& data, const PlaneOfRows& plane) {
  Scatter scatter;
  scatter.kinds = {"background", "song"};
  scatter.x_title = "first component";
  scatter.y_title = "second component";
  const std::size_t rows = data.truth.of_row.size();
  const std::size_t step = std::max<std::size_t>(1, rows / most_background_points);
  for (std::size_t n = 0; n < rows; ++n) {
    const bool is_song = data.truth.of_row[n] != 0;
    if (is_song || n % step == 0) {
      scatter.points.push_back({plane.places[2 * n], plane.places[2 * n + 1], is_song ? 1U : 0U});
    }
  }
  return scatter_plot({title, fmt::format("Rows of 13 MFCC on their two leading components, {:.0f} % of the variance; "
                                          "all rows of the song, every {} of the background.",
                                          100.0 * plane.explained, step)},
                      scatter);
}

// By rate: the share with all coefficients.
std::vector<double> write_separability(ExperimentWriter& writer, const ExperimentContext& context,
                                       const BirdStudy& study, const BirdScene& scene) {
  Table table{{{"amplification rate", 1}, {"variance in the plane", 3}, {"13 coefficients"}, {"plane"}}, {}};
  std::vector<double> separable;
  for (const double gain : {0.1, 1.0}) {
    std::vector<double> in_all;
    std::vector<double> in_plane;
    double explained = 0.0;
    for (std::size_t repeat = 0; repeat < study.repeats; ++repeat) {
      const LabelledFeatures data = with_songs(scene, repeat, {0}, gain);
      const PlaneOfRows plane = plane_of(data, context.run.threads);
      const Preparation scaled = learn_preparation(data.features, {.standardize = true}, context.run.threads);
      in_all.push_back(share_among_own(prepare(scaled, data.features, context.run.threads), 13, data.truth.of_row));
      in_plane.push_back(share_among_own(plane.places, 2, data.truth.of_row));
      if (repeat == 0) {
        writer.plot(rows_plot(fmt::format("B1F1 at {:.1f}", gain), data, plane));
        explained = plane.explained;
      }
    }
    table.rows.push_back({gain, explained, mean_text(in_all, 3), mean_text(in_plane, 3)});
    separable.push_back(mean_sd(in_all).mean);
  }
  writer.table("How far the song stands apart", std::move(table));
  return separable;
}

}  // namespace

Outcome run_bird_pictures(const ExperimentContext& context) {
  ExperimentWriter writer("discover-fig7-1", "Figures 7.1 and 7.2: a recording with one song, drawn");
  BirdStudy study = study_of(context);
  study.repeats = context.repeats_or(context.quick ? 2 : 5);
  const BirdScene scene = study.scene(Background::storm);
  const Rng seeds = Rng(context.run.seed).child(0x7B00).child(static_cast<std::uint64_t>(Background::storm));
  const std::vector<float> background =
      background_sound(Background::storm, study.seconds(Background::storm), seeds.child(0));
  const std::size_t first = scene.places[0][0].first_row * 4410 + scene.places[0][0].offset;
  writer.section("Figure 7.1", fmt::format("Background B1 of {:.0f} s and song F1, both made by the program.",
                                           study.seconds(Background::storm)));
  Table levels{{{"signal"}, {"samples", 0}, {"level", 4}, {"largest", 4}}, {}};
  for (const SignalPart& part : signals_of(background, scene.songs[0], first)) {
    float most = 0.0F;
    for (const float x : part.sound) most = std::max(most, std::abs(x));
    levels.rows.push_back(
        {part.name, static_cast<std::int64_t>(part.sound.size()), level_of(part.sound), static_cast<double>(most)});
    writer.plot(signal_plot(part.name, part.sound));
  }
  writer.table("The four signals", std::move(levels));
  const LabelledFeatures faint = with_songs(scene, 0, {0}, 0.1);
  const auto song_rows = std::count(faint.truth.of_row.begin(), faint.truth.of_row.end(), 1U);
  const double share = static_cast<double>(song_rows) / static_cast<double>(faint.truth.of_row.size());
  Claims claims;
  claims.add("unmixed, the song is louder than the background", "seen in the figure",
             fmt::format("{:.2f} of its level", level_of(scene.songs[0]) / level_of(background)),
             verdict(level_of(scene.songs[0]) > level_of(background)));
  claims.add("share of the song in B1F1", "0.0054", fmt::format("{:.4f}", share),
             verdict(std::abs(share - 0.0054) < 0.001));
  writer.section(
      "Figure 7.2",
      fmt::format("Rows on their two leading principal components, where the thesis has t-SNE. Of the rows of "
                  "the song, the share whose nearest row (without those that share samples) is of "
                  "the song: with all 13 coefficients, and in the plane. Mean over {} places.",
                  study.repeats));
  const std::vector<double> separable = write_separability(writer, context, study, scene);
  claims.add("at 0.1 the song is hard to tell from the background", "seen", fmt::format("{:.2f}", separable[0]),
             verdict(separable[0] < 0.5));
  claims.add("at 1 it is easier", "seen", fmt::format("{:.2f}", separable[1]), verdict(separable[1] > separable[0]));
  claims.add("some of its rows remain hidden", "seen", fmt::format("{:.2f} of them", 1.0 - separable[1]),
             verdict(separable[1] < 1.0));
  claims.write(writer);
  return writer.finish();
}

}  // namespace motet::discover
