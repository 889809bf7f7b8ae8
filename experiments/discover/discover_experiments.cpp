#include "experiments/discover/figures.h"

namespace motet::discover {

std::vector<Experiment> experiments() {
  return {
      {"discover-fig6-1", "figures 6.1 to 6.3: one rare class between two clusters, drawn", run_discover_figures},
      {"discover-toy", "figures 6.1, 6.2 and 8.1: one rare class between two clusters, every strategy",
       run_discover_toy},
      {"discover-uci", "requests to find every class of ecoli and glass (needs data)", run_discover_uci},
      {"discover-five-classes", "five rare events in a long sequence: exclusion against the published algorithm",
       run_discover_five_classes},
      {"discover-tables", "rare classes in tables whose rows are in no order (needs data)", run_discover_tables},
      {"discover-recordings", "rare events in recordings of many kinds, every way of asking", run_discover_recordings},
      {"discover-segments", "how far the segments of a search can be trusted", run_discover_segments},
      {"discover-transfer", "a search that starts with what another has taught", run_discover_transfer},
      {"discover-defaults", "defaults settled by leaving out one kind of data", run_discover_defaults},
      {"discover-unseen", "how many classes are unseen: told and true", run_discover_unseen},
      {"discover-fig7-1", "figures 7.1 and 7.2: a recording with one song, drawn", run_bird_pictures},
      {"discover-table7-3", "table 7.3 and figure 7.7: one song in a recording, every strategy", run_bird_binary},
      {"discover-fig7-3", "figures 7.3 to 7.6: questions by the amplification rate of a song", run_bird_gains},
      {"discover-table7-4", "table 7.4, figures 7.8 and 7.9: five songs in a recording, every strategy", run_bird_five},
      {"discover-table7-5", "tables 7.5 to 7.7: radius, label weight and components of the published search",
       run_bird_settings},
      {"discover-appendix-a", "figures A.1 and A.2: the other songs by the amplification rate", run_bird_appendix},
  };
}

}  // namespace motet::discover
