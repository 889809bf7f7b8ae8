#include "motet/base/available_memory.h"

#include <gtest/gtest.h>

#include <filesystem>

#include "io/support.h"
#include "support/errors.h"

namespace motet::available_memory_test {
namespace {

constexpr std::uint64_t gigabyte = 1'000'000'000;

// A folder that is laid out like /, as far as memory goes.
class FakeMachine : public testing::Test {
 protected:
  void put(const std::string& name, const std::string& content) {
    std::filesystem::create_directories(std::filesystem::path(folder / name).parent_path());
    folder.write(name, content);
  }
  std::uint64_t available() const { return available_memory(folder / ""); }

  TemporaryFolder folder;
};

TEST_F(FakeMachine, LeavesWhatTheKernelSays) {
  put("proc/meminfo", "MemTotal:       24000000 kB\nMemFree:         1000000 kB\nMemAvailable:    2000000 kB\n");
  EXPECT_EQ(available(), 2'000'000U * 1024);
}

TEST_F(FakeMachine, LeavesWhatTheGroupsAboveLeave) {
  put("proc/meminfo", "MemAvailable: 20000000 kB\n");
  put("proc/self/cgroup", "0::/a/b\n");
  put("sys/fs/cgroup/a/b/memory.max", "max\n");
  put("sys/fs/cgroup/a/b/memory.current", "10\n");
  put("sys/fs/cgroup/a/memory.max", "5000000000\n");
  put("sys/fs/cgroup/a/memory.current", "4500000000\n");
  EXPECT_EQ(available(), gigabyte / 2);
  put("sys/fs/cgroup/a/memory.stat", "anon 1\ninactive_file 1000000000\nactive_file 7\n");  // files give way
  EXPECT_EQ(available(), gigabyte / 2 * 3);
  put("sys/fs/cgroup/memory.max", "3000000\n");  // all that is seen of it inside a container
  put("sys/fs/cgroup/memory.current", "1000000\n");
  EXPECT_EQ(available(), 2'000'000U);
  put("sys/fs/cgroup/memory.current", "4000000\n");
  EXPECT_EQ(available(), 0U);
}

TEST_F(FakeMachine, LeavesWhatAnOldGroupLeaves) {
  put("proc/meminfo", "MemAvailable: 20000000 kB\n");
  put("proc/self/cgroup", "9:cpu,cpuacct:/x\n4:memory:/x\n");
  put("sys/fs/cgroup/memory/x/memory.limit_in_bytes", "2000000000\n");
  put("sys/fs/cgroup/memory/x/memory.usage_in_bytes", "1000000000\n");
  EXPECT_EQ(available(), gigabyte);
}

TEST(AvailableMemory, IsSomethingHere) { EXPECT_GT(available_memory(), 1'000'000U); }

TEST(RequireMemory, TellsWhatIsAskedAndWhatIsThere) {
  require_memory("x.csv", "a table", 1e6, "take less");
  const TemporaryFolder folder;
  const std::string text =
      folder.error_of([] { require_memory("x.csv", "a table", 5e15, "take less"); }, ErrorKind::machine_limit);
  EXPECT_TRUE(text.starts_with("x.csv: a table would take 5000000.0 GB, and ")) << text;
  EXPECT_TRUE(text.ends_with(" of memory are free; take less")) << text;
  const std::string table =
      folder.error_of([] { require_table_memory("x.csv", 1'000'000, 1'000'000'000); }, ErrorKind::machine_limit);
  EXPECT_TRUE(table.starts_with("x.csv: 1000000 items x 1000000000 features would take 8000000.0 GB, and ")) << table;
  EXPECT_EQ(memory_text(1.26e9), "1.3 GB");
  EXPECT_EQ(memory_text(3e6), "3 MB");
}

TEST(MakeRoom, GrowsAsAVectorAndRefusesWhatIsNotThere) {
  std::vector<double> values = {1.0, 2.0};
  make_room(values, 3, "x.csv");
  EXPECT_GE(values.capacity(), 5U);
  EXPECT_EQ(values, (std::vector<double>{1.0, 2.0}));
  const TemporaryFolder folder;
  const std::string text =
      folder.error_of([&] { make_room(values, std::size_t{1} << 50, "x.csv"); }, ErrorKind::machine_limit);
  EXPECT_TRUE(text.starts_with("x.csv: what is read of it would take 9007199.3 GB, and ")) << text;
}

}  // namespace
}  // namespace motet::available_memory_test
