#include "serve/gate.h"

#include <arpa/inet.h>

#include <algorithm>
#include <cctype>

namespace railyard {

namespace {

constexpr std::string_view kCookie = "railyard=";

std::string in_small_letters(std::string_view text) {
  std::string out(text);
  std::transform(out.begin(), out.end(), out.begin(), [](unsigned char c) { return static_cast<char>(std::tolower(c)); });
  return out;
}

bool is_address(const std::string& name) {
  in6_addr storage;
  return inet_pton(AF_INET, name.c_str(), &storage) == 1 || inet_pton(AF_INET6, name.c_str(), &storage) == 1;
}

bool is_known(const std::string& name, const Gate& gate) {
  if (name.empty()) return false;
  if (name == "localhost" || is_address(name)) return true;
  return std::any_of(gate.names.begin(), gate.names.end(),
                     [&](const std::string& own) { return in_small_letters(own) == name; });
}

/// Takes as long for a wrong one as for the right one.
bool is_same_secret(std::string_view given, std::string_view wanted) {
  if (given.size() != wanted.size()) return false;
  unsigned difference = 0;
  for (std::size_t i = 0; i < wanted.size(); i++)
    difference |= static_cast<unsigned>(static_cast<unsigned char>(given[i]) ^ static_cast<unsigned char>(wanted[i]));
  return difference == 0;
}

/// Of "a=1; railyard=x": x.
std::string_view cookie_in(std::string_view header) {
  while (!header.empty()) {
    const std::size_t first = header.find_first_not_of(' ');
    if (first == std::string_view::npos) break;
    header.remove_prefix(first);
    const std::string_view one = header.substr(0, header.find(';'));
    header.remove_prefix(std::min(header.size(), one.size() + 1));
    if (one.starts_with(kCookie)) return one.substr(kCookie.size());
  }
  return {};
}

bool has_token(const WebRequest& request, const Gate& gate) {
  constexpr std::string_view kBearer = "Bearer ";
  const std::string authorization = request.header("authorization"), cookies = request.header("cookie");
  if (authorization.starts_with(kBearer))
    return is_same_secret(std::string_view(authorization).substr(kBearer.size()), gate.token);
  return is_same_secret(cookie_in(cookies), gate.token);
}

/// "http://host:8421" is the server that was asked under "host:8421", and so is https behind a proxy.
bool is_own_origin(std::string_view origin, std::string_view host) {
  for (const std::string_view scheme : {"http://", "https://"})
    if (origin.starts_with(scheme) && in_small_letters(origin.substr(scheme.size())) == in_small_letters(host)) return true;
  return false;
}

bool is_from_elsewhere(const WebRequest& request) {
  const std::string origin = request.header("origin"), site = request.header("sec-fetch-site");
  if (!origin.empty() && !is_own_origin(origin, request.header("host"))) return true;
  const bool is_api = request.path.starts_with("/api/");
  return is_api && !site.empty() && site != "same-origin" && site != "none";
}

}  // namespace

bool is_loopback(std::string_view address) { return address == "localhost" || address == "::1" || address.starts_with("127."); }

std::string host_name_of(std::string_view header) {
  if (header.starts_with('[')) {
    const std::size_t close = header.find(']');
    return close == std::string_view::npos ? std::string() : in_small_letters(header.substr(1, close - 1));
  }
  if (std::count(header.begin(), header.end(), ':') > 1) return {};
  return in_small_letters(header.substr(0, header.find(':')));
}

std::optional<WebAnswer> turn_away(const WebRequest& request, const Gate& gate) {
  if (!is_known(host_name_of(request.header("host")), gate))
    return refusal(403, "RY-WEB-003", "this server is not known under the name in Host",
                   "ask by its address, or start it with --name NAME");
  if (is_from_elsewhere(request))
    return refusal(403, "RY-WEB-004", "the page of another site sent this",
                   "ask from the server's own page, or without a browser");
  if (!gate.token.empty() && request.path.starts_with("/api/") && !has_token(request, gate)) {
    WebAnswer answer = refusal(401, "RY-WEB-005", "the token is missing or wrong", "send Authorization: Bearer TOKEN");
    answer.headers.emplace_back("WWW-Authenticate", "Bearer");
    return answer;
  }
  return std::nullopt;
}

std::string session_cookie(const Gate& gate) {
  return std::string(kCookie) + gate.token + "; Path=/; HttpOnly; SameSite=Strict";
}

}  // namespace railyard
