// Five rare events in a long sequence: what exclusion saves.
#include <fmt/format.h>

#include "experiments/discover/figures.h"
#include "experiments/discover/strategies.h"
#include "motet/base/numeric.h"
#include "motet/discover/study/generate.h"

namespace motet::discover {
namespace {

SearchSetting event_setting(std::string name, Strategy strategy, std::string published = "") {
  SearchSetting made{std::move(name), {}};
  made.options.strategy = strategy;
  made.options.radius = 18;
  made.options.components = 2;
  made.published = std::move(published);
  return made;
}

}  // namespace

Outcome run_discover_five_classes(const ExperimentContext& context) {
  ExperimentWriter writer("discover-five-classes", "Five rare events: exclusion against the published algorithm");
  const std::size_t repeats = context.repeats_or(context.quick ? 2 : 20);
  EventOptions events;
  if (context.quick) {
    events.rows = 1000;
    events.dimensions = 4;
  }
  const std::size_t limit = context.quick ? 100 : 400;
  const Rng seeds = Rng(context.run.seed).child(0x7000);
  SearchSetting strong = event_setting("literal with exclusion", Strategy::temporal);
  strong.options.nomination_coupling = 342.0;
  strong.options.isolation = 0;
  SearchSetting chosen{"temporal, all chosen from the data", {.strategy = Strategy::temporal}};
  SearchSetting random_covers = event_setting("random with exclusion", Strategy::random);
  random_covers.options.exclusion = 18;
  const std::vector<SearchSetting> settings = {
      event_setting("literal", Strategy::literal, "351, 145"),
      std::move(strong),
      event_setting("temporal", Strategy::temporal, "68, 34"),
      event_setting("static", Strategy::static_mixture, "51, 18"),
      std::move(chosen),
      event_setting("interleave", Strategy::interleave, "194, 125"),
      event_setting("random", Strategy::random),
      std::move(random_covers),
      event_setting("adaptive, the default", Strategy::adaptive),
  };
  const std::vector<SearchResult> results = play_settings(context, settings, repeats, limit, [&](std::size_t repeat) {
    return generate_events(events, static_cast<Seed>(seeds.child(repeat).next()));
  });
  writer.section(
      "Set-up",
      fmt::format("{} generated sequences of {} rows with five events of {} rows, one per class; radius 18, two "
                  "components, at most {} requests. Temporal and static never ask within 18 rows of an answer and "
                  "leave odd rows for last; with that every event is found by {} requests at most.",
                  repeats, events.rows, events.event_length, limit, results[2].most_requests));
  write_settings(writer, "Requests to find all five", settings, results, "on recordings");
  plot_learning(writer, "Classes found", settings, results, events.classes);
  const double literal = mean_sd(requests_of(results[0])).mean;
  writer.note(
      fmt::format("temporal needs {:.2f} of the requests of the literal algorithm, static {:.2f}, adaptive {:.2f}",
                  mean_sd(requests_of(results[2])).mean / literal, mean_sd(requests_of(results[3])).mean / literal,
                  mean_sd(requests_of(results.back())).mean / literal));
  return writer.finish(
      "the last column is of an independent computation on recordings of two backgrounds with five bird songs each, "
      "which are not public; ours are generated (see simulate.h for what they share with recordings)");
}

}  // namespace motet::discover
