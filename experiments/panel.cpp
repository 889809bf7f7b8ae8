#include "experiments/panel.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <cmath>
#include <limits>

#include "motet/base/error.h"
#include "motet/base/numeric.h"
#include "motet/report/line_plot.h"

namespace motet {
namespace {

std::vector<double> numbers_of(std::vector<double> values) {
  std::erase_if(values, [](double value) { return std::isnan(value); });
  return values;
}

double reference_at(const Reference& reference, double x) {
  for (const auto& [at, value] : reference) {
    if (std::abs(at - x) < 1e-9) return value;
  }
  return no_number;
}

}  // namespace

Panel::Panel(std::string title, std::string x_title, std::string y_title, std::vector<double> x)
    : title_(std::move(title)), x_title_(std::move(x_title)), y_title_(std::move(y_title)), x_(std::move(x)) {}

void Panel::add(std::string name, std::vector<std::vector<double>> values, Reference reference) {
  if (values.size() != x_.size()) fail(ErrorKind::internal, "panel: values of another length than the axis");
  curves_.push_back({std::move(name), std::move(values), std::move(reference)});
}

void Panel::write(ExperimentWriter& writer, int digits) const {
  const bool whole = std::all_of(x_.begin(), x_.end(), [](double x) { return x == std::floor(x) && x < 1e6; });
  Table table{{{x_title_, whole ? 0 : 2}}, {}};
  Lines lines;
  lines.x_title = x_title_;
  lines.y_title = y_title_;
  for (const Curve& curve : curves_) {
    table.columns.push_back({curve.name, digits});
    if (!curve.reference.empty()) table.columns.push_back({curve.name + ", reference", digits});
    Series ours;
    Series reference;
    ours.name = reference.name = curve.name;
    reference.is_published = true;
    for (std::size_t i = 0; i < x_.size(); ++i) {
      const std::vector<double> values = numbers_of(curve.values[i]);
      if (!values.empty()) {
        const MeanSd found = mean_sd(values);
        const double error = values.size() > 1 ? found.error : 0.0;
        ours.x.push_back(x_[i]);
        ours.y.push_back(found.mean);
        ours.low.push_back(found.mean - 2.0 * error);
        ours.high.push_back(found.mean + 2.0 * error);
      }
      const double expected = reference_at(curve.reference, x_[i]);
      if (std::isnan(expected)) continue;
      reference.x.push_back(x_[i]);
      reference.y.push_back(expected);
    }
    lines.series.push_back(std::move(ours));
    if (!reference.x.empty()) lines.series.push_back(std::move(reference));
  }
  for (std::size_t i = 0; i < x_.size(); ++i) {
    std::vector<Cell> row{x_[i]};
    for (const Curve& curve : curves_) {
      row.emplace_back(mean_text(curve.values[i], digits));
      if (!curve.reference.empty()) row.emplace_back(reference_at(curve.reference, x_[i]));
    }
    table.rows.push_back(std::move(row));
  }
  writer.table(title_, std::move(table));
  writer.plot(line_plot({title_, "Bands are two standard errors; open marks are the reference."}, lines));
}

std::string mean_text(const std::vector<double>& values, int digits) {
  const std::vector<double> numbers = numbers_of(values);
  if (numbers.empty()) return "";
  const MeanSd found = mean_sd(numbers);
  return numbers.size() > 1 ? with_error(found.mean, found.error, digits) : fmt::format("{:.{}f}", found.mean, digits);
}

double last_exact(const std::vector<double>& x, const std::vector<std::vector<double>>& values) {
  double last = no_number;
  for (std::size_t i = 0; i < x.size(); ++i) {
    if (!std::all_of(values[i].begin(), values[i].end(),
                     [](double value) { return value == 0.0 || std::isnan(value); })) {
      break;
    }
    last = x[i];
  }
  return last;
}

std::string exact_text(const std::vector<double>& x, const std::vector<std::vector<double>>& values) {
  const double level = last_exact(x, values);
  return std::isnan(level) ? "errors without noise already" : fmt::format("to {:.2f}", level);
}

std::string exact_verdict(const std::vector<double>& x, const std::vector<std::vector<double>>& values, double level) {
  const double last = last_exact(x, values);
  if (std::isnan(last) || last < level) return "no";
  return last > level ? "no, further" : "yes";
}

std::string verdict(bool agrees) { return agrees ? "yes" : "no"; }

void Claims::add(std::string claim, std::string published, std::string ours, std::string agrees) {
  if (!agrees.empty()) ++judged_;
  if (agrees.starts_with("no")) other_.push_back(claim);
  table_.rows.push_back({std::move(claim), std::move(published), std::move(ours), std::move(agrees)});
}

void Claims::write(ExperimentWriter& writer) {
  if (table_.rows.empty()) return;
  if (judged_ == 0) {
    table_.columns.pop_back();
    for (auto& row : table_.rows) row.pop_back();
  }
  writer.table("What the thesis says", std::move(table_));
  if (judged_ == 0) return;
  writer.note(fmt::format("{} of {} claims agree{}{}", judged_ - other_.size(), judged_,
                          other_.empty() ? "" : "; these do not: ", fmt::join(other_, "; ")));
}

Outcome Claims::finish(ExperimentWriter& writer, std::initializer_list<std::string_view> notes) {
  write(writer);
  for (const std::string_view note : notes) writer.note(std::string(note));
  return writer.finish();
}

void run_grid(const ExperimentContext& context, std::string_view stage, std::size_t levels, std::size_t repeats,
              const std::function<void(std::size_t, std::size_t, const RunContext&)>& body,
              const std::function<void(std::size_t)>& after) {
  const Rng seeds = Rng(context.run.seed).child(0x9000);
  for (std::size_t level = 0; level < levels; ++level) {
    if (context.run.observer) {
      context.run.observer({stage, static_cast<double>(level), static_cast<double>(levels), "settings"});
    }
    for_each_task(repeats, context.run.threads, [&](std::size_t repeat) {
      if (context.run.cancelled()) fail(ErrorKind::interrupted, "interrupted");
      RunContext own;
      own.threads.count = repeats == 1 ? context.run.threads.count : 1;
      own.cancel = context.run.cancel;
      own.seed = static_cast<Seed>(seeds.child(repeat).next());
      body(level, repeat, own);
    });
    if (after) after(level);
  }
}

}  // namespace motet
