#include "base/schema.h"

#include <gtest/gtest.h>

#include "base/toml.h"

namespace railyard {

enum class Colour : std::uint8_t { red, green };
template<>
struct ChoiceNames<Colour> {
  static constexpr std::string_view names[] = {"red", "green"};
};

namespace {

struct Spec {
  std::uint32_t count = 3;
  std::optional<double> share;
  Colour colour = Colour::green;
  std::vector<Bytes> sizes;
  std::vector<Ratio> ratios;
  BitsPerSecond rate = 100_Gbps;
  bool flag = false;
  std::string name;
};

const std::vector<Key<Spec>> kKeys = {
    key("count", &Spec::count, "how many", {.min = 1, .max = 10}),
    key("share", &Spec::share, "a share", {.min = 0.0, .max = 1.0}),
    key("colour", &Spec::colour, "a colour"),
    key("sizes", &Spec::sizes, "sizes", {.min = 1_B}),
    key("rate", &Spec::rate, "a rate"),
    key("flag", &Spec::flag, "a flag"),
    key("name", &Spec::name, "a name", {.required = true}),
    key("ratios", &Spec::ratios, "ratios", {.min = Ratio{1}, .max = Ratio{100}}),
};

constexpr SchemaCodes kCodes{"RY-TST-010", "RY-TST-011", "RY-TST-012", "RY-TST-013", "RY-TST-014", "RY-TST-015"};

std::vector<std::string> codes_for(std::string_view text, Spec& spec) {
  const Result<Document> table = parse_toml(text, "t.toml", "RY-TST-001");
  Complaints complaints(kCodes);
  read_table<Spec>(*table, kKeys, {}, spec, complaints);
  std::vector<std::string> codes;
  for (const Diagnostic& d : complaints.found()) codes.push_back(d.code);
  return codes;
}

TEST(Schema, reads_every_kind_of_value) {
  Spec spec;
  EXPECT_TRUE(
      codes_for(
          "count = 7\nshare = 1\ncolour = \"red\"\nsizes = [\"1 KiB\", 5]\nrate = \"1 Tb/s\"\nflag = true\nname = \"n\"\n",
          spec)
          .empty());
  EXPECT_EQ(spec.count, 7U);
  EXPECT_EQ(spec.share, 1.0);
  EXPECT_EQ(spec.colour, Colour::red);
  EXPECT_EQ(spec.sizes, (std::vector<Bytes>{1_KiB, 5_B}));
  EXPECT_EQ(spec.rate, 1000_Gbps);
  EXPECT_TRUE(spec.flag);
}

TEST(Schema, one_value_is_a_list_of_one) {
  Spec spec;
  EXPECT_TRUE(codes_for("sizes = \"1 KiB\"\nname = \"n\"\n", spec).empty());
  EXPECT_EQ(spec.sizes.size(), 1U);
}

TEST(Schema, every_mistake_is_reported_and_leaves_the_default) {
  Spec spec;
  const auto codes = codes_for("count = 11\nshare = \"half\"\ncolour = \"blue\"\nrate = 100\nflag = 1\nnmae = \"n\"\n", spec);
  EXPECT_EQ(codes.size(), 7U);
  EXPECT_EQ(spec.count, 3U);
  EXPECT_EQ(spec.share, std::nullopt);
  EXPECT_EQ(spec.rate, 100_Gbps);
}

TEST(Schema, a_wrong_choice_is_told_the_nearest_right_one) {
  const Result<Document> table = parse_toml("colour = \"gren\"\nname = \"n\"\n", "t.toml", "RY-TST-001");
  Complaints complaints(kCodes);
  Spec spec;
  read_table<Spec>(*table, kKeys, {}, spec, complaints);
  ASSERT_EQ(complaints.found().size(), 1U);
  EXPECT_EQ(to_text(complaints.found()[0]),
            "t.toml:1:10: error RY-TST-014: colour = \"gren\" is not one of the choices; did you mean \"green\"? The choices "
            "are red, green");
}

TEST(Schema, documents_itself) {
  EXPECT_EQ(kKeys[0].info.type, "integer");
  EXPECT_EQ(kKeys[0].info.fallback, "3");
  EXPECT_EQ(kKeys[2].info.type, "red | green");
  EXPECT_EQ(kKeys[2].info.fallback, "\"green\"");
  EXPECT_EQ(kKeys[3].info.type, "list of size");
  EXPECT_EQ(kKeys[7].info.type, "list of ratio");
  EXPECT_EQ(kKeys[4].info.fallback, "\"100 Gb/s\"");
  EXPECT_TRUE(kKeys[6].info.required);
}

TEST(Schema, negative_and_huge_integers_are_out_of_range) {
  Spec spec;
  EXPECT_EQ(codes_for("count = -1\nname = \"n\"\n", spec), std::vector<std::string>{"RY-TST-013"});
  EXPECT_EQ(codes_for("count = 99999999999\nname = \"n\"\n", spec), std::vector<std::string>{"RY-TST-013"});
  EXPECT_EQ(codes_for("share = nan\nname = \"n\"\n", spec), std::vector<std::string>{"RY-TST-013"});
  EXPECT_EQ(codes_for("name = \"\"\n", spec), std::vector<std::string>{"RY-TST-013"});
}

TEST(Schema, reads_a_ratio_as_a_number_or_with_a_colon) {
  Spec spec;
  EXPECT_TRUE(codes_for("name = \"n\"\nratios = [2, \"2:1\", \"7 : 4\", \"1.5:1\", 1.25]\n", spec).empty());
  EXPECT_EQ(spec.ratios, (std::vector<Ratio>{{2}, {2}, {1.75}, {1.5}, {1.25}}));
  EXPECT_TRUE(codes_for("name = \"n\"\nratios = \"3:1\"\n", spec).empty());
  EXPECT_EQ(spec.ratios, std::vector<Ratio>{{3}});
}

TEST(Schema, shows_how_a_quantity_is_written) {
  const Result<Document> table = parse_toml("name = \"n\"\nrate = 400\n", "t.toml", "RY-TST-001");
  Complaints complaints(kCodes);
  Spec spec;
  read_table<Spec>(*table, kKeys, {}, spec, complaints);
  ASSERT_EQ(complaints.found().size(), 1U);
  EXPECT_EQ(complaints.found().front().hint, "write a rate as text with its unit, as in \"400 Gb/s\"");
}

TEST(Schema, refuses_what_is_no_ratio) {
  Spec spec;
  for (const char* text :
       {"\"2\"", "\"2:\"", "\":1\"", "\"2:0\"", "\"2:1:1\"", "\"a:b\"", "\"-2:-1\"", "\"inf:1\"", "\"2/1\"", "\"0x2:1\""})
    EXPECT_EQ(codes_for(fmt::format("name = \"n\"\nratios = {}\n", text), spec), std::vector<std::string>{"RY-TST-012"})
        << text;
  EXPECT_EQ(codes_for("name = \"n\"\nratios = true\n", spec), std::vector<std::string>{"RY-TST-011"});
  for (const char* text : {"\"1:2\"", "\"1000:1\"", "0.5", "\"0:1\""})
    EXPECT_EQ(codes_for(fmt::format("name = \"n\"\nratios = {}\n", text), spec), std::vector<std::string>{"RY-TST-013"})
        << text;
}

}  // namespace
}  // namespace railyard
