#include "scenario/read/scenario_document.h"

#include <gtest/gtest.h>

#include "base/json.h"
#include "base/toml.h"

namespace railyard {
namespace {

TEST(Override, is_what_a_file_says_and_text_where_no_file_can_say_it) {
  for (const std::string text : {"16",
                                 "0",
                                 "08",
                                 "00",
                                 "1.5",
                                 "1e3",
                                 "1_000",
                                 "-3",
                                 "+3",
                                 "true",
                                 "false",
                                 "truest",
                                 "inf",
                                 "infinite",
                                 "nan",
                                 "roce",
                                 "e-ecmp",
                                 "Tomahawk-5",
                                 "400 Gb/s",
                                 "8 MiB",
                                 "1.5 us",
                                 "1 # one",
                                 "2 \n",
                                 "[1, 7]",
                                 "{a = 1}",
                                 "\"x\"",
                                 "'y'",
                                 "1979-05-27",
                                 "1979-05-27 07:32:00",
                                 "07:32:00",
                                 "0x10",
                                 "12ab",
                                 "1 2",
                                 "5.",
                                 ".5",
                                 "7:1",
                                 "a b",
                                 "12345678901234567"}) {
    Diagnostics renamed;
    const Result<Document> set = overridden(Document(Document::Object{}), "some.key=" + text, renamed);
    ASSERT_TRUE(set) << text;
    const Result<Document> file = parse_toml("value = " + text, "file", "RY-SCN-002");
    const bool is_toml = file && file->members()->size() == 1;
    const Document expected = is_toml ? *file->find("value") : Document(text);
    EXPECT_EQ(write_json(*set->at_path("some.key")), write_json(expected)) << text;
  }
}

}  // namespace
}  // namespace railyard
