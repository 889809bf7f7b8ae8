// The files that the rows of a project were heard in.
#pragma once

#include <string>
#include <vector>

#include "motet/discover/project/project.h"

namespace motet::discover {

struct RecordedFile {
  std::string name;          // of the recording in the project
  std::string path;          // where it was, absolute
  double seconds = 0.0;      // of sound; 0: not told by projects from before
  double sample_rate = 0.0;  // of the file, Hz; 0: the same
};

// In the order of the recordings; none of tables.
std::vector<RecordedFile> recorded_files(const std::vector<ProjectSource>& sources);

// Where the file is now: in `folder` by its whole name or the end of it, or without a folder where it was, or where its
// name leads from here. Throws Error{bad_data} "x.wav: is not at /old/x.wav any more; say where with --recordings
// FOLDER".
std::string found_file(const RecordedFile& file, const std::string& folder);

}  // namespace motet::discover
