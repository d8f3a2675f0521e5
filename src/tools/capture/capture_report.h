// What a capture says, for people and for programs; and as traffic that can be played again.
#pragma once

#include <string>

#include "base/document.h"
#include "capture/capture_summary.h"
#include "report/report.h"
#include "report/report_page.h"

namespace railyard {

/// The name of the capture, as the user gave it, and what was found in it.
struct CaptureReading {
  std::string name;
  CaptureSummary summary;
};

Report capture_report(const CaptureReading& reading);

/// Bars of its page: how high bursts are, and what frames are.
std::vector<PageBars> capture_bars(const CaptureReading& reading);

/// docs/results.md, a capture.
Document capture_document(const CaptureReading& reading);

/// The messages of a capture as comma-separated values that traffic.file takes (docs/scenario.md, traffic): hosts are
/// numbered by their addresses, times count from the first frame. What a host sends to itself is left out.
std::string capture_traffic(const CaptureSummary& summary);

/// The elephants and mice of a run (docs/results.md, traffic): larger and smaller than so many bytes.
inline constexpr std::uint64_t kElephantBytes = 100'000'000, kMouseBytes = 100'000;

}  // namespace railyard
