// The default beside its peers, and settings chosen on all sets but the one they are judged on.
#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <span>

#include "experiments/judges/figures.h"
#include "experiments/judges/made_judges.h"
#include "experiments/judges/peers.h"
#include "motet/base/error.h"
#include "motet/base/numeric.h"
#include "motet/io/gold_csv.h"
#include "motet/io/votes_csv.h"
#include "motet/judges/combine.h"
#include "motet/judges/estimate.h"

namespace motet::judges {
namespace {

struct NamedSet {
  std::string name;
  bool is_public = false;
  Votes votes;
  std::vector<std::int32_t> truth;
};

struct Score {
  double labels = 0.0;    // share right, ties by their chance
  double log_loss = 0.0;  // probabilities below 1e-6 count as that
  double brier = 0.0;
  double judges = 0.0;  // mean absolute error of accuracies on the items seen, judges with ten votes of known truth
};

// The accuracy a method tells is the mean posterior of a judge's votes, for all of them alike.
Score score_of(const NamedSet& set, const Posteriors& q) {
  constexpr double least = 1e-6;
  constexpr double tie = 1e-9;
  constexpr double votes_needed = 10.0;
  const std::size_t k = set.votes.class_count();
  Score score;
  double items = 0.0;
  std::vector<double> told(set.votes.judge_count(), 0.0);
  std::vector<double> given(told.size(), 0.0);
  std::vector<double> right(told.size(), 0.0);
  std::vector<double> known(told.size(), 0.0);
  for (std::size_t i = 0; i < set.votes.item_count(); ++i) {
    const std::span<const double> p = std::span(q).subspan(i * k, k);
    for (const std::uint32_t code : set.votes.of_item(i)) {
      told[code / k] += p[code % k];
      given[code / k] += 1.0;
      if (set.truth[i] == Votes::unknown) continue;
      known[code / k] += 1.0;
      right[code / k] += static_cast<std::int32_t>(code % k) == set.truth[i] ? 1.0 : 0.0;
    }
    if (set.truth[i] == Votes::unknown || set.votes.of_item(i).empty()) continue;
    const auto truth = static_cast<std::size_t>(set.truth[i]);
    const double most = *std::max_element(p.begin(), p.end());
    const auto best = std::count_if(p.begin(), p.end(), [&](double x) { return x >= most - tie; });
    items += 1.0;
    score.labels += p[truth] >= most - tie ? 1.0 / static_cast<double>(best) : 0.0;
    score.log_loss -= std::log(std::max(p[truth], least));
    for (std::size_t y = 0; y < k; ++y) score.brier += std::pow(p[y] - (y == truth ? 1.0 : 0.0), 2);
  }
  std::vector<double> errors;
  for (std::size_t j = 0; j < told.size(); ++j) {
    if (known[j] >= votes_needed) errors.push_back(std::abs(told[j] / given[j] - right[j] / known[j]));
  }
  return {score.labels / items, score.log_loss / items, score.brier / items, mean_sd(errors).mean};
}

Posteriors posteriors_of(const Votes& votes, const JudgesOptions& options, const RunContext& run) {
  const JudgesFit fit = estimate_judges(votes, options, run);
  Posteriors q;
  combine(fit.model, votes, [&](std::size_t, std::span<const double> p) { q.insert(q.end(), p.begin(), p.end()); });
  return q;
}

struct Setting {
  std::string name;
  JudgesOptions options;
};

// What a default could have been.
std::vector<Setting> settings() {
  std::vector<Setting> list = {
      {"auto", {}},     {"shared", {}}, {"subtypes", {}}, {"confusion", {}}, {"smoothing 1", {.smoothing = 1.0}},
      {"symmetric", {}}};
  list[1].options.noise = JudgeNoise::shared;
  list[2].options.noise = JudgeNoise::subtypes;
  list[3].options.noise = JudgeNoise::confusion;
  list[5].options.noise = JudgeNoise::symmetric;
  for (Setting& setting : list) setting.options.starts = 1;
  return list;
}

std::vector<NamedSet> all_sets(const ExperimentContext& context) {
  constexpr std::uint64_t draws = 3;  // of each kind
  std::vector<NamedSet> sets;
  for (const std::string name : {"bluebird", "dog", "rte", "temp", "trec", "zencrowd"}) {
    const std::string folder = data_folder(context, "judges/" + name);
    NamedSet set{
        name, true, read_votes(folder + "/votes.csv", {VotesLayout::automatic, ',', RepeatedVotes::first}, {}), {}};
    read_gold(folder + "/gold.csv", set.votes);
    set.truth = std::move(set.votes.known);
    set.votes.known.clear();
    sets.push_back(std::move(set));
  }
  const Rng root(context.run.seed);
  std::uint64_t kind = 0;
  for (const std::string_view name : kinds_of_made_judges()) {
    ++kind;
    for (std::uint64_t draw = 0; draw < draws; ++draw) {
      MadeJudges made = make_judges(name, root.child(kind).child(draw));
      sets.push_back({std::string(name), false, std::move(made.votes), std::move(made.truth)});
    }
  }
  return sets;
}

struct Row {
  std::string set;
  bool is_public;
  std::vector<Score> scores;  // by method
};

// Draws of one kind become one row.
std::vector<Row> mean_rows(const std::vector<NamedSet>& sets, const std::vector<std::vector<Score>>& scores) {
  std::vector<Row> rows;
  std::vector<double> draws;
  for (std::size_t s = 0; s < sets.size(); ++s) {
    if (rows.empty() || rows.back().set != sets[s].name) {
      rows.push_back({sets[s].name, sets[s].is_public, std::vector<Score>(scores[s].size())});
      draws.push_back(0.0);
    }
    draws.back() += 1.0;
    for (std::size_t m = 0; m < scores[s].size(); ++m) {
      Score& sum = rows.back().scores[m];
      sum.labels += scores[s][m].labels;
      sum.log_loss += scores[s][m].log_loss;
      sum.brier += scores[s][m].brier;
      sum.judges += scores[s][m].judges;
    }
  }
  for (std::size_t r = 0; r < rows.size(); ++r) {
    for (Score& score : rows[r].scores) {
      score = {score.labels / draws[r], score.log_loss / draws[r], score.brier / draws[r], score.judges / draws[r]};
    }
  }
  return rows;
}

using Pick = double Score::*;

void add_table(ExperimentWriter& writer, const std::string& title, const std::vector<Row>& rows,
               const std::vector<std::string>& methods, Pick pick) {
  Table table{{{"set"}}, {}};
  for (const std::string& method : methods) table.columns.push_back({method});
  const auto add_mean = [&](bool is_public) {
    std::vector<Cell> cells = {std::string(is_public ? "mean, public" : "mean, made")};
    for (std::size_t m = 0; m < methods.size(); ++m) {
      std::vector<double> values;
      for (const Row& row : rows) {
        if (row.is_public == is_public) values.push_back(row.scores[m].*pick);
      }
      cells.emplace_back(mean_sd(values).mean);
    }
    table.rows.push_back(std::move(cells));
  };
  for (const Row& row : rows) {
    std::vector<Cell> cells = {row.set};
    for (const Score& score : row.scores) cells.emplace_back(score.*pick);
    table.rows.push_back(std::move(cells));
  }
  add_mean(true);
  add_mean(false);
  writer.table(title, std::move(table));
}

// For each set the setting that labels the others best, and how it labels this one.
void add_left_out(ExperimentWriter& writer, const std::vector<Row>& rows, std::size_t setting_count,
                  std::size_t first_peer, const std::vector<std::string>& names) {
  Table table{{{"set left out"}, {"setting chosen on the others"}, {"labels"}, {"Dawid-Skene"}, {"majority"}}, {}};
  std::vector<double> gain;
  gain.reserve(rows.size());
  for (std::size_t out = 0; out < rows.size(); ++out) {
    std::size_t best = 0;
    std::vector<double> sums(setting_count, 0.0);
    for (std::size_t r = 0; r < rows.size(); ++r) {
      for (std::size_t m = 0; m < setting_count && r != out; ++m) sums[m] += rows[r].scores[m].labels;
    }
    for (std::size_t m = 1; m < setting_count; ++m) best = sums[m] > sums[best] ? m : best;
    const double skene = rows[out].scores[first_peer + 2].labels;
    gain.push_back(100.0 * (rows[out].scores[best].labels - skene));
    table.rows.push_back(
        {rows[out].set, names[best], rows[out].scores[best].labels, skene, rows[out].scores[first_peer].labels});
  }
  writer.table("Left out", std::move(table));
  writer.note(
      fmt::format("settings chosen without the set label {:+.2f} points more than Dawid-Skene in the mean over {} sets",
                  mean_sd(gain).mean, rows.size()));
}

}  // namespace

Outcome run_leave_one_out(const ExperimentContext& context) {
  ExperimentWriter writer("judges-leave-one-out", "The default and its peers on public sets and on made judges");
  const std::vector<NamedSet> sets = all_sets(context);
  const std::vector<Setting> ours = settings();
  const std::vector<Peer> others = peers();
  std::vector<std::string> names;
  names.reserve(ours.size() + others.size());
  for (const Setting& setting : ours) names.push_back(setting.name);
  for (const Peer& peer : others) names.emplace_back(peer.name);
  std::vector<std::vector<Score>> scores(sets.size());
  for_each_task(sets.size(), context.run.threads, [&](std::size_t s) {
    if (context.run.cancelled()) fail(ErrorKind::interrupted, "interrupted while labelling");
    RunContext one_thread;
    one_thread.threads.count = 1;
    for (const Setting& setting : ours) {
      scores[s].push_back(score_of(sets[s], posteriors_of(sets[s].votes, setting.options, one_thread)));
    }
    for (const Peer& peer : others) scores[s].push_back(score_of(sets[s], peer.label(sets[s].votes)));
  });
  const std::vector<Row> rows = mean_rows(sets, scores);
  writer.section(
      "Methods",
      "Six public sets, and the mean of three draws of each kind of made judges. No method saw a true class.");
  add_table(writer, "Share of items labelled right", rows, names, &Score::labels);
  add_table(writer, "Log loss", rows, names, &Score::log_loss);
  add_table(writer, "Brier score", rows, names, &Score::brier);
  add_table(writer, "Mean error of accuracies", rows, names, &Score::judges);
  writer.section("Settings chosen without the set they are judged on",
                 "For each set, the one of our settings that labels most of all other sets right in the mean.");
  add_left_out(writer, rows, ours.size(), ours.size(), names);
  return writer.finish(
      "the ways that auto compares, and the made judges, were settled together with the public sets in sight; leaving "
      "a "
      "set out here chooses among finished settings");
}

}  // namespace motet::judges
