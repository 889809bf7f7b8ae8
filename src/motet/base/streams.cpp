#include "motet/base/streams.h"

#include <array>
#include <limits>
#include <string>

#include "motet/base/error.h"

namespace motet {
namespace {

constexpr int block_bits = 48;

// In a namespace, since the names are short.
namespace stream_register {

using enum Stream;
using enum Takes;
constexpr std::uint64_t any = std::numeric_limits<std::uint64_t>::max();
constexpr std::array all_ranges{
    StreamRange{judges_random_start, judges_run, draws, 1, 1000},
    StreamRange{judges_bootstrap, judges_run, children, 0xB007, 1},
    StreamRange{judges_simulation, judges_simulation_run, children, 0, any, true},
    StreamRange{superset_class_order, superset_run, draws, 1, 999},
    StreamRange{superset_calibration_folds, superset_run, draws, 1, 1},
    StreamRange{superset_judged_rows, superset_run, draws, 2, 1},
    StreamRange{superset_mixture, superset_run, children, 0, any},
    StreamRange{superset_landmarks, superset_run, draws, 0, 0, true},
    StreamRange{superset_evaluation_folds, superset_run, draws},
    StreamRange{superset_study, superset_run, children},
    StreamRange{superset_blobs, superset_simulation_run, children, 0, 1},
    StreamRange{superset_candidates, superset_simulation_run, children, 1, 1},
    StreamRange{multilabel_trial_folds, multilabel_run, draws, 101, 1},
    StreamRange{multilabel_calibration_folds, multilabel_run, draws, 102, 1},
    StreamRange{multilabel_sample, multilabel_run, draws, 103, 1},
    StreamRange{multilabel_evaluation_folds, multilabel_evaluation_run, draws, 0, 0, true},
    StreamRange{multilabel_part, multilabel_evaluation_run, draws, 0, 1000},
    StreamRange{multilabel_learning_curve, multilabel_evaluation_run, draws},
    StreamRange{multilabel_simulation, multilabel_simulation_run, children, 0, 3, true},
    StreamRange{roles_growth, roles_run, draws, 1, 1},
    StreamRange{roles_searched_users, roles_run, draws, 7, 1},
    StreamRange{roles_held_out_users, roles_run, draws, 11, 1},
    StreamRange{roles_annealing, roles_run, draws, 100, 92},
    StreamRange{roles_comparison_split, roles_run, draws, 0xC0, 1},
    StreamRange{roles_capacity_halves, roles_run, both, 0xC1, 1},
    StreamRange{roles_ino_chains, roles_run, children, 0x1B0, 1},
    StreamRange{roles_moves, roles_run, draws, 1000, 1000},
    StreamRange{roles_select_halves, roles_run, draws, 4000, 1000},
    StreamRange{roles_select_growth, roles_run, draws, 5000, 2000},
    StreamRange{roles_select_measures, roles_run, draws, 7000, 2000},
    StreamRange{roles_stability, roles_run, children, 0x57AB, 1},
    StreamRange{roles_bica, roles_run, children, 0xB1CA, 1},
    StreamRange{roles_pairs, roles_run, children, 0xCA9A, 1},
    StreamRange{roles_disclosed, roles_run, children, 0xE7A1, 1},
    StreamRange{roles_simulation, roles_simulation_run, children, 0, 3, true},
    StreamRange{roles_dormant, roles_simulation_run, children, 0xD0, 1},
    StreamRange{temporal_kmeans, temporal_run | discover_run, draws, 0, 1000},
    StreamRange{temporal_trimmed_sample, temporal_run | discover_run, children, 0x7472696d, 1},
    StreamRange{discover_median_rows, discover_run, draws, 1, 1},
    StreamRange{discover_company, discover_run, draws, 2, 1},
    StreamRange{discover_random_order, discover_run, draws, 3, 1},
    StreamRange{discover_repeat, discover_run, draws, 0, 100'000},
    StreamRange{discover_events, discover_simulation_run, children, 0, 2, true},
    StreamRange{discover_toy, discover_simulation_run, draws, 0, 0, true},
    StreamRange{roles_cover, roles_run, children, 0xC0E0, 2},
    StreamRange{roles_model_users, roles_run, draws},
    StreamRange{roles_known_users, roles_run, draws},
    StreamRange{audio_field, audio_run, draws},
    StreamRange{audio_mix, audio_run, draws},
    StreamRange{audio_room, audio_run, draws},
    StreamRange{audio_sound, audio_run, draws},
    StreamRange{audio_split, audio_run, draws},
    StreamRange{audio_folds, audio_run, draws},
    StreamRange{audio_forest, audio_run, both},
    StreamRange{audio_importance, audio_run, draws},
    StreamRange{audio_scene, audio_run, both},
    StreamRange{discover_isolation_forest, discover_run, both},
    StreamRange{discover_grid, discover_run, draws},
};

constexpr std::array all_overlaps{
    KnownOverlap{superset_class_order, superset_calibration_folds},
    KnownOverlap{superset_class_order, superset_judged_rows},
    KnownOverlap{temporal_kmeans, discover_median_rows},
    KnownOverlap{temporal_kmeans, discover_company},
    KnownOverlap{temporal_kmeans, discover_random_order},
    KnownOverlap{temporal_kmeans, discover_repeat},
    KnownOverlap{discover_median_rows, discover_repeat},
    KnownOverlap{discover_company, discover_repeat},
    KnownOverlap{discover_random_order, discover_repeat},
};

}  // namespace stream_register

const StreamRange& range_of(Stream name) { return stream_register::all_ranges[static_cast<std::size_t>(name)]; }

}  // namespace

std::span<const StreamRange> stream_ranges() { return stream_register::all_ranges; }

std::span<const KnownOverlap> known_overlaps() { return stream_register::all_overlaps; }

Rng stream(Seed seed, Stream name, std::uint64_t index) {
  const StreamRange& range = range_of(name);
  if (range.is_seed_itself) return Rng(seed);
  const std::uint64_t block = (static_cast<std::uint64_t>(name) + 1) << block_bits;
  return Rng(seed).child(index < range.count ? range.first + index : block + index);
}

Seed drawn_seed(Seed seed, Stream name, std::uint64_t index) { return Seed{stream(seed, name, index).next()}; }

Seed whole_seed(Seed seed, Stream name) {
  if (!range_of(name).is_seed_itself) {
    fail(ErrorKind::internal, "stream " + std::to_string(static_cast<int>(name)) + " is a child of the seed");
  }
  return seed;
}

}  // namespace motet
