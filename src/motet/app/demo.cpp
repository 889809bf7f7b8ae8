#include "motet/app/demo.h"

#include <fmt/format.h>
#include <unistd.h>

#include <cstdlib>
#include <filesystem>

#include "motet/app/discover/data.h"
#include "motet/app/discover/verbs.h"
#include "motet/app/judges/verbs.h"
#include "motet/app/multilabel/verbs.h"
#include "motet/app/roles/verbs.h"
#include "motet/app/superset/verbs.h"
#include "motet/base/error.h"
#include "motet/io/file.h"
#include "motet/io/json.h"
#include "motet/report/assets.h"

namespace motet {
namespace {

struct DemoOptions {
  std::string out = "demo.html";
};

template <class V>
void visit_fields(V& v, DemoOptions& o) {
  v("out", o.out, Writes{"FILE.html"}, "the page to write");
}

// A folder of our own that is gone afterwards.
class TemporaryFolder {
 public:
  TemporaryFolder() {
    std::error_code none;
    const std::filesystem::path parent = std::filesystem::temp_directory_path(none);
    path_ = (parent.empty() ? std::filesystem::path("/tmp") : parent) / "motet-demo-XXXXXX";
    if (mkdtemp(path_.data()) == nullptr) fail(ErrorKind::machine_limit, path_ + ": cannot be made");
  }
  ~TemporaryFolder() {
    std::error_code ignored;
    std::filesystem::remove_all(path_, ignored);
  }
  TemporaryFolder(const TemporaryFolder&) = delete;
  TemporaryFolder& operator=(const TemporaryFolder&) = delete;
  std::string file(std::string_view name) const { return path_ + "/" + std::string(name); }
  std::string without_path(std::string text) const {
    for (std::size_t at = text.find(path_); at != std::string::npos; at = text.find(path_)) {
      text.erase(at, path_.size() + 1);
    }
    return text;
  }

