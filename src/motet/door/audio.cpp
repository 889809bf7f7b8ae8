#include "motet/audio/mfcc.h"
#include "motet/door/inside.h"

// Last: a name at the door, such as Votes, may have another meaning inside.
#include "motet/audio.h"

namespace motet::audio {

FeatureTable mfcc(std::span<const float> samples, double sample_rate, const Options& options) {
  MfccStream stream(door::inside_options<MfccOptions>(options), sample_rate);
  FeatureTable table;
  stream.push(samples, table.values);
  stream.finish(table.values);
  table.columns = stream.columns();
  table.hop = stream.clock().hop;
  table.window = stream.clock().window;
  return table;
}

OptionList mfcc_options() { return door::list_of_options<MfccOptions>(); }

}  // namespace motet::audio
