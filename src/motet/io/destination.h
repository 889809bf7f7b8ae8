// What a name on the command line leads to: a stream that is open already, a file that is
// there, or the place where one would be made. Links are followed.
#pragma once

#include <string>

namespace motet {

enum class Direction { in, out };

struct Destination {
  int descriptor = -1;  // of "-", /dev/stdout, /dev/fd/N, also through links; else -1
  std::string path;     // else where the file is, or would be
};

Destination destination_of(const std::string& name, Direction direction);

// Whether writing `output` would overwrite `input`. Only ordinary files count.
bool same_file(const std::string& input, const std::string& output);

// Whether two outputs would end up in one file or pipe, by whatever names. Devices such as
// /dev/null may be named as often as one likes.
bool same_output(const std::string& a, const std::string& b);

// Whether `output` would replace the file that standard output goes to.
bool replaces_standard_output(const std::string& output);

}  // namespace motet