 private:
  std::string path_;
};

Outcome run_verb(const std::vector<Verb>& verbs, std::string_view name, std::vector<std::string> files,
                 const std::vector<std::pair<std::string, std::string>>& settings, const VerbContext& outer) {
  for (const Verb& verb : verbs) {
    if (verb.name != name) continue;
    Job job = verb.start();
    for (const auto& [key, value] : settings) {
      for (const Field& field : job.fields) {
        if (field.name == key) field.set(value);
      }
    }
    VerbContext context = outer;
    for (const auto& [key, value] : settings) context.given.push_back(key);
    context.files = std::move(files);
    context.common.report = "page";  // so that the verb makes its page
    return job.run(context);
  }
  fail(ErrorKind::internal, fmt::format("demo: no verb '{}'", name));
}

// What people see does not name the folder, which is gone by then.
void forget_folder(Outcome& outcome, const TemporaryFolder& folder) {
  outcome.text = folder.without_path(std::move(outcome.text));
  outcome.json = parse_json(folder.without_path(to_json(outcome.json, 0)), "demo");
  for (Section& section : outcome.page->sections) {
    for (NamedTable& named : section.tables) {
      for (std::vector<Cell>& row : named.table.rows) {
        for (Cell& cell : row) {
          if (auto* text = std::get_if<std::string>(&cell)) *text = folder.without_path(std::move(*text));
        }
      }
    }
  }
}

// The sections of a task's page, under the name of the task.
void add_sections(Page& page, std::string_view task, const Page& of_task) {
  for (Section section : of_task.sections) {
    section.title = fmt::format("{}: {}", task, section.title);
    page.sections.push_back(std::move(section));
  }
}

// A search in which the truth answers in place of a person, until all classes are found.
struct DemoSearch {
  Outcome status;
  Outcome by_chance;  // the same with questions at random
  std::size_t questions = 0;
  std::size_t classes = 0;
};

DemoSearch run_search(const std::string& project, const std::string& events, const VerbContext& context) {
  constexpr std::size_t most_questions = 100;
  const discover::TruthTable table = discover::read_truth_table(events, "y", {}, context);
  const std::vector<Verb> verbs = discover::discover_verbs();
  run_verb(verbs, "start", {project, events}, {{"leave_out", "y"}, {"radius", "12"}}, context);
  DemoSearch search;
  while (search.questions < most_questions && search.classes + 1 < table.truth.classes.size()) {
    const Outcome next = run_verb(verbs, "next", {project}, {{"count", "1"}}, context);
    const Value::List& items = next.json.at("items").as_list();
    if (items.empty()) break;
    const auto row = static_cast<std::size_t>(items[0].at("row").as_whole() - 1);
    const std::string& truth = table.truth.classes[static_cast<std::size_t>(table.truth.of_row[row])];
    const Outcome label = run_verb(verbs, "label", {project, items[0].at("item").as_text(), truth}, {}, context);
    search.classes += label.json.at("new_class").as_bool() ? 1 : 0;
    ++search.questions;
  }
  search.status = run_verb(verbs, "status", {project}, {}, context);
  search.by_chance =
      run_verb(verbs, "simulate", {events},
               {{"truth_column", "y"}, {"strategy", "random"}, {"radius", "12"}, {"repeats", "20"}}, context);
  return search;
}

Outcome run_demo(const DemoOptions& options, VerbContext& context) {
  const TemporaryFolder folder;
  const std::string votes = folder.file("votes.csv");
  const std::string access = folder.file("access.csv");
  const std::string people = folder.file("hr.csv");
  write_atomically(votes, embedded_file("sample_votes.csv"));
  write_atomically(access, embedded_file("sample_access.csv"));
  write_atomically(people, embedded_file("sample_hr.csv"));
  const std::string events = folder.file("events.csv");
  write_atomically(events, embedded_file("sample_events.csv"));
  Outcome judges = run_verb(judges::judges_verbs(), "estimate", {votes}, {}, context);
  const std::string items = folder.file("items.csv");
  const std::string candidates = folder.file("candidates.csv");
  write_atomically(items, embedded_file("sample_items.csv"));
  write_atomically(candidates, embedded_file("sample_candidates.csv"));
  Outcome multilabel = run_verb(multilabel::multilabel_verbs(), "train", {items},
                                {{"label_count", "4"}, {"model", folder.file("sources.json")}}, context);
  Outcome superset = run_verb(superset::superset_verbs(), "train", {candidates},
                              {{"truth_column", "truth"}, {"model", folder.file("classes.json")}}, context);
  Outcome roles = run_verb(roles::roles_verbs(), "mine", {access},
                           {{"roles", "2..9"}, {"attributes", people}, {"exclude", "status=dormant"}}, context);
  DemoSearch search = run_search(folder.file("search.motet"), events, context);
  forget_folder(search.status, folder);
  const std::string found = fmt::format(
      "{} rare classes found with {} questions; asked at random it takes {:.0f} (standard deviation {:.0f})",
      search.classes, search.questions, search.by_chance.json.at("requests_mean").as_number(),
      search.by_chance.json.at("requests_sd").as_number());

  Page page;
  page.title = "Motet: every task on sample data";
  page.subtitle =
      "judges: simulated votes of seven judges on 300 items (samples/judges/votes.csv); multilabel: 300 simulated "
      "items "
      "that four sources made together (samples/multilabel/items.csv); roles: simulated permissions of 200 users "
      "(samples/roles/access.csv); superset: 300 simulated items with candidate labels "
      "(samples/superset/candidates.csv); "
      "discover: a simulated log of 1500 rows with six events of three kinds (samples/discover/events.csv)";
  add_sections(page, "judges", *judges.page);
  add_sections(page, "multilabel", *multilabel.page);
  add_sections(page, "roles", *roles.page);
  add_sections(page, "superset", *superset.page);
  add_sections(page, "discover", *search.status.page);
  write_atomically(options.out, to_html(page));

  Outcome outcome;
  outcome.text = fmt::format(
      "judges (samples/judges/votes.csv)\n{}\nmultilabel (samples/multilabel/items.csv)\n{}\nroles "
      "(samples/roles/access.csv)\n{}\nsuperset (samples/superset/candidates.csv)\n{}\ndiscover "
      "(samples/discover/events.csv)\n{}\n\n{}\nThe page is in {}: open it in a browser.\n",
      judges.text, multilabel.text, roles.text, superset.text, found, search.status.text, options.out);
  outcome.json = Value::object({{"page", options.out},
                                {"judges", std::move(judges.json)},
                                {"multilabel", std::move(multilabel.json)},
                                {"roles", std::move(roles.json)},
                                {"superset", std::move(superset.json)},
                                {"discover", std::move(search.status.json)}});
  outcome.page = std::move(page);
  return outcome;
}

}  // namespace

std::vector<Verb> demo_verbs() {
  return {make_verb("", "demo", "run every task on the sample data and write one page to look at", {}, {}, run_demo)};
}

}  // namespace motet
