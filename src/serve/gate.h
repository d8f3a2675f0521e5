// Who may ask a server.
#pragma once

#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "serve/web_message.h"

namespace railyard {

struct Gate {
  std::string token;               // what /api asks for; empty: nothing
  std::vector<std::string> names;  // under which the server is known, beside addresses and localhost
};

/// "127.0.0.1", "::1" or "localhost", wherever those lead.
[[nodiscard]] bool is_loopback(std::string_view address);

/// "localhost", "10.0.0.7" or "::1" of "localhost:8421", "10.0.0.7" or "[::1]:8421". Empty where it is no such thing.
std::string host_name_of(std::string_view header);

/// Why a request is not answered, if so: its Host is a name that anybody could point at this machine (RY-WEB-003), another
/// site's page sent it (RY-WEB-004), or it lacks the token (RY-WEB-005).
std::optional<WebAnswer> turn_away(const WebRequest& request, const Gate& gate);

/// What a browser is to remember for a request that brought the token.
std::string session_cookie(const Gate& gate);

}  // namespace railyard
