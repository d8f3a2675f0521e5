#include "base/yaml.h"

#include <gtest/gtest.h>

namespace railyard {
namespace {

TEST(Yaml, values_have_kinds_and_lines) {
  const auto all = parse_yaml("a: 1\nb:\n  - x\n  - 2.5\n  - true\n  - \"3\"\n---\nc: 10.0.0.1\n", "f.yaml", "RY-T");
  ASSERT_TRUE(all);
  ASSERT_EQ(all->size(), 2U);
  EXPECT_EQ(*all->at(0).find("a")->integer(), 1);
  const Document& list = *all->at(0).find("b");
  EXPECT_EQ(*list.items()->at(0).text(), "x");
  EXPECT_EQ(list.items()->at(0).where().line, 3U);
  EXPECT_EQ(*list.items()->at(1).real(), 2.5);
  EXPECT_TRUE(*list.items()->at(2).boolean());
  EXPECT_EQ(*list.items()->at(3).text(), "3");
  EXPECT_EQ(*all->at(1).find("c")->text(), "10.0.0.1");
}

TEST(Yaml, what_is_none_is_refused_with_its_line) {
  const auto broken = parse_yaml("a: 1\nb: [1,\n", "f.yaml", "RY-T");
  ASSERT_FALSE(broken);
  EXPECT_EQ(broken.error().at(0).code, "RY-T");
  EXPECT_GE(broken.error().at(0).where.line, 2U);
}

TEST(Yaml, aliases_do_not_blow_up) {
  std::string bomb = "a0: &a0 [x,x,x,x,x,x,x,x,x,x]\n";
  for (int i = 1; i < 10; i++) {
    bomb += "a" + std::to_string(i) + ": &a" + std::to_string(i) + " [";
    for (int k = 0; k < 10; k++) bomb += (k > 0 ? ",*a" : "*a") + std::to_string(i - 1);
    bomb += "]\n";
  }
  EXPECT_FALSE(parse_yaml(bomb, "f.yaml", "RY-T"));
}

TEST(Yaml, text_that_the_library_never_gets_past_is_refused) {
  EXPECT_FALSE(parse_yaml(", a", "f.yaml", "RY-T"));
  EXPECT_FALSE(parse_yaml("a: 1\n---\n,\n", "f.yaml", "RY-T"));
  EXPECT_TRUE(parse_yaml("---\n---\na: 1\n", "f.yaml", "RY-T")) << "empty documents are fine";
  EXPECT_TRUE(parse_yaml("", "f.yaml", "RY-T"));
}

}  // namespace
}  // namespace railyard
