#include "motet/io/recording_bytes.h"

#include <fcntl.h>
#include <fmt/format.h>
#include <unistd.h>

#include <cerrno>
#include <system_error>

#include "motet/base/error.h"
#include "motet/io/file.h"

namespace motet {
namespace {

class RecordingFile : public RecordingBytes {
 public:
  RecordingFile(std::string path, std::uint64_t size)
      : path_(std::move(path)), size_(size), file_(::open(path_.c_str(), O_RDONLY | O_CLOEXEC)) {
    if (file_.number() < 0) fail_with("opened", ErrorKind::bad_data);
  }

  std::uint64_t size() const override { return size_; }

  std::size_t read(std::uint64_t at, std::span<char> into) override {
    std::size_t done = 0;
    while (done < into.size()) {
      const ssize_t got =
          ::pread(file_.number(), into.data() + done, into.size() - done, static_cast<off_t>(at + done));
      if (got < 0 && errno == EINTR) continue;
      if (got < 0) fail_with("read", ErrorKind::machine_limit);
      if (got == 0) break;
      done += static_cast<std::size_t>(got);
    }
    return done;
  }

 private:
  [[noreturn]] void fail_with(const char* what, ErrorKind kind) const {
    fail(kind, fmt::format("{}: cannot be {}: {}", path_, what, std::generic_category().message(errno)));
  }

  std::string path_;
  std::uint64_t size_;
  Descriptor file_;
};

}  // namespace

std::unique_ptr<RecordingBytes> open_recording_bytes(const std::string& path) {
  const std::uint64_t size = InputFile(path).bytes_total();  // says what is wrong with the path
  if (size == 0) fail(ErrorKind::bad_data, path + ": the file is empty");
  return std::make_unique<RecordingFile>(path, size);
}

}  // namespace motet
