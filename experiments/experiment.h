// The published experiments, run by `motet reproduce`. Each prints our figure beside
// the reference and draws the plot.
#pragma once

#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "motet/app/verb.h"

namespace motet {

struct ExperimentContext {
  RunContext run;
  std::string data;         // folder of public data sets; empty when there is none
  std::size_t repeats = 0;  // data sets, seeds or splits a setting; 0: the experiment's own number
  bool quick = false;       // small data and few settings: whether it runs, not what it finds

  std::size_t repeats_or(std::size_t own) const { return repeats > 0 ? repeats : own; }
};

using RunExperiment = Outcome(const ExperimentContext& context);

struct Experiment {
  std::string_view name;
  std::string_view purpose;
  RunExperiment* run = nullptr;
  bool has_one_size = false;  // whatever repeats and quick say
};

std::vector<Experiment> all_experiments();
Verb reproduce_verb();

// An outcome made of sections: texts and tables for the terminal, the same as a page,
// and the tables as JSON.
class ExperimentWriter {
 public:
  ExperimentWriter(std::string name, std::string title);
  void section(std::string title, std::string lead);
  void table(std::string title, Table table);
  void plot(Plot plot);
  void note(std::string text);
  Outcome finish(std::string last_note = "");

 private:
  std::string name_;
  std::string text_;
  Page page_;
  Value json_;
};

// Folder of a public data set, or Error{bad_data} that says how to get there.
std::string data_folder(const ExperimentContext& context, const std::string& name);

// "0.0534 ± 0.0012"
std::string with_error(double value, double error, int digits = 4);

}  // namespace motet
