// Values of several methods over one axis: a table with standard errors and the plot.
#pragma once

#include <functional>
#include <string>
#include <utility>
#include <vector>

#include "experiments/experiment.h"

namespace motet {

// Numbers of an independent computation, by place on the axis; it need not have all.
using Reference = std::vector<std::pair<double, double>>;

class Panel {
 public:
  Panel(std::string title, std::string x_title, std::string y_title, std::vector<double> x);

  // values[i]: one value per data set at x[i]; NaN are left out, and a place without any is an empty cell.
  void add(std::string name, std::vector<std::vector<double>> values, Reference reference = {});
  void write(ExperimentWriter& writer, int digits = 4) const;

 private:
  struct Curve {
    std::string name;
    std::vector<std::vector<double>> values;
    Reference reference;
  };

  std::string title_, x_title_, y_title_;
  std::vector<double> x_;
  std::vector<Curve> curves_;
};

// "0.0534 ± 0.0012" of the values that are numbers; empty when there is none.
std::string mean_text(const std::vector<double>& values, int digits = 4);

// The largest x up to which every value that is a number is 0; NaN when the first place has errors.
double last_exact(const std::vector<double>& x, const std::vector<std::vector<double>>& values);

// The same in words: "to 0.55", or "errors without noise already".
std::string exact_text(const std::vector<double>& x, const std::vector<std::vector<double>>& values);

// Whether `exact_text` is what the thesis says when it says "to LEVEL": "yes", "no" or "no, further".
std::string exact_verdict(const std::vector<double>& x, const std::vector<std::vector<double>>& values, double level);

std::string verdict(bool agrees);  // "yes" or "no"

// What the thesis says in words, what we find, and whether they agree. The verdict is computed from the figures of
// the run: "yes", or something that begins with "no"; empty where the words of the thesis cannot be tested.
class Claims {
 public:
  void add(std::string claim, std::string published, std::string ours, std::string agrees = "");
  void write(ExperimentWriter& writer);  // the table, and a note that counts; no verdicts, no column of them
  // The same, then further notes: the end of an experiment.
  Outcome finish(ExperimentWriter& writer, std::initializer_list<std::string_view> notes);

 private:
  Table table_{{{"what"}, {"thesis"}, {"ours"}, {"agrees"}}, {}};
  std::size_t judged_ = 0;
  std::vector<std::string> other_;  // claims that do not agree
};

// body(level, repeat, run) for all, on one thread each unless there is but one repeat, with a
// seed of its own that is the same for every level; then after(level), which may be empty. Progress is told between
// levels.
void run_grid(const ExperimentContext& context, std::string_view stage, std::size_t levels, std::size_t repeats,
              const std::function<void(std::size_t level, std::size_t repeat, const RunContext& run)>& body,
              const std::function<void(std::size_t level)>& after = {});

}  // namespace motet
