#include "serve/gate.h"

#include <gtest/gtest.h>

#include "serve/testing_serve.h"

namespace railyard {
namespace {

WebRequest request_to(const std::string& host, std::map<std::string, std::string> more = {}) {
  more.emplace("host", host);
  return {.method = "GET", .path = "/api/v1/runs", .query = {}, .headers = std::move(more), .body = {}};
}

std::string refused(const WebRequest& request, const Gate& gate = {}) {
  const std::optional<WebAnswer> answer = turn_away(request, gate);
  return answer ? code_of(*answer) : "";
}

TEST(Gate, takes_addresses_and_known_names_and_no_others) {
  for (const char* host : {"127.0.0.1:8421", "localhost", "LOCALHOST:1", "[::1]:8421", "10.1.2.3", "[fe80::1]"})
    EXPECT_EQ(refused(request_to(host)), "") << host;
  for (const char* host :
       {"", "evil.example", "evil.example:8421", "127.0.0.1.evil.example", "localhost.evil", "[::1", "1:2:3", "[]", ":8421"})
    EXPECT_EQ(refused(request_to(host)), "RY-WEB-003") << host;
  EXPECT_EQ(refused(request_to("Lab.Example:80"), {.token = {}, .names = {"lab.example"}}), "");
}

TEST(Gate, turns_away_the_pages_of_other_sites) {
  const std::string host = "127.0.0.1:8421";
  EXPECT_EQ(refused(request_to(host, {{"origin", "http://127.0.0.1:8421"}})), "");
  EXPECT_EQ(refused(request_to(host, {{"sec-fetch-site", "same-origin"}})), "");
  EXPECT_EQ(refused(request_to(host, {{"sec-fetch-site", "none"}})), "");
  for (const char* origin : {"http://evil.example", "null", "http://127.0.0.1:8422", "ftp://127.0.0.1:8421"})
    EXPECT_EQ(refused(request_to(host, {{"origin", origin}})), "RY-WEB-004") << origin;
  EXPECT_EQ(refused(request_to(host, {{"sec-fetch-site", "cross-site"}})), "RY-WEB-004");
}

TEST(Gate, asks_for_the_token_where_there_is_one) {
  const Gate gate{.token = "0123456789abcdef", .names = {}};
  const std::string host = "10.0.0.1";
  EXPECT_EQ(refused(request_to(host), gate), "RY-WEB-005");
  EXPECT_EQ(refused(request_to(host, {{"authorization", "Bearer 0123456789abcdef"}}), gate), "");
  EXPECT_EQ(refused(request_to(host, {{"authorization", "Bearer 0123456789abcdeX"}}), gate), "RY-WEB-005");
  EXPECT_EQ(refused(request_to(host, {{"authorization", "0123456789abcdef"}}), gate), "RY-WEB-005");
  EXPECT_EQ(refused(request_to(host, {{"cookie", "a=b; railyard=0123456789abcdef; c=d"}}), gate), "");
  EXPECT_EQ(refused(request_to(host, {{"cookie", "railyard=0123456789abcde"}}), gate), "RY-WEB-005");
  EXPECT_EQ(refused(request_to(host, {{"cookie", "xrailyard=0123456789abcdef"}}), gate), "RY-WEB-005");
  WebRequest front = request_to(host);
  front.path = "/";
  EXPECT_EQ(refused(front, gate), "") << "the front page asks for it";
}

TEST(Gate, knows_loopback) {
  for (const char* address : {"127.0.0.1", "127.5.0.1", "::1", "localhost"}) EXPECT_TRUE(is_loopback(address)) << address;
  for (const char* address : {"0.0.0.0", "::", "10.0.0.1", "12.7.0.1"}) EXPECT_FALSE(is_loopback(address)) << address;
}

}  // namespace
}  // namespace railyard
