// Figures 9.3, 9.6, 9.7 and 9.8: five methods on the synthetic data of chapter 9.
#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "experiments/roles/figures.h"
#include "experiments/roles/synthetic.h"
#include "motet/base/numeric.h"

namespace motet::roles {
namespace {

const std::vector<double> all_levels = {0.0, 0.15, 0.3, 0.45, 0.55, 0.6, 0.65, 0.7, 0.75, 0.8};

// Independent computations of the same set-up (10 data sets per level), error of u.
const Reference mac_350 = {{0, 0},      {.3, 0},    {.45, 0},    {.55, 0},  {.6, .001},
                           {.65, .008}, {.7, .064}, {.75, .199}, {.8, .233}};
const Reference mac_3500 = {{0, 0}, {.3, 0}, {.45, 0}, {.55, 0}, {.6, 0}, {.65, 0}, {.7, 0}, {.75, .007}, {.8, .115}};
const Reference mac_noisy_or = {{0, 0},      {.3, 0}, {.45, 0},    {.55, 0},  {.6, 0},
                                {.65, .001}, {.7, 0}, {.75, .001}, {.8, .054}};
const Reference asso_350 = {{0, 0},      {.3, .026}, {.45, .076}, {.55, .121}, {.6, .149},
                            {.65, .183}, {.7, .256}, {.75, .294}, {.8, .350}};
const Reference dbps_350 = {{0, .194},   {.3, .117}, {.45, .169}, {.55, .231}, {.6, .236},
                            {.65, .297}, {.7, .307}, {.75, .375}, {.8, .382}};
const Reference ino_350 = {{0, 0}, {.3, 0}, {.45, 0}, {.55, 0}, {.6, .006}, {.65, .014}, {.7, .050}, {.75, .247}};
const Reference bica_350 = {{0, .417}, {.3, .417}, {.55, .417}, {.8, .417}};

constexpr std::string_view bica_note =
    "BICA: the thesis takes the method from elsewhere and gives no algorithm; ours is a maximum-likelihood fit under "
    "the "
    "same assumption of roles without common permissions. The reference is another stand-in, which collapsed";
constexpr std::string_view ino_note =
    "INO chooses the number of roles itself; the best three of them are compared, and missing ones count as empty";

std::vector<MethodPlan> five_methods(std::size_t ino_repeats) {
  std::vector<MethodPlan> methods = {mac_plan(), baseline_plan("DBPS", RoleMethod::dbps),
                                     baseline_plan("ASSO", RoleMethod::asso), baseline_plan("BICA", RoleMethod::bica),
                                     baseline_plan("INO", RoleMethod::ino)};
  methods.back().most_repeats = ino_repeats;
  return methods;
}

SyntheticPlan plan_for(const ExperimentContext& context, std::string stage, std::vector<double> levels,
                       std::size_t repeats, std::size_t ino_repeats) {
  SyntheticPlan plan;
  plan.stage = std::move(stage);
  plan.noise = levels_for(context, std::move(levels));
  plan.repeats = context.repeats_or(context.quick ? 2 : repeats);
  plan.methods = five_methods(ino_repeats);
  return plan;
}

void resize(const ExperimentContext& context, SyntheticPlan& plan, std::size_t single, std::size_t multiple) {
  plan.data.single_items = context.quick ? 1 + single / 10 : single;
  plan.data.multiple_items = context.quick ? 1 + multiple / 10 : multiple;
}

// One panel of errors of u, references by method.
void write_roles(ExperimentWriter& writer, std::string title, const SyntheticPlan& plan,
                 const std::vector<MethodScores>& scores, const std::vector<Reference>& references) {
  Panel panel(std::move(title), "noise", "error of the roles", plan.noise);
  for (std::size_t m = 0; m < scores.size(); ++m) {
    panel.add(plan.methods[m].name, scores[m].roles, m < references.size() ? references[m] : Reference{});
  }
  panel.write(writer);
}

void add_exact(Claims& claims, std::string what, double level, const SyntheticPlan& plan, const MethodScores& scores) {
  claims.add(std::move(what), fmt::format("to {:.2f}", level), exact_text(plan.noise, scores.roles),
             exact_verdict(plan.noise, scores.roles, level));
}

}  // namespace

Outcome run_figure_9_3(const ExperimentContext& context) {
  ExperimentWriter writer("roles-fig9.3", "Figure 9.3: five methods on overlapping sources");
  SyntheticPlan plan = plan_for(context, "five methods", all_levels, 10, 10);
  resize(context, plan, 50, 50);
  plan.wants_stability = true;
  plan.methods.push_back(mac_plan("MAC soft", Centroids::soft));
  writer.section("Set-up",
                 fmt::format("Three overlapping sources, {} users of each of seven label sets, mixture noise with "
                             "r = 0.5, {} data sets per level. Errors are shares of wrong bits after the best matching "
                             "of roles.",
                             plan.data.single_items, plan.repeats));
  const std::vector<MethodScores> scores = synthetic_study(context, plan);
  const auto panel = [&](std::string title, std::string y, auto member) {
    Panel made(std::move(title), "noise", std::move(y), plan.noise);
    for (std::size_t m = 0; m < scores.size(); ++m) made.add(plan.methods[m].name, scores[m].*member);
    made.write(writer);
  };
  panel("(a) error of beta", "error of beta", &MethodScores::beta);
  write_roles(writer, "(b) error of the roles", plan, scores,
              {mac_350,
               dbps_350,
               asso_350,
               bica_350,
               ino_350,
               {{0, 0}, {.3, 0}, {.45, 0}, {.55, .006}, {.6, .028}, {.65, .069}, {.7, .133}, {.75, .228}, {.8, .242}}});
  panel("(c) error of the reconstructed structure", "share of wrong cells", &MethodScores::rebuilt);
  panel("(d) instability, nearest neighbour as classifier", "share of users", &MethodScores::instability);
  panel("(d) instability, the model as classifier", "share of users", &MethodScores::model_instability);
  Claims claims;
  add_exact(claims, "MAC: no wrong bit", 0.55, plan, scores[0]);
  add_exact(claims, "INO: no wrong bit", 0.30, plan, scores[4]);
  for (const std::size_t m : {1U, 3U}) {
    claims.add(plan.methods[m].name + ": no wrong bit", "errors without noise already",
               exact_text(plan.noise, scores[m].roles), verdict(std::isnan(last_exact(plan.noise, scores[m].roles))));
  }
  return claims.finish(writer, {bica_note, ino_note,
                                "beta: MAC keeps rounded or soft centroids, whichever predicts held-out users better; "
                                "the thesis always has soft "
                                "ones, which is MAC soft here"});
}

Outcome run_figure_9_6(const ExperimentContext& context) {
  ExperimentWriter writer("roles-fig9.6", "Figure 9.6: the share of users with two roles");
  Claims claims;
  double exact_with_50 = 0.0;
  for (const std::size_t multiple : {50U, 20U, 80U}) {
    SyntheticPlan plan = plan_for(context, "users with two roles", {0.0, 0.3, 0.45, 0.55, 0.65, 0.75}, 10, 4);
    resize(context, plan, 100 - multiple, multiple);
    writer.section(fmt::format("{} users of each pair of roles, {} of each other set", plan.data.multiple_items,
                               plan.data.single_items),
                   fmt::format("Overlapping sources, r = 0.5, {} data sets per level (INO: at most 4).", plan.repeats));
    const std::vector<MethodScores> scores = synthetic_study(context, plan);
    write_roles(writer, fmt::format("Error of the roles, {} users per pair", multiple), plan, scores,
                multiple == 50 ? std::vector<Reference>{mac_350, dbps_350, asso_350, bica_350, ino_350}
                               : std::vector<Reference>{});
    const std::string what = fmt::format("MAC with {} users per pair: no wrong bit", multiple);
    const double exact = last_exact(plan.noise, scores[0].roles);
    if (multiple == 50) {
      exact_with_50 = exact;
      add_exact(claims, what, 0.55, plan, scores[0]);
    } else {
      claims.add(what, multiple == 20 ? "further than with 50" : "about as with 50",
                 exact_text(plan.noise, scores[0].roles),
                 verdict(multiple == 20 ? exact > exact_with_50 : exact == exact_with_50));
    }
    double least = 1.0;
    double most = 0.0;
    for (std::size_t i = 0; i < plan.noise.size() && plan.noise[i] <= 0.45; ++i) {
      const double mean = mean_sd(scores[1].roles[i]).mean;
      least = std::min(least, mean);
      most = std::max(most, mean);
    }
    claims.add(fmt::format("DBPS with {} users per pair: mean errors to noise 0.45", multiple),
               multiple == 20 ? "below 0.10" : "at least 0.20", fmt::format("{:.3f} to {:.3f}", least, most),
               verdict(multiple == 20 ? most < 0.10 : least >= 0.20));
  }
  return claims.finish(writer, {bica_note, ino_note});
}

Outcome run_figure_9_7(const ExperimentContext& context) {
  ExperimentWriter writer("roles-fig9.7", "Figure 9.7: the number of users");
  Claims claims;
  for (const std::size_t items : {5U, 50U, 500U}) {
    SyntheticPlan plan =
        plan_for(context, "number of users", {0.0, 0.15, 0.3, 0.55, 0.65, 0.7, 0.75}, 10, items == 500 ? 1 : 4);
    resize(context, plan, items, items);
    writer.section(fmt::format("{} users per label set", plan.data.single_items),
                   fmt::format("Overlapping sources, r = 0.5, {} data sets per level (INO: at most {}).", plan.repeats,
                               items == 500 ? 1 : 4));
    const std::vector<MethodScores> scores = synthetic_study(context, plan);
    std::vector<Reference> references;
    if (items == 50) references = {mac_350, dbps_350, asso_350, bica_350, ino_350};
    if (items == 500) references = {mac_3500};
    write_roles(writer, fmt::format("Error of the roles, {} users per set", items), plan, scores, references);
    const std::string mac = fmt::format("MAC with {} users per set: no wrong bit", items);
    const std::string ino = fmt::format("INO with {} users per set: no wrong bit", items);
    if (items == 5) {
      claims.add(mac, "very sensitive", exact_text(plan.noise, scores[0].roles), "");
      claims.add(ino, "below 0.15", exact_text(plan.noise, scores[4].roles),
                 verdict(!(last_exact(plan.noise, scores[4].roles) >= 0.15)));
    } else {
      add_exact(claims, mac, items == 50 ? 0.55 : 0.65, plan, scores[0]);
      add_exact(claims, ino, 0.30, plan, scores[4]);
    }
  }
  return claims.finish(writer, {bica_note, ino_note});
}

Outcome run_figure_9_8(const ExperimentContext& context) {
  ExperimentWriter writer("roles-fig9.8", "Figure 9.8: kind of noise and geometry of the sources");
  Claims claims;
  SyntheticPlan noisy_or = plan_for(context, "noise that only adds", all_levels, 10, 5);
  resize(context, noisy_or, 50, 50);
  noisy_or.data.set_probability = 1.0;
  writer.section(
      "(a) overlapping sources, r = 1",
      fmt::format("Noise only adds permissions; {} data sets per level (INO: at most 5).", noisy_or.repeats));
  const std::vector<MethodScores> added = synthetic_study(context, noisy_or);
  write_roles(writer, "Error of the roles, r = 1", noisy_or, added, {mac_noisy_or});
  add_exact(claims, "MAC, r = 1: no wrong bit", 0.75, noisy_or, added[0]);
  claims.add("INO, r = 1: no wrong bit", "better than with r = 0.5, to 0.30",
             exact_text(noisy_or.noise, added[4].roles), verdict(last_exact(noisy_or.noise, added[4].roles) > 0.30));

  SyntheticPlan orthogonal = plan_for(context, "orthogonal sources", all_levels, 10, 5);
  resize(context, orthogonal, 50, 50);
  orthogonal.sources = chapter9_sources(Chapter9Sources::orthogonal);
  writer.section(
      "(b) orthogonal sources, r = 0.5",
      fmt::format("No permission in two sources; {} data sets per level (INO: at most 5).", orthogonal.repeats));
  const std::vector<MethodScores> apart = synthetic_study(context, orthogonal);
  write_roles(writer, "Error of the roles, orthogonal sources", orthogonal, apart,
              {{{0, 0}, {.15, 0}, {.3, 0}, {.45, 0}, {.55, 0}, {.6, 0}}});
  add_exact(claims, "BICA, orthogonal: no wrong bit", 0.65, orthogonal, apart[3]);
  add_exact(claims, "DBPS, orthogonal: no wrong bit", 0.30, orthogonal, apart[1]);
  claims.add("MAC, orthogonal: no wrong bit", "better than overlapping, to 0.55",
             exact_text(orthogonal.noise, apart[0].roles),
             verdict(last_exact(orthogonal.noise, apart[0].roles) > 0.55));
  return claims.finish(writer, {bica_note, ino_note,
                                "the caption of figure 9.8 gives the noise of r = 1 to the right panel; its panels' "
                                "own titles and the text give "
                                "it to "
                                "the left one"});
}

}  // namespace motet::roles
