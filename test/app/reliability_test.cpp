#include "motet/app/reliability.h"

#include <gtest/gtest.h>

namespace motet::reliability_test {
namespace {

Reliability two_bins() {
  Reliability reliability;
  reliability.bins.resize(2);
  reliability.bins[0].mean_probability = 0.25;
  reliability.bins[0].share_right = 0.05;
  reliability.bins[0].error = 0.1;
  reliability.bins[0].items = 12;
  reliability.bins[1].mean_probability = 0.9;
  reliability.bins[1].share_right = 0.95;
  reliability.bins[1].error = 0.1;
  return reliability;
}

TEST(ReliabilityPlot, KeepsBandsBetweenNoneAndAll) {
  const Plot plot = reliability_plot({"t", "c"}, two_bins());
  const Value::List& rows = plot.spec.at("data").at("values").as_list();
  ASSERT_EQ(rows.size(), 4U);  // two bins and the ends of the diagonal
  EXPECT_EQ(rows[0].at("low").as_number(), 0.0);
  EXPECT_EQ(rows[1].at("high").as_number(), 1.0);
}

TEST(ReliabilityBins, TellsEachBin) {
  EXPECT_EQ(reliability_bins(two_bins()).as_list()[0],
            Value::object({{"mean_probability", 0.25}, {"share_right", 0.05}, {"standard_error", 0.1}, {"items", 12}}));
}

}  // namespace
}  // namespace motet::reliability_test
