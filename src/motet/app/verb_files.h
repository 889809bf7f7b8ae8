// The files that one use of a verb names, looked at before any work: what is written must
// not be what is read, nor be written twice, and must be writable.
#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "motet/app/verb.h"

namespace motet {

// An option or argument of the command line that names a file.
struct NamedFile {
  const Field* field = nullptr;  // null for a plain argument
  std::string name;              // of the option, or of the argument in the usage line
  std::string path;              // what was given, or where it goes otherwise; empty: not meant
  bool is_given = false;
};

struct VerbFiles {
  std::vector<NamedFile> inputs;
  std::vector<NamedFile> outputs;
};

// Throws Error{usage} when a name that was given is empty, and when an output names an
// input, another output, or a standard stream that is taken; Error{machine_limit} when it
// cannot be written. An option whose output is standard output by another name is set to
// "-". Fills what the context says about outputs.
void check_files(const VerbFiles& files, VerbContext& context);

// For what a verb reads though no option names it. Throws Error{usage} when an output would
// overwrite it; an empty name is not meant.
void keep_input(const VerbContext& context, const std::string& input);

}  // namespace motet
