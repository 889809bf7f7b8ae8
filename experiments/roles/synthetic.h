// PlantedAccess data, what a method makes of them, and how far that is from the truth.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "experiments/panel.h"
#include "motet/roles/mine.h"
#include "motet/roles/simulate.h"

namespace motet::roles {

// A way to find roles. `against_sets`: its roles stand for whole label sets (SAC) and are
// compared with their proxy centroids.
struct MethodPlan {
  std::string name;
  MineOptions options = {};
  std::size_t roles = 3;
  bool against_sets = false;
  std::size_t most_repeats = 1000;  // a slow method is tried on the first data sets only
};

struct MinedRoles {
  RoleModel model;
  BitMatrix assignments;  // users x roles
};

// Without names, exceptions and intervals, which no experiment here looks at.
MinedRoles mined_by(const Access& access, const MethodPlan& method, const RunContext& run);

// The methods of figure 9.3 for `roles` roles, at most two per user.
MethodPlan mac_plan(std::string name = "MAC", Centroids centroids = Centroids::best,
                    RoleNoise noise = RoleNoise::mixture);
MethodPlan sac_plan(std::string name, std::size_t clusters, Centroids centroids = Centroids::best,
                    RoleNoise noise = RoleNoise::mixture);
MethodPlan baseline_plan(std::string name, RoleMethod method);

// a_1 of rounded roles. Of more estimated roles than true ones the best subset counts.
double role_error(const BitMatrix& truth, const BitMatrix& estimate);

struct SyntheticPlan {
  std::string stage;
  BitMatrix sources = chapter9_sources(Chapter9Sources::overlapping);
  Chapter9Options data;
  std::vector<double> noise;
  std::size_t repeats = 10;
  std::vector<MethodPlan> methods;
  bool wants_stability = false;
};

// One value per data set, by level of noise.
struct MethodScores {
  using Values = std::vector<std::vector<double>>;

  Values roles;              // a_1 of u
  Values beta;               // a_1 of beta
  Values rebuilt;            // share of wrong cells of the structure
  Values instability;        // (2.22) with the nearest neighbour as classifier, as in the thesis
  Values model_instability;  // with the first model itself as classifier
  Values noise;              // mean over permissions of |e estimated - e true|
  Values mean_noise;         // |mean e estimated - mean e true|
};

std::vector<MethodScores> synthetic_study(const ExperimentContext& context, const SyntheticPlan& plan);

// Levels of noise and numbers of repeats as the context asks.
std::vector<double> levels_for(const ExperimentContext& context, std::vector<double> levels);

// Data of given sources: assignments[n] are the sources of user n; mixture noise.
PlantedAccess planted_from(const BitMatrix& sources, const std::vector<std::vector<std::uint32_t>>& assignments,
                           double noise_fraction, double set_probability, Rng rng);

// The distinct unions of the sources that occur, in order of appearance.
BitMatrix proxy_centroids(const PlantedAccess& planted);

}  // namespace motet::roles
