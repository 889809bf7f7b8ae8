// Writes the manual pages and the completions of shells into a folder: motet_manual FOLDER.
#include <exception>
#include <filesystem>
#include <iostream>
#include <vector>

#include "experiments/experiment.h"
#include "motet/app/registry.h"
#include "motet/cli/manual.h"
#include "motet/io/file.h"

int main(int argc, char** argv) {
  try {
    if (argc != 2) throw std::invalid_argument("usage: motet_manual FOLDER");
    const std::filesystem::path folder = argv[1];
    std::filesystem::create_directories(folder);
    std::vector<motet::Verb> verbs(motet::all_verbs().begin(), motet::all_verbs().end());
    verbs.push_back(motet::reproduce_verb());
    for (const auto& files : {motet::manual_pages(verbs), motet::completions(verbs)}) {
      for (const motet::ManualFile& file : files) motet::write_atomically((folder / file.name).string(), file.text);
    }
  } catch (const std::exception& error) {
    std::cerr << error.what() << "\n";
    return 1;
  }
}
