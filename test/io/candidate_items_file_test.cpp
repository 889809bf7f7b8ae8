#include "motet/io/candidate_items_file.h"

#include <matio.h>

#include <sstream>

#include "io/support.h"

namespace motet {
namespace {

using Names = std::vector<std::string>;
using Numbers = std::vector<double>;
using Labels = std::vector<std::uint32_t>;

CandidateFile items_in(std::string_view text, const CandidateFormat& format = {}) {
  const TemporaryFolder folder;
  return read_candidate_items(folder.write("x.csv", text), format, {});
}

std::string error_in(std::string_view text, const CandidateFormat& format = {}) {
  const TemporaryFolder folder;
  folder.write("x.csv", text);
  return folder.error_of([&] { read_candidate_items(folder / "x.csv", format, {}); });
}

TEST(ReadCandidateItems, SetsWeightsAndAnyLabel) {
  CandidateFormat format;
  format.truth_column = "y";
  const CandidateItems items =
      items_in("item,a,candidates,y\np,1,cat|dog,dog\nq,2,dog:0.75|eel:0.25,\nr,3,*,cat\n", format).items;
  EXPECT_EQ(items.classes, (Names{"cat", "dog", "eel"}));
  EXPECT_EQ(items.features.columns, (Names{"a"}));
  EXPECT_EQ(items.features.items, (Names{"p", "q", "r"}));
  EXPECT_EQ(items.starts, (std::vector<std::size_t>{0, 2, 4, 7}));
  EXPECT_EQ(items.label, (Labels{0, 1, 1, 2, 0, 1, 2}));
  EXPECT_EQ(items.weight, (Numbers{1, 1, 0.75, 0.25, 1, 1, 1}));
  EXPECT_EQ(items.truth, (std::vector<std::int32_t>{1, -1, 0}));
}

TEST(ReadCandidateItems, PlainSetsHaveNoWeightsAndAColonMayBePartOfAName) {
  const CandidateItems items = items_in("a,candidates\n1,x:y|b\n2,b\n").items;
  EXPECT_EQ(items.classes, (Names{"b", "x:y"}));
  EXPECT_TRUE(items.weight.empty());
}

TEST(ReadCandidateItems, WhatIsWrongIsToldWithItsItem) {
  EXPECT_EQ(error_in("a,candidates\n1,b\n2,\n"),
            "x.csv: item '2': no candidates in column 'candidates'; write * for an item nobody labelled");
  EXPECT_EQ(error_in("a,candidates\n1,b||c\n"),
            "x.csv: item '1': an empty name among the candidates 'b||c'; write them as a|b|c, or * for any label");
  EXPECT_EQ(error_in("a,candidates\n1,b:0|c\n"),
            "x.csv: item '1': the weight of candidate 'b' is 0; weights must be positive");
  EXPECT_EQ(error_in("a,candidates\n1,b|c|b\n"), "x.csv: item '1': candidate 'b' is named twice");
  CandidateFormat declared;
  declared.classes = {"b", "c"};
  EXPECT_EQ(error_in("a,candidates\n1,b|d\n", declared),
            "x.csv: item '1': label 'd' is not among the declared classes 'b', 'c'");
  EXPECT_EQ(error_in("a,b\n1,2\n"), "x.csv:1: there is no column 'candidates'; found 'a', 'b'");
  EXPECT_EQ(error_in("a,candidates\nnan,b\n"),
            "x.csv:2: row 1 column 'a' is 'nan'; every feature needs a finite number");
}

TEST(ReadCandidateItems, PredictionTakesTheColumnsOfTheModelAndLeavesOthers) {
  CandidateFormat format;
  format.needs_candidates = false;
  format.known_columns = {"b", "a"};
  format.classes = {"cat", "dog"};
  const CandidateItems items = items_in("a,text,b\n1,hello,2\n3,,4\n", format).items;
  EXPECT_EQ(items.features.columns, (Names{"b", "a"}));
  EXPECT_EQ(items.features.values, (Numbers{2, 1, 4, 3}));
  EXPECT_EQ(items.classes, (Names{"cat", "dog"}));
  EXPECT_EQ(items.rows(), 2U);
}

TEST(ReadCandidateItems, WrittenItemsReadBackTheSame) {
  CandidateFormat format;
  format.truth_column = "truth";
  const std::string text = "item,a,candidates,truth\np,1.5,cat|dog,dog\nq,2,dog:0.75|cat:0.25,\n";
  const CandidateItems items = items_in(text, format).items;
  std::ostringstream out;
  CsvWriter csv(out);
  write_candidate_csv(csv, items);
  csv.finish();
  EXPECT_EQ(out.str(), "item,a,candidates,truth\np,1.5,cat:1|dog:1,dog\nq,2,cat:0.25|dog:0.75,\n");
  const CandidateItems again = items_in(out.str(), format).items;
  EXPECT_EQ(again.label, items.label);
  EXPECT_EQ(again.weight, items.weight);
  EXPECT_EQ(again.truth, items.truth);
}

void put_dense(mat_t* file, const char* name, std::size_t rows, std::size_t columns, Numbers values) {
  std::size_t dims[2] = {rows, columns};
  matvar_t* variable = Mat_VarCreate(name, MAT_C_DOUBLE, MAT_T_DOUBLE, 2, dims, values.data(), 0);
  Mat_VarWrite(file, variable, MAT_COMPRESSION_NONE);
  Mat_VarFree(variable);
}

std::string a_mat(const TemporaryFolder& folder, Numbers partial, std::size_t classes = 2) {
  const std::string path = folder / "x.mat";
  mat_t* file = Mat_CreateVer(path.c_str(), nullptr, MAT_FT_MAT5);
  put_dense(file, "data", 3, 2, {1, 2, 3, 4, 5, 6});
  put_dense(file, "partial_target", classes, 3, std::move(partial));
  put_dense(file, "target", classes, 3, {1, 0, 0, 1, 0, 1});
  Mat_Close(file);
  return path;
}

TEST(ReadCandidateItems, ThePublicMatLayout) {
  const TemporaryFolder folder;
  const CandidateItems items = read_candidate_items(a_mat(folder, {1, 1, 0, 1, 1, 1}), {}, {}).items;
  EXPECT_EQ(items.features.values, (Numbers{1, 4, 2, 5, 3, 6}));
  EXPECT_EQ(items.classes, (Names{"1", "2"}));
  EXPECT_EQ(items.label, (Labels{0, 1, 1, 0, 1}));
  EXPECT_EQ(items.truth, (std::vector<std::int32_t>{0, 1, 1}));
}

TEST(ReadCandidateItems, AMatFileThatIsNone) {
  const TemporaryFolder folder;
  folder.write("x.mat", "hello");
  EXPECT_EQ(folder.error_of([&] { read_candidate_items(folder / "x.mat", {}, {}); }),
            "x.mat: is no .mat file that can be read");
  const std::string path = a_mat(folder, {1, 1, 0, 0, 1, 1});
  EXPECT_EQ(folder.error_of([&] { read_candidate_items(path, {}, {}); }),
            "x.mat: item 2 has no candidates in partial_target");
}

}  // namespace
}  // namespace motet
