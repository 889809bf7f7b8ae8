// Three judges label eight pictures. Nobody knows the truth: how good is each judge, and what is on the pictures?
#include <motet/judges.h>

#include <cstdio>
#include <vector>

int main() {
  namespace judges = motet::judges;
  const char* const answers[][3] = {{"cat", "cat", "cat"}, {"dog", "dog", "dog"}, {"cat", "cat", "dog"},
                                    {"dog", "dog", "dog"}, {"cat", "cat", "dog"}, {"dog", "cat", "dog"},
                                    {"cat", "cat", "cat"}, {"dog", "dog", "cat"}};
  const char* const names[] = {"anna", "ben", "carl"};
  std::vector<judges::NamedVote> list;
  for (std::size_t picture = 0; picture < std::size(answers); ++picture) {
    for (std::size_t j = 0; j < 3; ++j) list.push_back({std::to_string(picture + 1), names[j], answers[picture][j]});
  }
  const judges::Votes votes = judges::votes_from(list);

  const judges::Estimate found = judges::estimate(votes, {{"noise", "symmetric"}, {"prior", "uniform"}});
  for (const judges::Judge& judge : found.judges) {
    std::printf("%-5s is right %.0f %% of the time\n", judge.name.c_str(), 100.0 * judge.accuracy);
  }
  const judges::Labels labels = judges::combine(found.model, votes);
  for (std::size_t i = 0; i < votes.items.size(); ++i) {
    std::printf("picture %s: %s\n", votes.items[i].c_str(), found.model.classes()[labels.label[i]].c_str());
  }

  try {
    judges::estimate(votes, {{"confidence", 2.0}});
  } catch (const motet::Error& error) {
    std::printf("%s\n", error.what());
  }
}
