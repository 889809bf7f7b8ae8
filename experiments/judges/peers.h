// What others would answer: the posteriors of published methods, written anew from their papers. Only experiments use
// them; they are told nothing but votes.
#pragma once

#include <string_view>
#include <vector>

#include "motet/data/votes.h"

namespace motet::judges {

// p(class) by item, at [item * classes + class].
using Posteriors = std::vector<double>;

Posteriors vote_share_labels(const Votes& votes);  // majority vote: the shares of the votes
// Votes weighted by how often their judge agrees with the majority (Wawa).
Posteriors agreement_weighted(const Votes& votes);
// Dawid and Skene 1979: EM from the vote shares, 100 steps.
Posteriors dawid_skene(const Votes& votes);
// Kim and Ghahramani 2012, by variational Bayes: rows with 4 pseudo votes right and 1 of each other class.
Posteriors independent_bcc(const Votes& votes);
// Hovy et al. 2013, by variational Bayes: a judge knows, or guesses from habits of its own.
Posteriors mace(const Votes& votes);

struct Peer {
  std::string_view name;
  Posteriors (*label)(const Votes& votes);
};
std::vector<Peer> peers();

}  // namespace motet::judges
