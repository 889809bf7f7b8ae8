// The recordings that a command line names: files, all recordings below a folder, those that a list names.
#pragma once

#include <string>
#include <vector>

namespace motet::audio {

struct NamedRecording {
  std::string name;  // of its rows: the file without its folder, or its path below the folder that was named
  std::string path;
};

// Those in a folder and below it, known by the end of their names, in the order of their paths; perhaps none. Throws
// Error{bad_data} for a folder that cannot be read.
std::vector<NamedRecording> recordings_below(const std::string& folder);

// A folder gives the recordings in it and below it, by the end of their names, in the order of their paths; a .txt or
// .lst has the path of a recording per line, from the folder of the list on. Two may have one name. Throws
// Error{bad_data} for a folder or a list without recordings.
std::vector<NamedRecording> found_recordings(const std::vector<std::string>& arguments);

// The same with names that differ. Throws Error{usage} "a.wav: another recording is called 'a.wav' too; ..." too.
std::vector<NamedRecording> named_recordings(const std::vector<std::string>& arguments);

}  // namespace motet::audio
