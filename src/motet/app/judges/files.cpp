#include "motet/app/judges/files.h"

#include <fmt/format.h>

#include <algorithm>
#include <limits>
#include <optional>

#include "motet/app/csv_output.h"
#include "motet/app/verb.h"
#include "motet/base/error.h"
#include "motet/io/record_file.h"
#include "motet/judges/combine.h"
#include "motet/judges/confusion/identifiability.h"

namespace motet::judges {
namespace {

constexpr double doubtful = 0.9;
constexpr std::size_t most_disputed = 50;

std::string votes_in_words(const Votes& votes, std::size_t item) {
  std::string text;
  for (const std::uint32_t code : votes.of_item(item)) {
    text += fmt::format("{}{}: {}", text.empty() ? "" : ", ", votes.judges[code / votes.class_count()],
                        votes.classes[code % votes.class_count()]);
  }
  return text;
}

// The most doubtful items seen so far.
class Disputes {
 public:
  void add(std::size_t item, std::span<const double> posterior) {
    const double probability = best_label(posterior).probability;
    if (probability < doubtful) ++doubtful_count_;
    if (probability >= doubtful || (kept_.size() == most_disputed && probability >= kept_.back().probability)) return;
    Kept added{item, probability, {posterior.begin(), posterior.end()}};
    const auto place = std::upper_bound(kept_.begin(), kept_.end(), probability,
                                        [](double p, const Kept& other) { return p < other.probability; });
    kept_.insert(place, std::move(added));
    if (kept_.size() > most_disputed) kept_.pop_back();
  }

  void tell(const Votes& votes, JudgesReport& report) const {
    report.disputed_share =
        static_cast<double>(doubtful_count_) / static_cast<double>(std::max<std::size_t>(votes.item_count(), 1));
    for (const Kept& kept : kept_) {
      std::vector<double> rest = kept.posterior;
      const CombinedLabel best = best_label(rest);
      rest[best.label] = -1.0;
      const CombinedLabel second = best_label(rest);
      report.disputed.push_back({std::string(votes.items[kept.item]), std::string(votes.classes[best.label]),
                                 best.probability, std::string(votes.classes[second.label]), second.probability,
                                 votes_in_words(votes, kept.item)});
    }
  }

