// Features from a file, whatever its kind: `.npy`, else CSV.
#pragma once

#include <string>

#include "motet/base/run.h"
#include "motet/io/features_csv.h"

namespace motet {

bool is_npy(const std::string& path);  // by the end of its name

// Throws Error{usage} when the format names columns and the file is an .npy, which has none.
FeaturesFile read_features(const std::string& path, const FeaturesFormat& format, const RunContext& run);

}  // namespace motet
