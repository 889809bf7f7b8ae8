// The sound around questions, to be listened to with other programs.
#pragma once

#include <string>
#include <vector>

#include "motet/app/discover/search_document.h"
#include "motet/discover/project/project.h"

namespace motet::discover {

struct ClipOptions {
  std::string clip;           // a file, of several questions with -1, -2 ... behind its name; or a folder
  double clip_seconds = 5.0;  // before and after the middle of a question together
  std::string recordings;     // folder
};

// Writes them as they sound in the recordings, with all channels, and names them in the items. Throws
// Error{unanswerable} when rows are from a table, Error{usage} when a recording of the project would be overwritten.
void write_clips(const std::string& project_path, const Project& project, const ClipOptions& options,
                 std::vector<ToldItem>& items);

}  // namespace motet::discover
