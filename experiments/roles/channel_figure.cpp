// Figure 10.3: why the approximation capacity is sensitive to small errors.
#include <fmt/format.h>

#include <cmath>

#include "experiments/roles/figures.h"
#include "experiments/roles/synthetic.h"
#include "motet/base/numeric.h"
#include "motet/roles/choice/grown_models.h"
#include "motet/roles/choice/role_capacity.h"

namespace motet::roles {

namespace {

double channel_capacity(double p) {
  const auto term = [](double q) { return q > 0.0 ? -q * std::log2(q) : 0.0; };
  return 1.0 - term(p) - term(1.0 - p);
}

// Users with one of two sets and one bit, of which every set expects its own; between the data sets a share p of the
// users changes it. (10.5) then has 1 + (1 - p) log2(1 - s) + p log2 s with s in (0, 1/2], the largest at s = p.
double one_bit_capacity(double p) {
  constexpr std::size_t users = 1000;
  std::vector<double> first;
  std::vector<double> second;
  for (std::size_t n = 0; n < users; ++n) {
    const bool changed = static_cast<double>(n) + 0.5 < p * static_cast<double>(users);
    for (const double cost : {0.0, 1.0}) {
      first.push_back(cost);
      second.push_back(changed ? 1.0 - cost : cost);
    }
  }
  const std::vector<UserPair> pairs = pair_in_order(users);
  return approximation_capacity({first, second, 2, pairs, 1.0}, {}).bits;
}

void write_channel(ExperimentWriter& writer) {
  const std::vector<double> shares = {0.0, 0.01, 0.02, 0.05, 0.1, 0.11, 0.2, 0.3, 0.4, 0.45, 0.5, 0.6, 0.8, 1.0};
  std::vector<std::vector<double>> ours;
  Reference reference;
  double apart = 0.0;
  double apart_beyond = 0.0;
  for (const double p : shares) {
    ours.push_back({one_bit_capacity(p)});
    reference.emplace_back(p, channel_capacity(p));
    double& largest = p > 0.5 ? apart_beyond : apart;
    largest = std::max(largest, std::abs(ours.back()[0] - reference.back().second));
  }
  writer.section(
      "The channel",
      "Capacity of the binary symmetric channel that flips a bit with probability p. Reference: 1 - h(p). Ours "
      "is not that formula: it is the approximation capacity (10.5) of 1000 users with one of two sets and one "
      "bit, which a share p of them changes between the two data sets.");
  Panel panel("Capacity of one bit", "p", "bits", shares);
  panel.add("capacity (10.5)", ours, reference);
  panel.write(writer, 4);
  const auto steepness = [](double from, double to) {
    return (one_bit_capacity(from) - one_bit_capacity(to)) / (to - from);
  };
  Claims claims;
  claims.add("a small change of a small p", "changes the capacity much",
             fmt::format("{:.1f} bits per unit of p from 0 to 0.02, {:.1f} from 0.4 to 0.5", steepness(0.0, 0.02),
                         steepness(0.4, 0.5)),
             verdict(steepness(0.0, 0.02) > 5.0 * steepness(0.4, 0.5)));
  claims.add("smallest capacity", "around p = 0.5", fmt::format("{:.4f} at p = 0.5", one_bit_capacity(0.5)),
             verdict(std::abs(one_bit_capacity(0.5)) < 1e-4));
  claims.write(writer);
  writer.note(
      fmt::format("the two differ by at most {:.1e} to p = 0.5 and by {:.1f} beyond: a channel that flips every bit "
                  "is as good as one that flips none, but two data sets that contradict each other tell nothing",
                  apart, apart_beyond));
}

// The true model with a share of the bits of its roles turned over, the same bits first whatever the share.
RoleModel spoiled_model(const BitMatrix& sources, double noise, double share, Rng rng) {
  RoleModel model;
  for (std::size_t d = 0; d < sources.columns(); ++d) model.permissions.push_back(fmt::format("p{}", d + 1));
  for (std::size_t k = 0; k < sources.rows(); ++k) {
    model.roles.push_back(fmt::format("r{}", k + 1));
    for (std::size_t d = 0; d < sources.columns(); ++d) {
      model.absence.push_back(sources(k, d) != (rng.uniform() < share) ? 0.0 : 1.0);
    }
  }
  model.frozen.assign(sources.rows(), 0);
  model.p0 = {0.5 * noise};
  model.p1 = {1.0 - 0.5 * noise};
  for (const std::vector<std::uint32_t>& set : {std::vector<std::uint32_t>{0}, {1}, {0, 1}}) {
    model.sets.add(set);
    model.set_share.push_back(1.0 / 3.0);
  }
  return model;
}

struct WrongScores {
  std::vector<std::vector<double>> same, other, nearest;  // [share of wrong bits][data set]
};

WrongScores wrong_scores(const ExperimentContext& context, double noise, const std::vector<double>& wrong,
                         std::size_t items, std::size_t repeats) {
  const BitMatrix sources = chapter9_sources(Chapter9Sources::overlapping).rows_of(std::vector<std::uint32_t>{0, 1});
  std::vector<std::vector<std::uint32_t>> users(items, {0});
  users.insert(users.end(), items, {1});
  users.insert(users.end(), items, {0, 1});
  const std::vector<std::vector<double>> empty(wrong.size(), std::vector<double>(repeats));
  WrongScores scores{empty, empty, empty};
  run_grid(context, "wrong roles", 1, repeats, [&](std::size_t, std::size_t repeat, const RunContext& run) {
    const Rng rng = Rng(context.run.seed).child(0xA300).child(repeat);
    const PlantedAccess first = planted_from(sources, users, noise, 0.5, rng.child(0));
    const PlantedAccess second = planted_from(sources, users, noise, 0.5, rng.child(1));
    const BitMatrix& x1 = first.access.held;
    const BitMatrix& x2 = second.access.held;
    SearchRules rules;
    rules.degree = 2;
    const RoleModel reference =
        grown_models(x2, first.access.permissions.to_vector(), {2, 2}, rules, rng.child(3), run).back();
    const PairedUsers same{x1, x2, pair_in_order(users.size())};
    const PairedUsers other = pair_users_by(reference, x1, x2, run);
    const PairedUsers nearest = pair_nearest_users(x1, x2, run);
    for (std::size_t i = 0; i < wrong.size(); ++i) {
      const RoleModel model = spoiled_model(sources, noise, wrong[i], rng.child(2));
      scores.same[i][repeat] = role_capacity(model, same, {}, run).bits;
      scores.other[i][repeat] = role_capacity(model, other, {}, run).bits;
      scores.nearest[i][repeat] = role_capacity(model, nearest, {}, run).bits;
    }
  });
  return scores;
}

void write_wrong_roles(const ExperimentContext& context, ExperimentWriter& writer) {
  const std::size_t items = context.quick ? 15 : 100;
  const std::size_t repeats = context.repeats_or(context.quick ? 2 : 10);
  const std::vector<double> wrong = {0.0, 0.01, 0.02, 0.05, 0.1, 0.2, 0.37};
  writer.section(
      "Wrong roles",
      fmt::format("What the thesis explains by the channel: the two overlapping sources of figure 10.1 without "
                  "padding, {} users of each of {{1}}, {{2}} and {{1, 2}}, and a model that is right but for a "
                  "share of the bits of its roles; {} pairs of data sets. Users are paired by their true sets, by "
                  "two roles found in the second data set alone (what `motet roles` does), and as nearest rows "
                  "(10.9).",
                  items, repeats));
  for (const double noise : {0.3, 0.7}) {
    const WrongScores scores = wrong_scores(context, noise, wrong, items, repeats);
    Panel panel(fmt::format("Capacity with wrong bits in the roles, noise {:.1f}", noise), "wrong bits", "bits", wrong);
    panel.add("true sets", scores.same);
    panel.add("roles of the second data", scores.other);
    panel.add("nearest rows", scores.nearest);
    panel.write(writer, 3);
    const auto change = [](const std::vector<std::vector<double>>& values) {
      return fmt::format("{:.3f} to {:.3f}", mean_sd(values.front()).mean, mean_sd(values.back()).mean);
    };
    writer.note(
        fmt::format("noise {:.1f}, right roles to 37 % wrong bits: {} by true sets, {} by roles of the second data, {} "
                    "by nearest rows",
                    noise, change(scores.same), change(scores.other), change(scores.nearest)));
  }
}

}  // namespace

Outcome run_figure_10_3(const ExperimentContext& context) {
  ExperimentWriter writer("roles-fig10.3", "Figure 10.3: capacity of a binary symmetric channel");
  write_channel(writer);

  write_wrong_roles(context, writer);
  return writer.finish();
}

}  // namespace motet::roles
