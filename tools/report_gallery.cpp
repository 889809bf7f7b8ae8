// Writes a page with every kind of plot and table, to look at and to test with:
//   motet_report_gallery PAGE.html
#include <cmath>
#include <fstream>
#include <iostream>
#include <limits>
#include <string>

#include "motet/base/rng.h"
#include "motet/report/bar_plot.h"
#include "motet/report/box_plot.h"
#include "motet/report/heat_map.h"
#include "motet/report/interval_plot.h"
#include "motet/report/line_plot.h"
#include "motet/report/page.h"
#include "motet/report/scatter_plot.h"

namespace motet {
namespace {

const double none = std::numeric_limits<double>::quiet_NaN();

Plot judges_plot(std::size_t count) {
  Rng rng(Seed{3});
  Intervals data;
  data.name_title = "judge";
  data.value_title = "accuracy";
  for (std::size_t i = 0; i < count; ++i) {
    const double value = rng.uniform(0.55, 0.97);
    const double error = rng.uniform(0.01, 0.06);
    data.names.push_back("judge " + std::to_string(i + 1));
    data.value.push_back(value);
    data.low.push_back(value - error);
    data.high.push_back(std::min(1.0, value + error));
    data.truth.push_back(i % 5 == 0 ? none : value + 0.6 * error * rng.normal());
  }
  if (count > 3) {
    data.names[1] = "Grażyna Brzęczyszczykiewicz of the second shift, Szczebrzeszyn";
    data.names[2] = "<script>alert(\"x\")</script> & 'co'";
  }
  return interval_plot({"Accuracy of " + std::to_string(count) + " judges",
                        "Estimated accuracy with its 95 % interval; open diamonds are the truth where it is known."},
                       data);
}

Plot confusion_plot() {
  return heat_map({"What the judges said", "Probability of each answer, a row for each true class."},
                  {{"cat", "dog", "neither of the two"},
                   {"cat", "dog", "neither of the two"},
                   {0.91, 0.07, 0.02, 0.12, 0.80, 0.08, 0.30, none, 0.70},
                   "true class",
                   "answer",
                   "probability",
                   2});
}

Plot large_map() {
  Rng rng(Seed{4});
  HeatMap data;
  for (int r = 0; r < 24; ++r) data.rows.push_back("role " + std::to_string(r + 1));
  for (int c = 0; c < 60; ++c) data.columns.push_back("permission " + std::to_string(c + 1));
  for (int i = 0; i < 24 * 60; ++i) data.values.push_back(rng.uniform() < 0.2 ? rng.uniform(0.5, 1.0) : 0.02);
  data.row_title = "role";
  data.column_title = "permission";
  data.value_title = "probability";
  return heat_map({"Permissions of the roles", "Probability that a member of the role holds the permission."}, data);
}

Plot discovery_plot() {
  Lines data;
  data.x_title = "labels asked for";
  data.y_title = "share of classes found";
  const char* names[] = {"temporal", "static", "random"};
  const double rates[] = {0.05, 0.025, 0.011};
  for (int s = 0; s < 3; ++s) {
    Series ours{names[s], {}, {}, {}, {}, false};
    Series published{names[s], {}, {}, {}, {}, true};
    for (int x = 0; x <= 120; x += 10) {
      const double y = 1.0 - std::exp(-rates[s] * x);
      ours.x.push_back(x);
      ours.y.push_back(y);
      ours.low.push_back(y - 0.05 * y * (1.2 - y));
      ours.high.push_back(y + 0.05 * y * (1.2 - y));
      if (x % 30 == 0) {
        published.x.push_back(x);
        published.y.push_back(0.98 * y);
      }
    }
    data.series.push_back(ours);
    data.series.push_back(published);
  }
  return line_plot({"Classes found", "Mean of 20 runs with a 95 % band; open diamonds are the published figures."},
                   data);
}

Plot speed_plot() {
  Lines data;
  data.x_title = "items";
  data.y_title = "seconds";
  data.log_x = data.log_y = true;
  for (const double threads : {1.0, 2.0}) {
    Series series{threads == 1.0 ? "1 thread" : "2 threads", {}, {}, {}, {}, false};
    for (double items = 100.0; items <= 1e6; items *= 10.0) {
      series.x.push_back(items);
      series.y.push_back(2e-5 * items / threads + 1e-3);
    }
    data.series.push_back(series);
  }
  return line_plot({"Time of a fit", "Both axes are logarithmic."}, data);
}

Plot objective_plot() {
  Series trace{"objective", {}, {}, {}, {}, false};
  for (int i = 1; i <= 60; ++i) {
    trace.x.push_back(i);
    trace.y.push_back(-1200.0 - 400.0 * std::exp(-0.15 * i));
  }
  return line_plot({"The fit", "The objective never falls."},
                   {{trace}, "iteration", "log likelihood", false, false, false, 2});
}

Plot error_plot() {
  return bar_plot({"Error of the methods", "Five-fold cross-validation, with the standard error."},
                  {{"deconvolution", "cross", "new", "ignore"},
                   {0.12, 0.18, 0.21, 0.34},
                   {},
                   {0.11, 0.16, 0.19, 0.31},
                   {0.13, 0.20, 0.23, 0.37},
                   "method",
                   "error rate",
                   3});
}

Plot grouped_plot() {
  return bar_plot({"Measures by label", ""}, {{"amazed", "amazed", "happy", "happy", "quiet", "quiet"},
                                              {0.71, 0.63, 0.82, 0.88, 0.54, 0.60},
                                              {"precision", "recall", "precision", "recall", "precision", "recall"},
                                              {},
                                              {},
                                              "label",
                                              "value",
                                              2});
}

Plot boxes_plot() {
  Rng rng(Seed{6});
  Boxes data{{}, "strategy", "questions", true, 1};
  for (const char* name : {"temporal", "static"}) {
    for (const char* group : {"B1", "B2"}) {
      Box box{name, {}, group};
      for (int i = 0; i < 20; ++i) box.values.push_back(std::exp(2.0 + rng.normal()));
      data.boxes.push_back(box);
    }
  }
  return box_plot({"Questions", "Until all was found, in 20 recordings of each kind."}, data);
}

Plot points_plot() {
  Rng rng(Seed{7});
  Scatter data;
  data.kinds = {"background", "song"};
  data.x_title = "first component";
  data.y_title = "second component";
  for (std::size_t i = 0; i < 200; ++i) {
    const std::size_t kind = i % 10 == 0 ? 1 : 0;
    data.points.push_back({rng.normal() + 3.0 * static_cast<double>(kind), rng.normal(), kind});
  }
  return scatter_plot({"Rows", "By their two leading components."}, data);
}

NamedTable long_table() {
  NamedTable named{"Items the judges disagree on", {{{"item"}, {"votes", 0}, {"label"}, {"probability", 3}}, {}}};
  Rng rng(Seed{9});
  for (int i = 0; i < 132; ++i) {
    named.table.rows.push_back({"item-" + std::to_string(1000 + i), static_cast<std::int64_t>(rng.below(9) + 2),
                                rng.uniform() < 0.5 ? "cat" : "dog", rng.uniform(0.5, 0.6)});
  }
  return named;
}

NamedTable wide_table() {
  NamedTable named{"Every figure of every label", {{{"label"}}, {}}};
  for (int c = 0; c < 18; ++c) named.table.columns.push_back({"measure " + std::to_string(c + 1), 3});
  for (const char* label : {"amazed", "happy", "quiet"}) {
    std::vector<Cell> row = {label};
    for (int c = 0; c < 18; ++c) row.emplace_back(1.0 / (c + 1.5));
    named.table.rows.push_back(row);
  }
  return named;
}

// Planted roles with exceptions; `roles` groups of users and of permissions.
MatrixPicture picture_of(std::size_t users, std::size_t permissions, std::size_t roles) {
  Rng rng(Seed{5});
  MatrixPicture picture;
  picture.title = std::to_string(users) + " users and " + std::to_string(permissions) + " permissions";
  picture.caption = "Planted roles with a few exceptions.";
  picture.kinds = {"not held", "held, no role grants it (extra)", "granted by a role, not held (missing)",
                   "held, granted by a role"};
  picture.low = BitMatrix(users, permissions);
  picture.high = BitMatrix(users, permissions);
  const auto role_of_user = [&](std::size_t n) { return n * roles / users; };
  const auto role_of_permission = [&](std::size_t d) { return d * roles / permissions; };
  for (std::size_t n = 0; n < users; ++n) {
    for (std::size_t d = 0; d < permissions; ++d) {
      const std::size_t apart = role_of_user(n) > role_of_permission(d) ? role_of_user(n) - role_of_permission(d)
                                                                        : role_of_permission(d) - role_of_user(n);
      const bool granted = apart == 0 || apart == 2;
      picture.high.set(n, d, granted);
      picture.low.set(n, d, granted != (rng.uniform() < 0.03));
    }
  }
  picture.group_title = "roles";
  for (std::size_t k = 0; k < roles; ++k) {
    picture.groups.push_back("role_" + std::to_string(k + 1));
    picture.sets.push_back({static_cast<std::uint32_t>(k)});
  }
  const auto fill = [&](PictureSide& side, const char* title, std::size_t count, const auto& role_of) {
    side.title = title;
    for (std::size_t i = 0; i < count; ++i) {
      side.names.push_back(i == 1 ? "<b>&'\"" : title + (" " + std::to_string(i + 1)));
      side.set_of.push_back(static_cast<std::uint32_t>(role_of(i)));
      if (i > 0 && role_of(i) != role_of(i - 1)) side.bands.push_back({picture.groups[role_of(i - 1)], i});
    }
    side.bands.push_back({picture.groups.back(), count});
  };
  fill(picture.rows, "user", users, role_of_user);
  fill(picture.columns, "permission", permissions, role_of_permission);
  picture.table = {{{"cells"}, {"number"}},
                   {{"held", static_cast<std::int64_t>(picture.low.count())},
                    {"granted", static_cast<std::int64_t>(picture.high.count())}}};
  return picture;
}

std::vector<Card> cards() {
  std::vector<Card> list;
  for (int k = 1; k <= 5; ++k) {
    Card card;
    card.title = k == 3 ? "Logistics and warehouse: pick_list_print" : "payroll_read +" + std::to_string(10 * k);
    if (k == 2) card.badges = {"kept as given", "no members"};
    card.facts = {{"members", std::to_string(70 - 9 * k)}, {"expected", "41.2"}, {"permissions", "14"}};
    card.bars = {{"Most telling permissions",
                  {{"payroll_read", 0.99}, {"urn:example:human-resources:payroll:statement:print", 0.93}, {"x", 0.51}}},
                 {"Attributes of members, and of all users",
                  {{"department: Finance", 0.87, 0.12}, {"site: Zürich & <co>", 0.33, 0.30}}}};
    std::vector<std::string> names;
    for (int n = 0; n < 30 * k; ++n) names.push_back("user." + std::to_string(n));
    card.lists = {{"All 2 permissions", {"payroll_read", "urn:example:human-resources:payroll:statement:print"}},
                  {"All " + std::to_string(names.size()) + " members", names, "and 12 more, which the file lists"}};
    list.push_back(card);
  }
  return list;
}

Page gallery() {
  Page page;
  page.title = "Gallery of Motet reports";
  page.subtitle = "Every kind of plot and table, with numbers that mean nothing";
  page.facts = {{"judges", "24"},
                {"items", "12,480"},
                {"votes", "61,022"},
                {"mean accuracy", "0.842 ± 0.011"},
                {"log likelihood", "−1,203.6"}};
  Section judges{"Judges",
                 "Each judge voted on about 500 items. No truth was known, so accuracy is estimated from how the "
                 "judges agree.\n\nAn interval that crosses one half belongs to a judge who may be guessing.",
                 {judges_plot(24), confusion_plot()},
                 {long_table()},
                 {"2 judges voted on fewer than 10 items; their intervals are wide.",
                  "Classes 'cat' and </script> were confused more often than chance."}};
  page.sections = {std::move(judges),
                   {"Curves", "", {discovery_plot(), speed_plot(), objective_plot()}, {}, {}},
                   {"Bars", "", {error_plot(), grouped_plot(), boxes_plot(), points_plot()}, {wide_table()}, {}},
                   {"Many rows", "", {large_map(), judges_plot(150)}, {}, {}},
                   {"Pictures", "", {}, {}, {}, false, {picture_of(400, 120, 8), picture_of(9000, 40, 5)}, cards()}};
  return page;
}

}  // namespace
}  // namespace motet

int main(int count, char** arguments) {
  if (count != 2) {
    std::cerr << "usage: motet_report_gallery PAGE.html\n";
    return 2;
  }
  std::ofstream out(arguments[1], std::ios::binary);
  out << motet::to_html(motet::gallery());
  return out.flush() ? 0 : 5;
}
