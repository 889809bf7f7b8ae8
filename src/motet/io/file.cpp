#include "motet/io/file.h"

#include <fcntl.h>
#include <fmt/format.h>
#include <sys/stat.h>
#include <unistd.h>
#include <zlib.h>

#include <algorithm>
#include <atomic>
#include <cerrno>
#include <filesystem>
#include <system_error>
#include <utility>
#include <vector>

#include "motet/base/available_memory.h"
#include "motet/base/error.h"
#include "motet/base/output_closed.h"
#include "motet/io/destination.h"

namespace motet {
namespace {

constexpr std::string_view gzip_magic = "\x1f\x8b";
constexpr std::uint64_t most_packing = 1100;  // gzip packs at most about 1000 : 1

std::string text_of(int error_number) { return std::generic_category().message(error_number); }

[[noreturn]] void fail_input(const std::string& name, std::string_view what, int error_number) {
  fail(ErrorKind::bad_data, fmt::format("{}: cannot be {}: {}", name, what, text_of(error_number)));
}

[[noreturn]] void fail_output(const std::string& path, int error_number) {
  if (error_number == EPIPE && path == "-") throw OutputClosed();
  fail(ErrorKind::machine_limit,
       fmt::format("{} cannot be written: {}", path == "-" ? "standard output" : path + ":", text_of(error_number)));
}

std::string folder_of(const std::string& path) {
  const std::string folder = std::filesystem::path(path).parent_path().string();
  return folder.empty() ? "." : folder;
}

int sync_folder(const std::string& path) {
  const Descriptor folder(::open(folder_of(path).c_str(), O_RDONLY | O_DIRECTORY | O_CLOEXEC));
  if (folder.number() < 0 || ::fsync(folder.number()) == 0) return 0;  // a folder that may not be read cannot be synced
  return errno == EINVAL || errno == EROFS ? 0 : errno;                // nor can some file systems
}

int open_input(const std::string& path) {
  const int file = path == "-" ? ::dup(STDIN_FILENO) : ::open(path.c_str(), O_RDONLY | O_CLOEXEC);
  if (file < 0) fail_input(path, "opened", errno);
  return file;
}

}  // namespace

Descriptor::~Descriptor() {
  if (number_ >= 0) ::close(number_);
}

int Descriptor::release() { return std::exchange(number_, -1); }

struct InputFile::Unpacker {
  explicit Unpacker(std::size_t chunk) : packed(std::max<std::size_t>(chunk, 1)) {
    if (inflateInit2(&stream, 15 + 16) != Z_OK) fail(ErrorKind::machine_limit, "no memory left to unpack gzip data");
  }
  ~Unpacker() { inflateEnd(&stream); }
  Unpacker(Unpacker&&) = delete;

