// `motet audio parity`: how far our features are from those of other programs.
#pragma once

#include <string>
#include <vector>

#include "motet/app/verb.h"

namespace motet::audio {

// One table of reference values, and how near ours are.
struct Agreement {
  std::string name;  // of the file with the reference
  std::string what;  // which features
  std::size_t values = 0;
  double largest = 0.0;  // reference, in size
  double worst = 0.0;    // difference
  double allowed = 0.0;
};

// Of the vectors that lie in the folder: NAME.wav with NAME.mfcc_slaney.csv, NAME.mono.csv or
// libri5s.mfcc_(default|htk40|lifter|nocenter).csv. Throws Error{bad_data} when there are none.
std::vector<Agreement> agreement_with(const std::string& folder);

Verb parity_verb();

}  // namespace motet::audio
