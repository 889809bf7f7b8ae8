#include "motet/io/features_file.h"

#include "motet/base/error.h"
#include "motet/io/npy.h"

namespace motet {

bool is_npy(const std::string& path) { return path.ends_with(".npy"); }

FeaturesFile read_features(const std::string& path, const FeaturesFormat& format, const RunContext& run) {
  if (!is_npy(path)) return read_features_csv(path, format, run);
  if (!format.sequence_column.empty() || !format.item_column.empty() || !format.labels.empty() ||
      !format.leave_out.empty()) {
    fail(ErrorKind::usage, path + ": columns of an .npy have no names; options that name columns need a CSV");
  }
  return {read_features_npy(path, format.clock, run), {}, {}};
}

}  // namespace motet
