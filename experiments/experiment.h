// The published experiments, run by `motet reproduce`. Each prints our figure beside
// the reference and draws the plot.
#pragma once

#include <functional>
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

struct Experiment {
  std::string_view name;
  std::string_view purpose;
  std::function<Outcome(const ExperimentContext&)> run;
  bool is_scalable = false;  // heeds repeats and quick
};

std::vector<Experiment> all_experiments();
namespace judges {
std::vector<Experiment> experiments();
}
namespace multilabel {
std::vector<Experiment> experiments();
}
namespace roles {
std::vector<Experiment> experiments();
}
namespace superset {
std::vector<Experiment> experiments();
}
namespace temporal {
std::vector<Experiment> experiments();
}
namespace discover {
std::vector<Experiment> experiments();
}

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
  Outcome finish();

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
