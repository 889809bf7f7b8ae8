#include "motet/io/mulan_xml.h"

#include "io/support.h"

namespace motet::mulan_xml_test {
namespace {

std::vector<std::string> labels_in(std::string_view text) {
  const TemporaryFolder folder;
  return read_mulan_labels(folder.write("x.xml", text));
}

std::string error_in(std::string_view text) {
  const TemporaryFolder folder;
  folder.write("x.xml", text);
  return folder.error_of([&] { read_mulan_labels(folder / "x.xml"); });
}

TEST(MulanXml, LabelsComeInTheOrderOfTheFile) {
  EXPECT_EQ(labels_in("<?xml version=\"1.0\" encoding=\"utf-8\"?>\n"
                      "<labels xmlns=\"http://mulan.sourceforge.net/labels\">\n"
                      "<label name=\"b c\"></label>\n<!-- second --><label name=\"a&amp;d\"/>\n</labels>"),
            (std::vector<std::string>{"b c", "a&d"}));
}

TEST(MulanXml, NestedLabelsFollowTheirParents) {
  EXPECT_EQ(labels_in("<labels><label name='animal'><label name='bird'><label name='owl'/></label>"
                      "<label name='dog'/></label><label name='tree'/></labels>"),
            (std::vector<std::string>{"animal", "bird", "owl", "dog", "tree"}));
}

TEST(MulanXml, LabelsNestedTooDeepAreRefused) {
  const auto nested = [](std::size_t depth) {
    std::string text = "<labels>\n";
    for (std::size_t i = 0; i < depth; ++i) text += "<label name='" + std::to_string(i) + "'>\n";
    for (std::size_t i = 0; i < depth; ++i) text += "</label>";
    return text + "</labels>";
  };
  EXPECT_EQ(labels_in(nested(200)).size(), 200U);
  EXPECT_EQ(error_in(nested(201)), "x.xml:202: labels are nested deeper than 200");
  EXPECT_EQ(error_in(nested(40'000)), "x.xml:202: labels are nested deeper than 200");
}

TEST(MulanXml, BrokenFilesAreToldWithTheLine) {
  EXPECT_EQ(error_in(""), "x.xml:1: this is no XML: no document element found");
  EXPECT_EQ(error_in("<labels>\n<label name='a'>\n"), "x.xml:2: this is no XML: start-end tags mismatch");
  EXPECT_EQ(error_in("<html/>"), "x.xml:1: <html> is not <labels>; a MULAN file of labels is needed");
  EXPECT_EQ(error_in("<labels>\n<labl name='a'/>\n</labels>"), "x.xml:2: <labl> is not <label>");
  EXPECT_EQ(error_in("<labels>\n<label/></labels>"), "x.xml:2: a label has no name; write <label name=\"...\"/>");
  EXPECT_EQ(error_in("<labels>\n<label name='a'/>\n<label name='a'/></labels>"), "x.xml:3: label 'a' appears twice");
  EXPECT_EQ(error_in("<labels></labels>"), "x.xml: there are no labels in it");
  const TemporaryFolder folder;
  EXPECT_EQ(folder.error_of([&] { read_mulan_labels(folder / "none.xml"); }),
            "none.xml: cannot be opened: No such file or directory");
}

}  // namespace
}  // namespace motet::mulan_xml_test
