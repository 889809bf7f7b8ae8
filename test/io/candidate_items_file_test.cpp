#include "motet/io/candidate_items_file.h"

#include <matio.h>

#include <limits>
#include <sstream>

#include "io/support.h"
#include "support/errors.h"

namespace motet::candidate_items_file_test {
namespace {

using Names = std::vector<std::string>;
using Numbers = std::vector<double>;
using Labels = std::vector<std::uint32_t>;

const FileReader items_in{"x.csv", [](const std::string& path, const CandidateFormat& format = {}) {
                            return read_candidate_items(path, format, {});
                          }};

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
  EXPECT_EQ(items.weight, (Numbers{1, 1, 1, 0.25 / 0.75, 1, 1, 1}));
  EXPECT_EQ(items.truth, (std::vector<std::int32_t>{1, -1, 0}));
}

TEST(ReadCandidateItems, PlainSetsHaveNoWeightsAndAColonMayBePartOfAName) {
  const CandidateItems items = items_in("a,candidates\n1,x:y|b\n2,b\n").items;
  EXPECT_EQ(items.classes, (Names{"b", "x:y"}));
  EXPECT_TRUE(items.weight.empty());
}

TEST(ReadCandidateItems, OnlyRatiosOfWeightsCount) {
  const CandidateItems items =
      items_in("a,candidates\n1,x:1e308|y:1e308|z:5e307\n2,x:4|y:4\n3,x:1e308|y:1e-308\n").items;
  EXPECT_EQ(items.weight, (Numbers{1, 1, 0.5, 1, 1, 1, std::numeric_limits<double>::min()}));
  check_candidates(items);
  EXPECT_TRUE(items_in("a,candidates\n1,x:4|y:4\n2,x\n").items.weight.empty());
}

TEST(ReadCandidateItems, ATruthThatIsNoCandidateIsAClassForScoring) {
  CandidateFormat format;
  format.truth_column = "y";
  const std::string text = "a,candidates,y\n1,b|c, b \n2,c,q\n3,b,q\n4,*,\n";
  const CandidateFile file = items_in(text, format);
  EXPECT_EQ(file.items.classes, (Names{"b", "c", "q"}));
  EXPECT_EQ(file.items.truth, (std::vector<std::int32_t>{0, 2, 2, -1}));
  EXPECT_EQ(file.only_true, (Names{"q"}));
  format.classes = {"b", "c", "q"};
  EXPECT_TRUE(items_in(text, format).only_true.empty());
  format.classes = {"b", "c"};
  EXPECT_EQ(items_in.error(text, format), "x.csv:3: label 'q' is not among the declared classes 'b', 'c'");
  EXPECT_EQ(items_in.error("a,candidates,y\n\"1\",b,b\n2,b|c,b|c\n", format),
            "x.csv:3: the true label is 'b|c'; one label is needed, or nothing where it is unknown");
}

TEST(ReadCandidateItems, CandidatesThatAreNotAskedForAreLeftOut) {
  CandidateFormat format;
  format.needs_candidates = false;
  format.truth_column = "y";
  const CandidateFile csv = items_in("a,candidates,y\n1,b|c,b\n2,c,\n", format);
  EXPECT_TRUE(csv.leaves_candidates);
  EXPECT_EQ(csv.items.features.columns, (Names{"a"}));
  EXPECT_EQ(csv.items.truth, (std::vector<std::int32_t>{0, -1}));
  EXPECT_EQ(csv.items.starts, (std::vector<std::size_t>{0, 0, 0}));
  EXPECT_FALSE(items_in("a,y\n1,b\n2,\n", format).leaves_candidates);
}

TEST(ReadCandidateItems, WhatIsWrongIsToldWithItsLine) {
  items_in.expect_errors(
      {{"a,candidates\n1,b\n2,\n",
        "x.csv:3: no candidates in column 'candidates'; write * for an item nobody labelled"},
       {"a,candidates\n1,b||c\n",
        "x.csv:2: an empty name among the candidates 'b||c'; write them as a|b|c, or * for any label"},
       {"a,candidates\n1,b:0|c\n", "x.csv:2: the weight of candidate 'b' is '0'; weights must be positive numbers"},
       {"a,candidates\n1,b|c|b\n", "x.csv:2: candidate 'b' is named twice"}});
  CandidateFormat declared;
  declared.classes = {"b", "c"};
  EXPECT_EQ(items_in.error("a,candidates\n1,b|d\n", declared),
            "x.csv:2: label 'd' is not among the declared classes 'b', 'c'");
  EXPECT_EQ(items_in.error("a,b\n1,2\n"), "x.csv:1: there is no column 'candidates'; found 'a', 'b'");
  EXPECT_EQ(items_in.error("a,candidates\nnan,b\n"),
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
  const std::string text = "item,a,candidates,truth\np,1.5,cat|dog,dog\nq,2,dog:1|cat:0.25,\n";
  const CandidateItems items = items_in(text, format).items;
  std::ostringstream out;
  CsvWriter csv(out);
  write_candidate_csv(csv, items);
  csv.finish();
  EXPECT_EQ(out.str(), "item,a,candidates,truth\np,1.5,cat:1|dog:1,dog\nq,2,cat:0.25|dog:1,\n");
  const CandidateItems again = items_in(out.str(), format).items;
  EXPECT_EQ(again.label, items.label);
  EXPECT_EQ(again.weight, items.weight);
  EXPECT_EQ(again.truth, items.truth);
}

TEST(ReadCandidateItems, ANameWithAColonIsWrittenWithAWeight) {
  const CandidateItems items = items_in("a,candidates\n1,room:12:1|b\n2,b\n").items;
  std::ostringstream out;
  CsvWriter csv(out);
  write_candidate_csv(csv, items);
  csv.finish();
  EXPECT_EQ(out.str(), "item,a,candidates\n1,1,b|room:12:1\n2,2,b\n");
}

const FileReader rows_in{"x.svm", [](const std::string& path, const CandidateFormat& format = {}) {
                           return read_candidate_items(path, format, {});
                         }};

TEST(ReadCandidateItems, LibsvmRowsStartWithTheirCandidates) {
  const CandidateItems items = rows_in("# faces\n2,10 1:0.5 3:1\n10 2:4\n\n1,2,10 3:-1\n").items;
  EXPECT_EQ(items.classes, (Names{"1", "2", "10"}));
  EXPECT_EQ(items.features.columns, (Names{"1", "2", "3"}));
  EXPECT_EQ(items.features.values, (Numbers{0.5, 0, 1, 0, 4, 0, 0, 0, -1}));
  EXPECT_EQ(items.starts, (std::vector<std::size_t>{0, 2, 3, 6}));
  EXPECT_EQ(items.label, (Labels{1, 2, 2, 0, 1, 2}));
  EXPECT_TRUE(items.weight.empty());
  EXPECT_TRUE(items.truth.empty());
}

TEST(ReadCandidateItems, LibsvmRowsThatAreWrongAreToldWithTheirLine) {
  EXPECT_EQ(rows_in.error("1 1:2\n\n 1:2\n"),
            "x.svm:3: no candidates before the features; each line starts with them, such as 1,3");
  EXPECT_EQ(rows_in.error("1 1:2\n1:3\n"),
            "x.svm:2: no candidates before the features; each line starts with them, such as 1,3");
  EXPECT_EQ(rows_in.error("1 1:2\n* 1:3\n"),
            "x.svm:2: '*' is no candidate of libsvm rows; name every label the item may have");
  CandidateFormat declared;
  declared.classes = {"1", "2"};
  EXPECT_EQ(rows_in.error("1 1:2\n3 1:2\n", declared), "x.svm:2: label '3' is not one of '1', '2'");
}

TEST(ReadCandidateItems, LibsvmRowsWithoutCandidatesArePredicted) {
  CandidateFormat format;
  format.needs_candidates = false;
  format.known_columns = {"1", "2"};
  format.classes = {"a", "b"};
  const CandidateFile bare = rows_in(" 1:2\n 2:3\n", format);
  EXPECT_EQ(bare.items.features.values, (Numbers{2, 0, 0, 3}));
  EXPECT_EQ(bare.items.classes, (Names{"a", "b"}));
  EXPECT_FALSE(bare.leaves_candidates);
  EXPECT_TRUE(rows_in("c 1:2\na 2:3\n", format).leaves_candidates);
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
  const double infinity = std::numeric_limits<double>::infinity();
  EXPECT_EQ(folder.error_of([&] {
    read_candidate_items(a_mat(folder, {1, 1, 0, infinity, 1, 1}), {}, {});
  }),
            "x.mat: partial_target(2, 2) = inf is negative or no finite number");
}

TEST(ReadCandidateItems, KindsGoByTheEndingInAnyCase) {
  EXPECT_EQ(candidate_file_kind("a.MAT"), CandidateFileKind::mat);
  EXPECT_EQ(candidate_file_kind("a.Svm.gz"), CandidateFileKind::libsvm);
  EXPECT_EQ(candidate_file_kind("a.csv"), CandidateFileKind::csv);
  EXPECT_EQ(candidate_file_kind("-"), CandidateFileKind::csv);
  const TemporaryFolder folder;
  std::filesystem::rename(a_mat(folder, {1, 1, 0, 1, 1, 1}), folder / "X.MAT");
  EXPECT_EQ(read_candidate_items(folder / "X.MAT", {}, {}).items.rows(), 3U);
  EXPECT_EQ(folder.error_of([&] { read_candidate_items(folder / "x.mat.gz", {}, {}); }),
            "x.mat.gz: a packed .mat file is not read; unpack it with gunzip");
}

TEST(ReadCandidateItems, AMatFileWithWeightsAndCandidatesThatAreNotAskedFor) {
  const TemporaryFolder folder;
  const std::string path = a_mat(folder, {4, 1, 0, 1, 1, 1});
  EXPECT_EQ(read_candidate_items(path, {}, {}).items.weight, (Numbers{1, 0.25, 1, 1, 1}));
  CandidateFormat format;
  format.needs_candidates = false;
  const CandidateFile file = read_candidate_items(path, format, {});
  EXPECT_TRUE(file.leaves_candidates);
  EXPECT_TRUE(file.items.label.empty());
  EXPECT_EQ(file.items.starts, (std::vector<std::size_t>{0, 0, 0, 0}));
  EXPECT_EQ(file.items.truth, (std::vector<std::int32_t>{0, 1, 1}));
}

TEST(ReadCandidateItems, AMatFileWhoseMatricesDoNotFit) {
  struct Matrix {
    const char* name;
    std::size_t rows, columns;
    Numbers values;
  };
  const TemporaryFolder folder;
  const auto error_with = [&](const std::vector<Matrix>& matrices, const CandidateFormat& format = {}) {
    const std::string path = folder / "x.mat";
    mat_t* file = Mat_CreateVer(path.c_str(), nullptr, MAT_FT_MAT5);
    for (const Matrix& matrix : matrices) put_dense(file, matrix.name, matrix.rows, matrix.columns, matrix.values);
    Mat_Close(file);
    return folder.error_of([&] { read_candidate_items(path, format, {}); });
  };
  const Matrix data{"data", 2, 1, {1, 2}};
  const Matrix partial{"partial_target", 2, 2, {1, 1, 0, 1}};
  const std::string layout = "; the layout is data (items x features), partial_target and target (classes x items)";
  EXPECT_EQ(error_with({partial}), "x.mat: there is no 'data'" + layout);
  EXPECT_EQ(error_with({data}), "x.mat: there is no 'partial_target'" + layout);
  EXPECT_EQ(error_with({data, {"partial_target", 2, 3, {1, 1, 0, 1, 1, 1}}}),
            "x.mat: 'partial_target' has 3 columns, but there are 2 items");
  EXPECT_EQ(error_with({data, partial, {"target", 1, 2, {1, 1}}}), "x.mat: partial_target has 2 classes and target 1");
  EXPECT_EQ(error_with({data, partial, {"target", 2, 2, {1, 0, 1, 1}}}),
            "x.mat: item 2 has several true classes in target");
  EXPECT_EQ(error_with({{"data", 2, 1, {1, std::numeric_limits<double>::quiet_NaN()}}, partial}),
            "x.mat: data(2, 1) is not a finite number");
  CandidateFormat declared;
  declared.classes = {"a", "b", "c"};
  EXPECT_EQ(error_with({data, partial}, declared), "x.mat: has 2 classes, but 3 are declared");
}

}  // namespace
}  // namespace motet::candidate_items_file_test
