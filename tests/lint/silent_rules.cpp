#include "lint/mistakes.h"

namespace railyard {

namespace {

constexpr std::string_view kComesWithPfc = "a lossless buffer comes with PFC";
constexpr std::string_view kNamesPriorities = "PFC is turned on by naming priorities";
constexpr std::string_view kQueueOfClass = "a pause stops the queue of its class";
constexpr std::string_view kOwnBuffers = "the device sets its buffers and PFC thresholds by itself";
constexpr std::string_view kNoSize = "the size of the buffer is not in the configuration";
constexpr std::string_view kNoShares = "the buffer is not cut into shares";
constexpr std::string_view kWholePolls = "the watchdog counts whole polls of 100 ms or more";
constexpr std::string_view kWatchesAll = "the watchdog looks after every lossless queue";
constexpr std::string_view kAsConfigured = "PFC is as it is configured";
constexpr std::string_view kFixedQueue = "a class has the queue of its number";
constexpr std::string_view kNoCable = "lengths of cables are not in the configuration";
constexpr std::string_view kNoWatchdog = "no statement for a watchdog is known";
constexpr std::string_view kNoDcbx = "the tool says nothing of DCBX";

}  // namespace

const std::vector<SilentRules>& silent_rules() {
  static const std::vector<SilentRules> all = {
      {"sonic", kNamesPriorities, {"006"}},
      {"sonic", "pause of the whole link cannot be set", {"008"}},
      {"sonic", kNoShares, {"025", "026"}},
      {"sonic", "weights are relative, not per cent", {"051"}},
      {"sonic", kAsConfigured, {"080"}},

      {"nvue", "a missing lossless pool is RY-LNT-026", {"004"}},
      {"nvue", kComesWithPfc, {"005"}},
      {"nvue", kNamesPriorities, {"006"}},
      {"nvue", kQueueOfClass, {"007"}},
      {"nvue", kNoSize, {"019", "027", "028"}},
      {"nvue", "xon is how far below xoff a pause ends", {"022"}},
      {"nvue", kOwnBuffers, {"023", "024"}},
      {"nvue", "the watchdog always drops", {"061"}},
      {"nvue", kWholePolls, {"062", "063"}},
      {"nvue", kWatchesAll, {"065"}},
      {"nvue", kAsConfigured, {"080"}},

      {"eos", kComesWithPfc, {"004", "005"}},
      {"eos", kQueueOfClass, {"007"}},
      {"eos", kOwnBuffers, {"015", "016", "020", "021", "022", "023", "024", "191"}},
      {"eos", kNoSize, {"019", "027", "028"}},
      {"eos", kNoShares, {"025", "026"}},
      {"eos", "queues above a strict one are strict, too", {"053"}},
      {"eos", kWatchesAll, {"065"}},
      {"eos", kAsConfigured, {"080"}},
      {"eos", kNoCable, {"173"}},

      {"nxos", kComesWithPfc, {"004", "005"}},
      {"nxos", kQueueOfClass, {"007"}},
      {"nxos", kNoSize, {"019", "027", "028"}},
      {"nxos", "PFC thresholds are bytes, not shares of what is free", {"023"}},
      {"nxos", kNoShares, {"025", "026"}},
      {"nxos", kFixedQueue, {"034", "035"}},
      {"nxos", kWholePolls, {"062", "063"}},
      {"nxos", kWatchesAll, {"065"}},
      {"nxos", kNoCable, {"173"}},

      {"junos", "PFC goes by code points: there is none without a mark", {"001"}},
      {"junos", kComesWithPfc, {"004"}},
      {"junos", "thresholds are per cent of what a queue may take", {"015", "016", "017", "018", "019", "024"}},
      {"junos", kOwnBuffers, {"020", "021", "022", "023", "191"}},
      {"junos", kNoSize, {"027", "028"}},
      {"junos", kFixedQueue, {"034", "035"}},
      {"junos", "without a classifier the default one of the device holds", {"041"}},
      {"junos", kWatchesAll, {"065"}},
      {"junos", kAsConfigured, {"080"}},

      {"os10", kComesWithPfc, {"004", "005"}},
      {"os10", kQueueOfClass, {"007"}},
      {"os10", "PFC thresholds are bytes, not shares of what is free", {"023"}},
      {"os10", kNoShares, {"025", "026"}},
      {"os10", kNoWatchdog, {"060", "061", "062", "063", "064", "065", "192"}},
      {"os10", kAsConfigured, {"080"}},
      {"os10", kNoCable, {"173"}},

      {"aos-cx", kComesWithPfc, {"004", "005"}},
      {"aos-cx", kNamesPriorities, {"006"}},
      {"aos-cx", kQueueOfClass, {"007"}},
      {"aos-cx", "ECN has no probability of its own", {"013", "014"}},
      {"aos-cx", "statements for PFC thresholds are not read", {"015", "016", "020", "021", "022", "023", "024", "191"}},
      {"aos-cx", kNoSize, {"019", "027", "028"}},
      {"aos-cx", "only lossless pools are said", {"025"}},
      {"aos-cx", "weights are relative, not per cent", {"051"}},
      {"aos-cx", kNoWatchdog, {"060", "061", "062", "063", "064", "065", "192"}},
      {"aos-cx", kAsConfigured, {"080"}},
      {"aos-cx", "its load balancing is not read", {"160", "161", "162"}},

      {"niccli", kNoDcbx, {"081", "082"}},
      {"niccli", "a NIC has a table of DSCPs and no choice of trust", {"090"}},
      {"nicctl", kNoDcbx, {"081", "082"}},
      {"dcb", "congestion control is not a matter of dcb", {"093", "094", "095", "099"}},
  };
  return all;
}

}  // namespace railyard
