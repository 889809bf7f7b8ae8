#include "motet/io/file.h"

#include <fcntl.h>
#include <sys/resource.h>
#include <sys/stat.h>
#include <zlib.h>

#include <csignal>
#include <vector>

#include "io/support.h"
#include "support/errors.h"

namespace motet::file_test {
namespace {

std::string packed(const std::string& text) {
  z_stream stream{};
  EXPECT_EQ(deflateInit2(&stream, 6, Z_DEFLATED, 15 + 16, 8, Z_DEFAULT_STRATEGY), Z_OK);
  std::string out(deflateBound(&stream, text.size()), '\0');
  std::string in = text;
  stream.next_in = reinterpret_cast<Bytef*>(in.data());
  stream.avail_in = static_cast<uInt>(in.size());
  stream.next_out = reinterpret_cast<Bytef*>(out.data());
  stream.avail_out = static_cast<uInt>(out.size());
  EXPECT_EQ(deflate(&stream, Z_FINISH), Z_STREAM_END);
  out.resize(stream.total_out);
  deflateEnd(&stream);
  return out;
}

std::string some_text(std::size_t size) {
  std::string text;
  for (std::size_t i = 0; text.size() < size; ++i) text += std::to_string(i * i) + (i % 7 == 0 ? "\n" : ",");
  return text;
}

std::string read_in_pieces(const std::string& path, std::size_t chunk, std::size_t piece) {
  InputFile file(path, chunk);
  std::string text;
  std::vector<char> buffer(piece);
  for (;;) {
    const std::size_t size = file.read(buffer);
    text.append(buffer.data(), size);
    if (size < piece) return text;
  }
}

TEST(InputFile, ReadsPlainAndPackedFilesInAnyPieces) {
  const TemporaryFolder folder;
  const std::string text = some_text(5000);
  const std::string plain = folder.write("plain", text);
  const std::string gz = folder.write("packed.gz", packed(text));
  const std::string two = folder.write("two.gz", packed(text.substr(0, 1000)) + packed(text.substr(1000)));
  for (const std::size_t size : {1U, 2U, 3U, 7U, 1000U, 100000U}) {
    EXPECT_EQ(read_in_pieces(plain, size, size), text);
    EXPECT_EQ(read_in_pieces(gz, size, 13), text);
    EXPECT_EQ(read_in_pieces(gz, 13, size), text);
    EXPECT_EQ(read_in_pieces(two, size, size), text);
  }
  EXPECT_EQ(read_whole(plain), text);
  EXPECT_EQ(read_whole(gz), text);
  EXPECT_EQ(read_whole(folder.write("empty", "")), "");
  EXPECT_EQ(read_whole(folder.write("one", "\x1f")), "\x1f");
  EXPECT_EQ(read_whole(folder.write("empty.gz", packed(""))), "");
}

TEST(InputFile, DashIsStandardInput) {
  const TemporaryFolder folder;
  folder.write("x.gz", packed("from outside"));
  const Descriptor kept(::dup(STDIN_FILENO));
  const Descriptor file(::open((folder / "x.gz").c_str(), O_RDONLY));
  ::dup2(file.number(), STDIN_FILENO);
  EXPECT_EQ(read_whole("-"), "from outside");
  EXPECT_EQ(InputFile("-").name(), "standard input");
  ::dup2(kept.number(), STDIN_FILENO);
}

TEST(InputFile, KnowsHowFarItIs) {
  const TemporaryFolder folder;
  InputFile file(folder.write("x", "12345678"));
  EXPECT_EQ(file.bytes_total(), 8U);
  std::vector<char> buffer(5);
  file.read(buffer);
  EXPECT_EQ(file.bytes_done(), 5U);
}

TEST(InputFile, Errors) {
  const TemporaryFolder folder;
  EXPECT_EQ(folder.error_of([&] { read_whole(folder / "none.csv"); }),
            "none.csv: cannot be opened: No such file or directory");
  std::filesystem::create_directory(folder / "sub");
  EXPECT_EQ(folder.error_of([&] { read_whole(folder / "sub"); }), "sub: cannot be opened: Is a directory");
  const std::string whole = packed(some_text(5000));
  const std::string damage = "x.gz: the gzip stream is damaged or cut short";
  for (const std::size_t size : {std::size_t{2}, std::size_t{11}, whole.size() / 2, whole.size() - 1}) {
    folder.write("x.gz", whole.substr(0, size));
    EXPECT_EQ(folder.error_of([&] { read_whole(folder / "x.gz"); }), damage);
  }
  std::string flipped = whole;
  flipped[whole.size() / 2] = static_cast<char>(flipped[whole.size() / 2] ^ 0x55);
  folder.write("x.gz", flipped);
  EXPECT_EQ(folder.error_of([&] { read_whole(folder / "x.gz"); }), damage);
  folder.write("x.gz", whole + "rest");
  EXPECT_EQ(folder.error_of([&] { read_whole(folder / "x.gz"); }), damage);
}

unsigned mode_of(const std::string& path) {
  struct stat status {};
  EXPECT_EQ(::stat(path.c_str(), &status), 0);
  return status.st_mode & 07777U;
}

TEST(AtomicFile, AppearsOnlyOnCommit) {
  const TemporaryFolder folder;
  {
    AtomicFile file(folder / "a");
    file.write("one ");
    file.write("two");
    EXPECT_FALSE(std::filesystem::exists(folder / "a"));
    file.commit();
  }
  EXPECT_EQ(folder.read("a"), "one two");
  { AtomicFile(folder / "a").write("given up"); }
  EXPECT_EQ(folder.read("a"), "one two");
  write_atomically(folder / "a", "three");
  EXPECT_EQ(folder.read("a"), "three");
  EXPECT_EQ(folder.file_count(), 1U);
}

TEST(AtomicFile, PermissionsAreThoseOfAnyFile) {
  const TemporaryFolder folder;
  const mode_t old = ::umask(027);
  write_atomically(folder / "a", "x");
  ::umask(old);
  EXPECT_EQ(mode_of(folder / "a"), 0640U);
  ::chmod((folder / "a").c_str(), 0600);
  write_atomically(folder / "a", "y");
  EXPECT_EQ(mode_of(folder / "a"), 0600U);
}

TEST(AtomicFile, FollowsLinks) {
  const TemporaryFolder folder;
  std::filesystem::create_directory(folder / "sub");
  std::filesystem::create_symlink("sub/target", folder / "link");
  write_atomically(folder / "link", "new");  // the target does not exist yet
  EXPECT_TRUE(std::filesystem::is_symlink(folder / "link"));
  EXPECT_EQ(folder.read("sub/target"), "new");
  write_atomically(folder / "link", "newer");
  EXPECT_EQ(folder.read("sub/target"), "newer");
}

TEST(AtomicFile, WritesDevicesDirectly) {
  const TemporaryFolder folder;
  write_atomically("/dev/null", "x");
  EXPECT_TRUE(std::filesystem::is_character_file("/dev/null"));
  EXPECT_EQ(folder.error_of([] { write_atomically("/dev/full", "x"); }, ErrorKind::machine_limit),
            "/dev/full: cannot be written: No space left on device");
}

// Runs `body` with descriptor 1 at the end of a file that is added to.
template <class Body>
void with_standard_output_to(const std::string& path, const Body& body) {
  std::fflush(stdout);
  const Descriptor kept(::dup(STDOUT_FILENO));
  const Descriptor file(::open(path.c_str(), O_WRONLY | O_CREAT | O_APPEND, 0666));
  ::dup2(file.number(), STDOUT_FILENO);
  body();
  ::dup2(kept.number(), STDOUT_FILENO);
}

TEST(AtomicFile, StreamsThatAreOpenAreAddedTo) {
  const TemporaryFolder folder;
  std::filesystem::create_symlink("/dev/stdout", folder / "link");
  folder.write("log", "before\n");
  with_standard_output_to(folder / "log", [&] {
    for (const std::string& name : {std::string("-"), std::string("/dev/stdout"), std::string("/dev/fd/1"),
                                    std::string("/proc/self/fd/1"), folder / "link"}) {
      require_writable(name);
      write_atomically(name, "x");
    }
  });
  EXPECT_EQ(folder.read("log"), "before\nxxxxx");
  EXPECT_EQ(folder.file_count(), 2U);
  EXPECT_EQ(folder.error_of([] { require_writable("/dev/fd/987"); }, ErrorKind::machine_limit),
            "/dev/fd/987: cannot be written: Bad file descriptor");
}

TEST(AtomicFile, WritesPipesAsAStream) {
  const TemporaryFolder folder;
  ASSERT_EQ(::mkfifo((folder / "pipe").c_str(), 0600), 0);
  const Descriptor reader(::open((folder / "pipe").c_str(), O_RDONLY | O_NONBLOCK));
  write_atomically(folder / "pipe", "through");
  std::string got(20, ' ');
  got.resize(static_cast<std::size_t>(::read(reader.number(), got.data(), got.size())));
  EXPECT_EQ(got, "through");
  EXPECT_TRUE(std::filesystem::is_fifo(folder / "pipe"));
}

TEST(AtomicFile, ErrorsLeaveTheOldFileAndNothingElse) {
  const TemporaryFolder folder;
  folder.write("a", "old");
  // A limit on the size of files stands for a full disk.
  rlimit before{};
  ASSERT_EQ(::getrlimit(RLIMIT_FSIZE, &before), 0);
  const auto old_handler = std::signal(SIGXFSZ, SIG_IGN);
  rlimit tiny = before;
  tiny.rlim_cur = 4096;
  ASSERT_EQ(::setrlimit(RLIMIT_FSIZE, &tiny), 0);
  const std::string text =
      folder.error_of([&] { write_atomically(folder / "a", std::string(10000, 'x')); }, ErrorKind::machine_limit);
  ::setrlimit(RLIMIT_FSIZE, &before);
  std::signal(SIGXFSZ, old_handler);
  EXPECT_EQ(text, "a: cannot be written: File too large");
  EXPECT_EQ(folder.read("a"), "old");
  EXPECT_EQ(folder.file_count(), 1U);
  EXPECT_EQ(folder.error_of([&] { write_atomically(folder / "none/a", "x"); }, ErrorKind::machine_limit),
            "none/a: cannot be written: No such file or directory");
  std::filesystem::create_directory(folder / "sub");
  EXPECT_EQ(folder.error_of([&] { write_atomically(folder / "sub", "x"); }, ErrorKind::machine_limit),
            "sub: cannot be written: Is a directory");
}

TEST(AtomicFile, CanBeCutAndItsStartRewrittenWhileItIsOurs) {
  const TemporaryFolder folder;
  AtomicFile file(folder / "a");
  file.write("0123456789");
  EXPECT_TRUE(file.cut_to(4));
  EXPECT_EQ(file.size(), 4U);
  file.write("xy");
  EXPECT_TRUE(file.rewrite_start("AB"));
  file.write("z");
  EXPECT_EQ(file.size(), 7U);
  file.commit();
  EXPECT_EQ(folder.read("a"), "AB23xyz");
  AtomicFile stream("/dev/null");
  stream.write("0123");
  EXPECT_FALSE(stream.cut_to(2));
  EXPECT_FALSE(stream.rewrite_start("A"));
}

}  // namespace
}  // namespace motet::file_test
