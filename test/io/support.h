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

#include "motet/base/error.h"

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
    try {
      body();
    } catch (const Error& error) {
      EXPECT_EQ(error.kind(), kind) << error.what();
      return without_path(error.what());
    }
    ADD_FAILURE() << "no error";
    return "";
  }

 private:
  std::filesystem::path path_;
};

}  // namespace motet
