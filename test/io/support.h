// What the tests of io/ share.
#pragma once

#include <gtest/gtest.h>
#include <unistd.h>

#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <iterator>
#include <string>
#include <string_view>

#include "support/errors.h"

namespace motet {

// A fresh folder, removed at the end. Error texts are shown without its path.
class TemporaryFolder {
 public:
  TemporaryFolder() {
    std::string pattern = (std::filesystem::temp_directory_path() / "motet-test-XXXXXX").string();
    path_ = ::mkdtemp(pattern.data());
  }
  ~TemporaryFolder() { std::filesystem::remove_all(path_); }
  TemporaryFolder(const TemporaryFolder&) = delete;

  std::string operator/(std::string_view name) const { return (path_ / name).string(); }
  std::string write(std::string_view name, std::string_view content) const {
    std::ofstream(*this / name, std::ios::binary) << content;
    return *this / name;
  }
  std::string read(std::string_view name) const {
    std::ifstream in(*this / name, std::ios::binary);
    return {std::istreambuf_iterator<char>(in), {}};
  }
  std::size_t file_count() const {
    return static_cast<std::size_t>(std::distance(std::filesystem::directory_iterator(path_), {}));
  }
  std::string without_path(std::string text) const {
    const std::string folder = path_.string() + "/";
    for (std::size_t at = text.find(folder); at != std::string::npos; at = text.find(folder)) {
      text.erase(at, folder.size());
    }
    return text;
  }

  // The text of the Error that `body` throws; an error of another kind, or none, fails the test.
  template <class Body>
  std::string error_of(const Body& body, ErrorKind kind = ErrorKind::bad_data) const {
    return without_path(motet::error_of(body, kind));
  }

 private:
  std::filesystem::path path_;
};

// What `function` makes of each given text.
template <class Function>
void expect_each(const Function& function,
                 std::initializer_list<std::pair<std::string, std::string>> given_and_wanted) {
  for (const auto& [given, wanted] : given_and_wanted) EXPECT_EQ(function(given), wanted) << "of " << given;
}

// A reader, `read(path, options...)`, of files that hold the text at hand.
template <class Read>
struct FileReader {
  std::string_view name;  // of the file
  Read read;

  template <class... Options>
  auto operator()(std::string_view text, const Options&... options) const {
    const TemporaryFolder folder;
    return read(folder.write(name, text), options...);
  }
  template <class... Options>
  std::string error(std::string_view text, const Options&... options) const {
    const TemporaryFolder folder;
    folder.write(name, text);
    return folder.error_of([&] { read(folder / name, options...); });
  }
  void expect_errors(std::initializer_list<std::pair<std::string, std::string>> text_and_error) const {
    expect_each([this](std::string_view text) { return error(text); }, text_and_error);
  }
};

}  // namespace motet