 private:
  struct Kept {
    std::size_t item;
    double probability;
    std::vector<double> posterior;
  };
  std::vector<Kept> kept_;  // by rising probability
  std::size_t doubtful_count_ = 0;
};

}  // namespace

VotesFormat votes_format(const VotesFileOptions& options) {
  return {options.layout, parse_delimiter(options.delimiter), options.repeated};
}

JudgesModel read_judges_model(const std::string& path) {
  const Record record = read_record(path);
  return with_frame(path, [&] { return judges_from_record(record); });
}

JudgesFit fit_from_model(JudgesModel model, double confidence) {
  JudgesFit fit;
  const std::size_t k = model.class_count();
  fit.log_likelihood = model.statistics[0];
  fit.interval_source = "the information of the first fit and the votes added since";
  for (std::size_t j = 0; j < model.judge_count(); ++j) {
    JudgeEstimate judge;
    judge.accuracy = judge.seen_accuracy = judge.long_run_accuracy = model.accuracy(j);
    judge.standard_error = standard_error(judge.accuracy, model.accuracy_votes[j]);
    judge.interval = probability_interval(judge.accuracy, model.accuracy_votes[j], confidence);
    for (std::size_t y = 0; y < k; ++y) {
      for (std::size_t c = 0; c < k; ++c) {
        const double votes = model.accuracy_votes[j] * model.prior(y);
        judge.cells.push_back(probability_interval(model.cell(j, c, y), votes, confidence));
      }
    }
    judge.determined = model.accuracy_votes[j] > 0.0;
    fit.judges.push_back(std::move(judge));
  }
  for (std::size_t y = 0; y < k; ++y) {
    const double votes = model.prior_known ? std::numeric_limits<double>::infinity() : model.items;
    fit.prior.push_back(probability_interval(model.prior(y), votes, confidence));
  }
  fit.model = std::move(model);
  return fit;
}

std::vector<std::size_t> look_at_items(const JudgesModel& model, const Votes& votes, const std::string& labels_path,
                                       JudgesReport& report) {
  std::vector<std::size_t> label_counts(model.class_count(), 0);
  std::optional<CsvOutput> labels;
  if (!labels_path.empty()) {
    labels.emplace(labels_path);
    labels->csv().text("item").text("label").text("probability").end_row();
  }
  Disputes disputes;
  combine(model, votes, [&](std::size_t item, std::span<const double> posterior) {
    const CombinedLabel best = best_label(posterior);
    ++label_counts[best.label];
    disputes.add(item, posterior);
    if (!labels) return;
    labels->csv().text(votes.items[item]).text(votes.classes[best.label]).number(best.probability).end_row();
  });
  if (labels) labels->finish();
  disputes.tell(votes, report);
  return label_counts;
}

std::vector<double> gold_accuracies(const Votes& votes) {
  if (votes.known.empty()) return {};
  std::vector<double> right(votes.judge_count(), 0.0);
  std::vector<double> total(votes.judge_count(), 0.0);
  for (std::size_t i = 0; i < votes.item_count(); ++i) {
    if (votes.known[i] == Votes::unknown) continue;
    for (const std::uint32_t code : votes.of_item(i)) {
      total[code / votes.class_count()] += 1.0;
      if (static_cast<std::int32_t>(code % votes.class_count()) == votes.known[i])
        right[code / votes.class_count()] += 1.0;
    }
  }
  for (std::size_t j = 0; j < right.size(); ++j) {
    right[j] = total[j] > 0.0 ? right[j] / total[j] : std::numeric_limits<double>::quiet_NaN();
  }
  return right;
}

std::vector<std::string> warn_of_gold(const Votes& votes, const GoldCounts& gold, const std::string& path) {
  if (gold.used == 0) fail(ErrorKind::bad_data, fmt::format("{}: none of its items has a vote", path));
  std::vector<std::string> warnings;
  if (gold.without_votes > 0) {
    warnings.push_back(fmt::format("{} item{} of {} without votes: left out", gold.without_votes,
                                   gold.without_votes == 1 ? "" : "s", path));
  }
  std::vector<std::size_t> absent;
  const std::vector<double> accuracy = gold_accuracies(votes);
  for (std::size_t j = 0; j < accuracy.size(); ++j) {
    if (accuracy[j] != accuracy[j]) absent.push_back(j);
  }
  if (!absent.empty()) {
    warnings.push_back(fmt::format("no vote of {} on the items of {}: known labels say nothing of {} directly",
                                   name_some(absent, votes.judges), path, absent.size() == 1 ? "it" : "them"));
  }
  return warnings;
}

void write_difficulties_csv(const JudgesFit& fit, const Votes& votes, const std::string& path) {
  CsvOutput out(path);
  out.csv().text("item").text("difficulty").text("low").text("high").end_row();
  for (std::size_t i = 0; i < fit.difficulty.size(); ++i) {
    const ItemDifficulty& item = fit.difficulty[i];
    out.csv()
        .text(votes.items[i])
        .number(item.difficulty)
        .number(item.interval.low)
        .number(item.interval.high)
        .end_row();
  }
  out.finish();
}

void write_votes_csv(const Votes& votes, const std::string& path) {
  CsvOutput out(path);
  CsvWriter& csv = out.csv();
  csv.text("item").text("judge").text("label").end_row();
  for (std::size_t i = 0; i < votes.item_count(); ++i) {
    for (const std::uint32_t code : votes.of_item(i)) {
      csv.text(votes.items[i])
          .text(votes.judges[code / votes.class_count()])
          .text(votes.classes[code % votes.class_count()]);
      csv.end_row();
    }
  }
  out.finish();
}

void write_truth_csv(const Votes& votes, const std::vector<std::int32_t>& truth, const std::string& path) {
  CsvOutput out(path);
  CsvWriter& csv = out.csv();
  csv.text("item").text("label").end_row();
  for (std::size_t i = 0; i < votes.item_count(); ++i) {
    csv.text(votes.items[i]).text(votes.classes[static_cast<std::size_t>(truth[i])]).end_row();
  }
  out.finish();
}

}  // namespace motet::judges
