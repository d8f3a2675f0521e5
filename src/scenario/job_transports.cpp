#include "scenario/job_transports.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <string>
#include <string_view>

namespace railyard {

namespace {

// What NICs do by themselves. Everything else is of switches and paths, which all jobs share.
constexpr std::array<std::string_view, 14> kOfNics = {
    "kind",      "mtu",     "header",         "message_header", "control",      "ack_every", "ack_size",
    "ack_class", "retries", "reorder_window", "window",         "first_window", "flow_rate", "retransmit_timeout"};

std::string text_at(const Document& table, std::string_view path) {
  const Document* const value = table.at_path(path);
  return value && value->text() ? *value->text() : std::string();
}

class TransportChecker {
 public:
  TransportChecker(const Document& cluster, const std::vector<Document>& jobs) : cluster_(cluster), jobs_(jobs) {}

  Diagnostics run() {
    bool shared = false;
    const Document* first = nullptr;
    for (const Document& job : jobs_) {
      const Document* const own = job.find("transport");
      shared = shared || (!own && text_at(job, "network") != "front-end");
      if (!own) continue;
      first = first ? first : own;
      check(job, *own);
    }
    if (first && !shared)
      refuse(*first, "every job has a transport of its own, and none that of all", "write [transport], outside of jobs");
    return std::move(found_);
  }

 private:
  void check(const Document& job, const Document& own) {
    if (!own.members()) return;  // told as it is read
    if (text_at(own, "kind") != "tcp")
      refuse(own, "the transport that one job has of its own is TCP",
             "write kind = \"tcp\" in [job.transport], or [transport] for all jobs");
    for (const Document::Member& member : *own.members())
      if (std::find(kOfNics.begin(), kOfNics.end(), member.key) == kOfNics.end())
        refuse(member.value, fmt::format("one job has no transport.{} of its own", member.key),
               "write it in [transport]: switches, paths and queues are the same for all");
    if (const std::string control = text_at(own, "control"); !control.empty() && control != "dctcp" && control != "cubic")
      refuse(*own.find("control"), fmt::format("control = \"{}\" is no TCP that is played beside another transport", control),
             "use \"dctcp\" or \"cubic\"");
    if (text_at(job, "network") == "front-end")
      refuse(own, "the front end has one transport", "write [frontend.transport]");
    else if (text_at(cluster_, "engine.fidelity") != "packet")
      refuse(own, "flows of two transports share links alike", "write fidelity = \"packet\" in [engine], or remove this");
  }

  void refuse(const Document& at, std::string what, std::string hint) {
    found_.push_back({Severity::error, "RY-JOB-014", std::move(what), std::move(hint), at.where()});
  }

  const Document& cluster_;
  const std::vector<Document>& jobs_;
  Diagnostics found_;
};

}  // namespace

Diagnostics refused_transports(const Document& cluster, const std::vector<Document>& jobs) {
  return TransportChecker(cluster, jobs).run();
}

}  // namespace railyard
