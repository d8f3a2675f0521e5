#include "serve/service.h"

#include <gtest/gtest.h>

#include "base/json.h"
#include "serve/http_server.h"
#include "serve/testing_serve.h"

namespace railyard {
namespace {

constexpr const char* kNobody = "/api/v1/runs/0123456789abcdef0123456789abcdef";

TEST(Service, runs_a_scenario_and_shows_what_came_of_it) {
  ServeBench bench;
  const WebAnswer submitted = bench.submit();
  EXPECT_EQ(submitted.status, 202);
  const std::string run = "/api/v1/runs/" + bench.ended_run();
  EXPECT_EQ(bench.ask("GET", run).status, 200);
  EXPECT_NE(bench.ask("GET", run).body.find("finished"), std::string::npos);
  EXPECT_EQ(bench.ask("GET", run + "/results").file.filename(), "results.json");
  EXPECT_EQ(bench.ask("GET", run + "/page").file.filename(), "page.html");
  EXPECT_EQ(bench.ask("GET", run + "/scenario").file.filename(), "scenario.toml");
  EXPECT_NE(bench.ask("GET", "/api/v1/runs").body.find("\"one\""), std::string::npos);
  EXPECT_EQ(bench.ask("GET", run + "/compare?with=" + bench.ended_run()).status, 200);
  EXPECT_EQ(bench.ask("POST", run + "/cancel").status, 200);
  EXPECT_EQ(bench.ask("DELETE", run).status, 204);
  EXPECT_EQ(bench.ask("GET", run).status, 404);
}

TEST(Service, refuses_in_words) {
  ServeBench bench({.queue = 1, .largest_body = 64});
  const std::map<std::string, std::string> toml{{"content-type", "application/toml"}};
  EXPECT_EQ(code_of(bench.ask("GET", "/nothing")), "RY-WEB-001");
  EXPECT_EQ(code_of(bench.ask("PUT", "/api/v1/runs")), "RY-WEB-002");
  EXPECT_EQ(code_of(bench.ask("POST", "/api/v1/runs", std::string(65, 'a'), toml)), "RY-WEB-006");
  EXPECT_EQ(code_of(bench.ask("POST", "/api/v1/runs", "a = 1")), "RY-WEB-007");
  EXPECT_EQ(code_of(bench.ask("POST", "/api/v1/runs", "", toml)), "RY-WEB-008");
  EXPECT_EQ(code_of(bench.ask("POST", "/api/v1/runs", "\xff", toml)), "RY-WEB-008");
  EXPECT_EQ(code_of(bench.ask("POST", "/api/v1/check", std::string(1, '\0'), toml)), "RY-WEB-008");
  EXPECT_EQ(code_of(bench.ask("GET", kNobody)), "RY-WEB-011");
  EXPECT_EQ(code_of(bench.ask("GET", "/api/v1/presets/text?name=none")), "RY-WEB-015");
  bench.child.holds = true;
  bench.submit();
  while (bench.runs.list().front().state != ServedState::running) std::this_thread::yield();
  const std::string run = "/api/v1/runs/" + bench.runs.list().front().id;
  EXPECT_EQ(code_of(bench.ask("GET", run + "/results")), "RY-WEB-012");
  EXPECT_EQ(bench.submit().status, 202);
  EXPECT_EQ(code_of(bench.submit()), "RY-WEB-010");
}

TEST(Service, says_that_a_disk_is_full) {
  ServeBench bench;
  std::filesystem::remove_all(bench.data->root() / "runs");
  EXPECT_EQ(code_of(bench.submit()), "RY-WEB-014");
}

TEST(Service, bounds_checks_at_a_time) {
  ServeBench bench({.checks = 0, .longest_check = std::chrono::seconds(0)});
  EXPECT_EQ(code_of(bench.ask("POST", "/api/v1/check", "a = 1", {{"content-type", "application/toml"}})), "RY-WEB-013");
}

TEST(Service, knows_no_path_but_those_of_its_table) {
  ServeBench bench;
  bench.submit();
  const std::string id = bench.ended_run();
  for (const std::string& path :
       {std::string("/../data/lock"), std::string("/api/v1/runs/../../lock"), "/api/v1/runs/" + id + "/../" + id,
        "/api/v1/runs/" + id + "/state.json", "/api/v1/runs/" + id + "/files/x", std::string("/api/v1/runs/..%2f"),
        std::string("/api/v1/runs//page"), std::string("/etc/passwd"), std::string("//etc/passwd"), std::string(),
        std::string("/api/v1/runs/\0/page", 18)}) {
    const WebAnswer answer = bench.ask("GET", path);
    EXPECT_EQ(answer.status, 404) << path;
    EXPECT_TRUE(answer.file.empty()) << path;
  }
}

TEST(Service, answers_every_route_as_its_description_says) {
  ServeBench bench;
  bench.submit();
  const std::string id = bench.ended_run();
  const Document described = openapi_document(Service::routes(), "1");
  const Document* const paths = described.find("paths");
  for (const Route& route : Service::routes()) {
    if (route.method == "DELETE") continue;  // the last
    std::string path(route.path);
    if (const std::size_t at = path.find("{id}"); at != std::string::npos) path.replace(at, 4, id);
    for (const std::string_view name : route.asks) path += "?" + std::string(name) + "=" + (name == "with" ? id : "first");
    const WebAnswer answer = bench.ask(std::string(route.method), path, route.takes.empty() ? "" : "a = 1",
                                       {{"content-type", std::string(route.takes)}});
    const Document* const replies = paths->find(route.path)->find(route.method == "GET" ? "get" : "post")->find("responses");
    ASSERT_TRUE(replies->find(std::to_string(answer.status))) << route.path << " " << answer.status;
    EXPECT_LT(answer.status, 300) << route.path;
  }
}

TEST(Service, lets_a_page_of_a_run_do_nothing_but_show_itself) {
  ServeBench bench;
  bench.submit();
  const WebAnswer page = bench.ask("GET", "/api/v1/runs/" + bench.ended_run() + "/page");
  ASSERT_EQ(page.headers.size(), 1U);
  EXPECT_TRUE(page.headers.front().second.starts_with("sandbox allow-scripts"));
  EXPECT_EQ(page.headers.front().second.find("allow-same-origin"), std::string::npos);
}

class Http : public ::testing::Test {
 protected:
  std::string exchange(const std::string& bytes) { return server_.exchange(bytes); }
  ServeBench bench_{{.largest_body = 1000}};
  HttpServer server_{bench_.service, bench_.runs, bench_.limits_};
};

TEST_F(Http, answers_bytes_with_bytes) {
  const std::string answer = exchange("GET /api/v1/status HTTP/1.1\r\nHost: localhost\r\n\r\n");
  EXPECT_TRUE(answer.starts_with("HTTP/1.1 200")) << answer;
  EXPECT_NE(answer.find("X-Content-Type-Options: nosniff"), std::string::npos);
  EXPECT_EQ(answer.find("Access-Control"), std::string::npos);
}

TEST_F(Http, refuses_what_it_cannot_bound) {
  const std::string head = "POST /api/v1/check HTTP/1.1\r\nHost: localhost\r\nContent-Type: application/toml\r\n";
  EXPECT_NE(exchange(head + "Transfer-Encoding: chunked\r\n\r\n5\r\na = 1\r\n0\r\n\r\n").find("RY-WEB-009"), std::string::npos);
  EXPECT_NE(exchange(head + "Content-Encoding: gzip\r\nContent-Length: 5\r\n\r\nabcde").find("RY-WEB-009"), std::string::npos);
  EXPECT_TRUE(exchange(head + "Content-Length: 2000\r\n\r\n" + std::string(2000, 'a')).starts_with("HTTP/1.1 413"));
  EXPECT_NE(exchange("GET /" + std::string(600, 'a') + " HTTP/1.1\r\nHost: localhost\r\n\r\n").find("RY-WEB-006"),
            std::string::npos);
  for (const char* range :
       {"0-1", "99999-100000", "5-1", "-99999", "0-18446744073709551615", "9223372036854775807-", "0-1,2-3,99999-"})
    EXPECT_TRUE(exchange("GET / HTTP/1.1\r\nHost: localhost\r\nRange: bytes=" + std::string(range) + "\r\n\r\n")
                    .starts_with("HTTP/1.1 4"))
        << range;
  EXPECT_TRUE(exchange("rubbish\r\n\r\n").starts_with("HTTP/1.1 400"));
}

TEST_F(Http, decodes_a_path_once_and_leaves_the_folder_alone) {
  for (const char* path :
       {"/%2e%2e/%2e%2e/etc/passwd", "/api/v1/runs/%2e%2e%2flock", "/api/v1/runs/%252e%252e", "/..%5c..%5cetc"})
    EXPECT_TRUE(exchange(std::string("GET ") + path + " HTTP/1.1\r\nHost: localhost\r\n\r\n").starts_with("HTTP/1.1 404"))
        << path;
}

}  // namespace
}  // namespace railyard
