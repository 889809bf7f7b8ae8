// What `motet <task> <verb>` is: its arguments, its options, and the job it does.
//
// A verb reads files, calls the library and gives back an Outcome; it prints
// nothing. The list of all verbs is in registry.h.
#pragma once

#include <functional>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "motet/base/fields.h"
#include "motet/base/run.h"
#include "motet/data/value.h"
#include "motet/report/page.h"

namespace motet {

// Options every verb has.
struct CommonOptions {
  std::string json;
  std::string report;
  std::size_t seed = 1;
  std::size_t threads = 0;
  bool quiet = false;
};

template <class V>
void visit_fields(V& v, CommonOptions& o) {
  v("json", o.json, Writes{"FILE"},
    "write the whole result as JSON; '-' is standard output, and nothing else goes there");
  v("report", o.report, Writes{"FILE.html"}, "write a page with plots and tables that opens offline");
  v("seed", o.seed, Range<std::size_t>{0, static_cast<std::size_t>(-1)},
    "of all randomness; the same seed gives the same bytes");
  v("threads", o.threads, Range<std::size_t>{0, 4096}, "0 means all cores; the result does not depend on it");
  v("quiet", o.quiet, "no progress on standard error");
}

// What a verb found, in the three forms it can be told.
struct Outcome {
  std::string text = {};          // for the terminal
  Value json = {};                // for machines; a large one may be left out when nobody wants it
  std::optional<Page> page = {};  // for the browser

  // What must wait until all of that is written, such as dropping a checkpoint. May be empty.
  std::function<void()> finish = {};

  // Those that the text tells, for standard error where the text goes nowhere.
  std::vector<std::string> warnings = {};
};

struct VerbContext {
  RunContext run;
  CommonOptions common;
  std::vector<std::string> files;       // the plain arguments
  std::vector<std::string> given;       // names of the options that were set
  std::vector<std::string> outputs;     // files that will be written, whichever option names them
  bool writes_standard_output = false;  // one of them is "-", and nothing else goes there
  bool wants_json() const { return !common.json.empty(); }
  bool wants_page() const { return !common.report.empty(); }
};

// A plain argument: its name in the usage line, and how many there may be.
struct Argument {
  std::string_view name;
  std::string_view help;
  std::size_t at_least = 1;
  std::size_t at_most = 1;
  bool is_file = true;  // that is read
};

// An option without which a verb does not run, and when. Where all are always required the program insists on them,
// else the job itself does, with require_given.
struct Required {
  std::string_view option;
  std::string_view when = "required";
};

// One use of a verb: options to be set through `fields`, then run.
struct Job {
  std::vector<Field> fields;
  std::function<Outcome(VerbContext&)> run;
};

constexpr bool without_page = false;

struct Verb {
  std::string_view task;  // empty for verbs of the program itself, such as demo
  std::string_view name;
  std::string_view purpose;
  std::vector<Argument> arguments = {};
  std::vector<Required> required = {};
  bool has_page = true;  // without one there is no --report
  std::function<Job()> start = {};
};

// Throws Error{usage} for what is always required and was not given.
void require_all(const Verb& verb, const VerbContext& context);

// Joins an options struct, whose fields the verb has, and what the verb does.
template <class Options>
Verb make_verb(std::string_view task, std::string_view name, std::string_view purpose, std::vector<Argument> arguments,
               std::vector<Required> required, Outcome (*run)(const Options&, VerbContext&), bool has_page = true) {
  Verb verb{task, name, purpose, std::move(arguments), std::move(required), has_page};
  verb.start = [verb, run] {
    const auto options = std::make_shared<Options>();
    return Job{fields_of(*options), [options, verb, run](VerbContext& context) {
                 require_all(verb, context);
                 return run(*options, context);
               }};
  };
  return verb;
}

bool is_given(const VerbContext& context, std::string_view option);

// Throws Error{usage} "regression: needs --mean and --variance" with all that were not given.
void require_given(std::string_view verb, const VerbContext& context, const std::vector<std::string_view>& options);

// As they are typed and told: a flag that is on unless said otherwise is --no-NAME, which turns it off.
bool is_on_by_default(const Field& field);
std::string flag_of(const Field& field);
std::string help_of(const Field& field);

// The same with its range, and its default or that it is needed.
std::string help_of(const Field& field, const std::vector<Required>& required);

// Writes what --json and --report ask for and returns what goes to standard output, unless
// an output of the verb itself goes there.
// Calling outcome.finish is left to whoever writes that.
std::string deliver(const Outcome& outcome, const CommonOptions& common);

// A delimiter as people type it: one character, "tab" or "\t".
char parse_delimiter(std::string_view text);

}  // namespace motet
