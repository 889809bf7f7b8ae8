#include "motet/app/demo.h"

#include <fmt/format.h>
#include <unistd.h>

#include <cstdlib>
#include <filesystem>

#include "motet/app/judges_verbs.h"
#include "motet/base/error.h"
#include "motet/io/file.h"
#include "motet/report/assets.h"

namespace motet {
namespace {

struct DemoOptions {
  std::string out = "demo.html";
};

template <class V>
void visit_fields(V& v, DemoOptions& o) {
  v("out", o.out, Text{"FILE.html"}, "the page to write");
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
    context.files = std::move(files);
    context.common.report = "page";  // so that the verb makes its page
    return job.run(context);
  }
  fail(ErrorKind::internal, fmt::format("demo: no verb '{}'", name));
}

Outcome run_demo(const DemoOptions& options, VerbContext& context) {
  check_outputs({}, {options.out, context.common.report}, {context.common.json});
  const TemporaryFolder folder;
  const std::string votes = folder.file("votes.csv");
  write_atomically(votes, embedded_file("sample_votes.csv"));
  Outcome judges = run_verb(judges_verbs(), "estimate", {votes}, {}, context);

  Page page = *judges.page;
  page.title = "Motet: every task on sample data";
  page.subtitle = "judges: simulated votes of seven judges on 300 items; samples/judges/votes.csv";
  for (Section& section : page.sections) section.title = "judges: " + section.title;
  write_atomically(options.out, to_html(page));

  Outcome outcome;
  outcome.text = fmt::format("judges (samples/judges/votes.csv)\n{}\nThe page is in {}: open it in a browser.\n",
                             judges.text, options.out);
  outcome.json = Value::object({{"page", options.out}, {"judges", std::move(judges.json)}});
  outcome.page = std::move(page);
  return outcome;
}

}  // namespace

std::vector<Verb> demo_verbs() {
  return {make_verb<DemoOptions>("", "demo", "run every task on the sample data and write one page to look at", {},
                                 run_demo)};
}

}  // namespace motet
