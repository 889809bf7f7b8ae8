#include "motet/io/mulan_xml.h"

#include "io/support.h"
#include "support/errors.h"

namespace motet::mulan_xml_test {
namespace {

const FileReader labels_in{"x.xml", [](const std::string& path) { return read_mulan_labels(path); }};

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
  EXPECT_EQ(labels_in.error(nested(201)), "x.xml:202: labels are nested deeper than 200");
  EXPECT_EQ(labels_in.error(nested(40'000)), "x.xml:202: labels are nested deeper than 200");
}

TEST(MulanXml, BrokenFilesAreToldWithTheLine) {
  labels_in.expect_errors(
      {{"", "x.xml:1: this is no XML: no document element found"},
       {"<labels>\n<label name='a'>\n", "x.xml:2: this is no XML: start-end tags mismatch"},
       {"<html/>", "x.xml:1: <html> is not <labels>; a MULAN file of labels is needed"},
       {"<labels>\n<labl name='a'/>\n</labels>", "x.xml:2: <labl> is not <label>"},
       {"<labels>\n<label/></labels>", "x.xml:2: a label has no name; write <label name=\"...\"/>"},
       {"<labels>\n<label name='a'/>\n<label name='a'/></labels>", "x.xml:3: label 'a' appears twice"},
       {"<labels></labels>", "x.xml: there are no labels in it"}});
  const TemporaryFolder folder;
  EXPECT_EQ(folder.error_of([&] { read_mulan_labels(folder / "none.xml"); }),
            "none.xml: cannot be opened: No such file or directory");
}

}  // namespace
}  // namespace motet::mulan_xml_test
