#include "motet/base/ordered_pieces.h"

#include <gtest/gtest.h>

#include <atomic>
#include <string>

#include "motet/base/parallel.h"

namespace motet::ordered_pieces_test {
namespace {

TEST(OrderedPieces, WaitForThoseOfTheTasksBefore) {
  std::string told;
  OrderedPieces pieces(100);
  const auto tell = [&](char letter) { return [&told, letter] { told += letter; }; };
  pieces.put(1, 10, tell('c'));
  pieces.put(0, 10, tell('a'));
  EXPECT_EQ(told, "a");
  pieces.put(1, 10, tell('d'));
  pieces.finish(1);
  pieces.put(2, 10, tell('e'));
  pieces.put(0, 10, tell('b'));
  EXPECT_EQ(told, "ab");
  pieces.finish(0);
  EXPECT_EQ(told, "abcde");
  pieces.put(2, 10, tell('f'));
  pieces.finish(2);
  EXPECT_EQ(told, "abcdef");
}

// Far more than the limit is put by every task, on several threads.
TEST(OrderedPieces, KeepTheOrderOnAnyNumberOfThreads) {
  std::string expected;
  for (std::size_t task = 0; task < 40; ++task) expected += std::string(50, static_cast<char>('a' + task % 26));
  for (const unsigned threads : {1U, 2U, 4U}) {
    std::string told;
    OrderedPieces pieces(20);
    for_each_task(40, {threads, true}, [&](std::size_t task) {
      for (int i = 0; i < 50; ++i) {
        pieces.put(task, 7, [&told, task] { told += static_cast<char>('a' + task % 26); });
      }
      pieces.finish(task);
    });
    EXPECT_EQ(told, expected) << threads;
  }
}

TEST(OrderedPieces, NobodyWaitsForATaskThatGaveUp) {
  for (const unsigned threads : {1U, 4U}) {
    OrderedPieces pieces(1);
    std::atomic<int> told{0};
    EXPECT_THROW(for_each_task(20, {threads, true},
                               [&](std::size_t task) {
                                 if (task == 3) {
                                   pieces.abandon();
                                   throw std::runtime_error("no");
                                 }
                                 for (int i = 0; i < 5; ++i) pieces.put(task, 10, [&] { ++told; });
                                 pieces.finish(task);
                               }),
                 std::runtime_error);
    EXPECT_LE(told, 15);
  }
}

}  // namespace
}  // namespace motet::ordered_pieces_test
