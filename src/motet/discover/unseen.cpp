#include "motet/discover/unseen.h"

#include <algorithm>
#include <cmath>
#include <iterator>
#include <set>
#include <vector>

#include "motet/base/log_gamma.h"
#include "motet/base/numeric.h"
#include "motet/discover/answers.h"

namespace motet::discover {
namespace {

constexpr double steepness[] = {1.0, 1.5, 2.0};  // b
constexpr double least_scale = 1.0;              // a, in questions
constexpr double most_scale = 1000.0;
constexpr std::size_t scales = 30;
constexpr double prior_power = 2.0;
constexpr std::size_t most_unseen = 200;
constexpr double level = 0.9;

struct FirstMeeting {
  double scale;
  double steepness;

  double after(double questions) const { return 1.0 / (1.0 + std::pow(questions / scale, steepness)); }
};

std::vector<FirstMeeting> meeting_grid() {
  std::vector<FirstMeeting> grid;
  for (const double b : steepness) {
    for (std::size_t i = 0; i < scales; ++i) {
      const double part = static_cast<double>(i) / static_cast<double>(scales - 1);
      grid.push_back({least_scale * std::pow(most_scale / least_scale, part), b});
    }
  }
  return grid;
}

// log of (m + U)! / U! / (m + U)^2.
std::vector<double> log_ways(double seen) {
  std::vector<double> ways(most_unseen + 1);
  for (std::size_t u = 0; u <= most_unseen; ++u) {
    const auto unseen = static_cast<double>(u);
    ways[u] = lgamma_alone(seen + unseen + 1.0) - lgamma_alone(unseen + 1.0) - prior_power * std::log(seen + unseen);
  }
  return ways;
}

}  // namespace

UnseenClasses unseen_classes(std::span<const std::size_t> first_met, std::size_t answers) {
  UnseenClasses result;
  result.seen = first_met.size();
  if (first_met.empty()) return result;
  result.can_tell = true;
  const auto questions = static_cast<double>(answers);
  const std::vector<double> ways = log_ways(static_cast<double>(first_met.size()));
  const std::vector<FirstMeeting> grid = meeting_grid();
  std::vector<double> joint;  // over the grid and numbers
  joint.reserve(grid.size() * ways.size());
  for (const FirstMeeting& meeting : grid) {
    double of_seen = 0.0;
    for (const std::size_t t : first_met) {
      const auto question = static_cast<double>(t);
      of_seen += std::log(std::max(meeting.after(question - 1.0) - meeting.after(question), 1e-300));
    }
    const double none = std::log(meeting.after(questions));
    for (std::size_t u = 0; u <= most_unseen; ++u) joint.push_back(of_seen + static_cast<double>(u) * none + ways[u]);
  }
  const double whole = log_sum_exp(joint);
  std::vector<double> number(most_unseen + 1, 0.0);
  for (std::size_t g = 0; g < grid.size(); ++g) {
    const double stays_away = grid[g].after(questions + 1.0) / grid[g].after(questions);
    double none_is_met = 1.0;
    for (std::size_t u = 0; u <= most_unseen; ++u, none_is_met *= stays_away) {
      const double p = std::exp(joint[g * ways.size() + u] - whole);
      number[u] += p;
      result.next_is_new += p * (1.0 - none_is_met);
    }
  }
  double sum = 0.0;
  for (std::size_t u = 0; u <= most_unseen; ++u) {
    result.expected += static_cast<double>(u) * number[u];
    if (sum < level) result.most = u;
    sum += number[u];
  }
  return result;
}

UnseenClasses unseen_classes(const Discovery& discovery) {
  const HeldAnswers held = held_answers(discovery);
  std::vector<std::size_t> first_met(discovery.mixture.classes.size(), 0);
  std::set<std::size_t> told;
  for (const Answer& answer : discovery.answers) {
    const std::int32_t of_class = held.at(answer.row);
    if (of_class < 0 || !told.insert(answer.row).second) continue;
    std::size_t& first = first_met[static_cast<std::size_t>(of_class)];
    if (of_class > 0 && first == 0) first = told.size();
  }
  std::erase(first_met, 0U);
  return unseen_classes(first_met, told.size());
}

}  // namespace motet::discover