  z_stream stream{};
  std::vector<char> packed;
  bool member_done = false;  // a file may hold several gzip streams after another
};

InputFile::InputFile(const std::string& path, std::size_t chunk)
    : file_(open_input(path)), name_(path == "-" ? "standard input" : path) {
  struct stat status {};
  if (::fstat(file_.number(), &status) != 0) fail_input(name_, "opened", errno);
  if (S_ISDIR(status.st_mode)) fail_input(name_, "opened", EISDIR);
  if (S_ISREG(status.st_mode)) bytes_total_ = static_cast<std::uint64_t>(status.st_size);
  start_unpacking_if_packed(chunk);
}

InputFile::~InputFile() = default;
InputFile::InputFile(InputFile&&) noexcept = default;

void InputFile::start_unpacking_if_packed(std::size_t chunk) {
  std::string start(gzip_magic.size(), '\0');
  start.resize(read_raw(start));
  first_bytes_ = std::move(start);
  if (first_bytes_ == gzip_magic) unpacker_ = std::make_unique<Unpacker>(chunk);
}

std::size_t InputFile::read_raw(std::span<char> into) {
  std::size_t done = std::min(first_bytes_.size(), into.size());
  if (done != 0) {
    std::copy_n(first_bytes_.begin(), done, into.begin());
    first_bytes_.erase(0, done);
  }
  while (done < into.size()) {
    const ssize_t got = ::read(file_.number(), into.data() + done, into.size() - done);
    if (got < 0 && errno == EINTR) continue;
    if (got < 0) fail(ErrorKind::machine_limit, fmt::format("{}: cannot be read: {}", name_, text_of(errno)));
    if (got == 0) break;
    done += static_cast<std::size_t>(got);
    bytes_done_ += static_cast<std::uint64_t>(got);
  }
  return done;
}

std::uint64_t InputFile::most_bytes() const { return unpacker_ ? most_packing * bytes_total_ : bytes_total_; }

std::size_t InputFile::read(std::span<char> into) {
  constexpr std::uint64_t look_every = std::uint64_t{1} << 24;  // bytes
  constexpr std::uint64_t least_left = std::uint64_t{1} << 26;
  const std::size_t done = unpacker_ ? unpack(into) : read_raw(into);
  const bool is_time = (bytes_out_ + done) / look_every != bytes_out_ / look_every;
  bytes_out_ += done;
  if (is_time && available_memory() < least_left) {
    fail(ErrorKind::machine_limit, fmt::format("{}: there is no memory left after {} of it; take a smaller part of it",
                                               name_, memory_text(static_cast<double>(bytes_out_))));
  }
  return done;
}

std::size_t InputFile::unpack(std::span<char> into) {
  z_stream& stream = unpacker_->stream;
  std::size_t done = 0;
  while (done < into.size()) {
    if (stream.avail_in == 0) {
      stream.avail_in = static_cast<uInt>(read_raw(unpacker_->packed));
      stream.next_in = reinterpret_cast<Bytef*>(unpacker_->packed.data());
      if (stream.avail_in == 0 && unpacker_->member_done) break;
    }
    if (unpacker_->member_done) inflateReset(&stream);
    const auto room = static_cast<uInt>(std::min<std::size_t>(into.size() - done, std::size_t{1} << 30));
    stream.next_out = reinterpret_cast<Bytef*>(into.data() + done);
    stream.avail_out = room;
    const int state = inflate(&stream, Z_NO_FLUSH);
    // With no input left, inflate makes no progress: Z_BUF_ERROR.
    if (state != Z_OK && state != Z_STREAM_END) {
      fail(ErrorKind::bad_data, name_ + ": the gzip stream is damaged or cut short");
    }
    unpacker_->member_done = state == Z_STREAM_END;
    done += room - stream.avail_out;
  }
  return done;
}

std::string read_whole(const std::string& path) {
  InputFile file(path);
  std::string text;
  std::size_t size = 0;
  do {
    const std::size_t room = std::max<std::size_t>({2 * size, file.bytes_total() + 1, 4096});  // + 1: a short read ends
    require_memory(file.name(), "its text", static_cast<double>(room), "take a smaller file");
    text.resize(room);
    size += file.read(std::span(text).subspan(size));
  } while (size == text.size());
  text.resize(size);
  return text;
}

AtomicFile::AtomicFile(std::string path) : path_(std::move(path)) {
  Destination destination = destination_of(path_, Direction::out);
  if (destination.descriptor >= 0) {
    file_ = ::fcntl(destination.descriptor, F_DUPFD_CLOEXEC, 0);
    if (file_ < 0) fail_with(errno);
    return;
  }
  target_ = std::move(destination.path);
  struct stat status {};
  const bool exists = ::stat(target_.c_str(), &status) == 0;
  if (exists && !S_ISREG(status.st_mode)) {
    file_ = ::open(target_.c_str(), O_WRONLY | O_CLOEXEC);
    if (file_ < 0) fail_with(errno);
    return;
  }
  if (exists && ::access(target_.c_str(), W_OK) != 0) fail_with(errno);
  open_temporary(exists, status.st_mode & 07777U);
}

void require_writable(const std::string& path) {
  const Destination destination = destination_of(path, Direction::out);
  if (destination.descriptor >= 0) {
    const int flags = ::fcntl(destination.descriptor, F_GETFL);
    if (flags < 0 || (flags & O_ACCMODE) == O_RDONLY) fail_output(path, EBADF);
    return;
  }
  const std::string& target = destination.path;
  struct stat status {};
  const int found = ::stat(target.c_str(), &status) == 0 ? 0 : errno;
  int error_number = found == ENOENT ? 0 : found;
  if (found == 0 && S_ISDIR(status.st_mode)) error_number = EISDIR;
  if (found == 0 && error_number == 0 && ::access(target.c_str(), W_OK) != 0) error_number = errno;
  const bool is_replaced = found != 0 || S_ISREG(status.st_mode);  // others are written where they are
  if (error_number == 0 && is_replaced && ::access(folder_of(target).c_str(), W_OK) != 0) error_number = errno;
  if (error_number != 0) fail_output(path, error_number);
}

AtomicFile::~AtomicFile() { close_and_remove(); }

void AtomicFile::open_temporary(bool replaces, unsigned mode) {
  static std::atomic<unsigned> counter{0};
  do {
    temporary_ = fmt::format("{}/.motet-{}-{}.tmp", folder_of(target_), ::getpid(), counter++);
    file_ = ::open(temporary_.c_str(), O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC, 0666);
  } while (file_ < 0 && errno == EEXIST);
  if (file_ < 0) {
    temporary_.clear();
    fail_with(errno);
  }
  if (replaces && ::fchmod(file_, mode) != 0) fail_with(errno);
}

void AtomicFile::write(std::string_view bytes) {
  while (!bytes.empty()) {
    const ssize_t done = ::write(file_, bytes.data(), bytes.size());
    if (done < 0 && errno == EINTR) continue;
    if (done < 0) fail_with(errno);
    bytes.remove_prefix(static_cast<std::size_t>(done));
    size_ += static_cast<std::uint64_t>(done);
  }
}

bool AtomicFile::cut_to(std::uint64_t size) {
  if (temporary_.empty()) return false;
  const auto end = static_cast<off_t>(size);
  if (::ftruncate(file_, end) != 0 || ::lseek(file_, end, SEEK_SET) != end) fail_with(errno);
  size_ = size;
  return true;
}

bool AtomicFile::rewrite_start(std::string_view bytes) {
  if (temporary_.empty()) return false;
  for (std::size_t at = 0; at < bytes.size();) {
    const ssize_t done = ::pwrite(file_, bytes.data() + at, bytes.size() - at, static_cast<off_t>(at));
    if (done < 0 && errno == EINTR) continue;
    if (done < 0) fail_with(errno);
    at += static_cast<std::size_t>(done);
  }
  return true;
}

void AtomicFile::commit() {
  // A pipe or a terminal cannot be synced: EINVAL.
  if (::fsync(file_) != 0 && !(temporary_.empty() && (errno == EINVAL || errno == ENOTSUP))) fail_with(errno);
  if (::close(std::exchange(file_, -1)) != 0) fail_with(errno);
  if (temporary_.empty()) return;
  if (::rename(temporary_.c_str(), target_.c_str()) != 0) fail_with(errno);
  temporary_.clear();
  if (const int error_number = sync_folder(target_); error_number != 0) fail_with(error_number);
}

void AtomicFile::close_and_remove() noexcept {
  if (file_ >= 0) ::close(std::exchange(file_, -1));
  if (!temporary_.empty()) ::unlink(temporary_.c_str());
  temporary_.clear();
}

void AtomicFile::fail_with(int error_number) {
  close_and_remove();
  fail_output(path_, error_number);
}

void write_atomically(const std::string& path, std::string_view content) {
  AtomicFile file(path);
  file.write(content);
  file.commit();
}

}  // namespace motet
