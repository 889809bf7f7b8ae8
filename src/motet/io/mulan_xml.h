// The labels of a MULAN data set: an .xml beside the .arff that names them.
//
//   <labels xmlns="http://mulan.sourceforge.net/labels">
//     <label name="animal"><label name="bird"/></label>
//   </labels>
// Labels may be nested (a hierarchy); they are told in the order of the file, parents first.
#pragma once

#include <string>
#include <vector>

namespace motet {

// Throws Error{bad_data} with file and line for broken XML, labels without a name or named twice.
std::vector<std::string> read_mulan_labels(const std::string& path);

}  // namespace motet
