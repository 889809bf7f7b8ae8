// What the experiments of chapter 7 share: recordings with songs at many places, searched in several ways.
#pragma once

#include <string>
#include <vector>

#include "experiments/discover/bird_scenes.h"
#include "experiments/discover/strategies.h"
#include "motet/base/numeric.h"
#include "motet/report/page.h"

namespace motet::discover {

constexpr std::size_t published_repeats = 20;
constexpr std::size_t binary_limit = 1000;  // questions
constexpr std::size_t five_limit = 1500;
constexpr Strategy printed_strategies[] = {Strategy::literal, Strategy::static_gmm, Strategy::interleave};

struct Printed {
  double mean;
  double sd;
};

// Radius 18, two components.
SearchSetting bird_setting(Strategy strategy, Printed printed = {no_number, no_number});

std::string told_mean(const SearchResult& result);  // "12.3 (4.5), 1 not"
std::string told_printed(Printed printed);
double mean_requests(const SearchResult& result);

struct BirdStudy {
  const ExperimentContext& context;
  std::size_t repeats;

  double seconds(Background background) const;
  BirdScene scene(Background background) const;
  std::vector<SearchResult> play(const BirdScene& scene, const std::vector<std::size_t>& songs, double gain,
                                 const std::vector<SearchSetting>& settings, std::size_t limit) const;
};

BirdStudy study_of(const ExperimentContext& context);
std::string set_up(const BirdStudy& study);

// One recording of a figure of box plots.
struct BirdBoxes {
  std::string recording;
  const std::vector<SearchSetting>& settings;
  const std::vector<SearchResult>& results;
};
Plot bird_boxes(const std::string& title, const BirdBoxes& boxes);

// Mean questions of every strategy by the amplification rate: values by setting, rate and place.
struct GainCurves {
  std::vector<SearchSetting> settings;
  std::vector<double> gains;
  std::vector<std::vector<std::vector<double>>> requests;
  double random = 0.0;
};
GainCurves gain_curves(const BirdStudy& study, const BirdScene& scene, std::size_t song,
                       std::vector<SearchSetting> settings, std::vector<double> gains);
void write_curves(ExperimentWriter& writer, const std::string& title, const GainCurves& curves);

}  // namespace motet::discover
