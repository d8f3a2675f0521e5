// The one rule by which numbers become verdicts, and how numbers are written.
#pragma once

#include <optional>
#include <string>

#include "tools/claims/claim.h"

namespace railyard {

/// Reproduced: inside the claimed range, or closer to it than this share of its nearest end.
inline constexpr double kReproducedWithin = 0.05;
/// Plausible: closer than this, or than what the claim says instead.
inline constexpr double kPlausibleWithin = 0.20;
/// Plausible too: one value that the document itself puts as "about" or "up to", met within this factor; and anything below an
/// "up to", which it does not rule out.
inline constexpr double kHedgedFactor = 2;
/// What `found` makes of a claim. A primary source that refutes it decides alone; without a test nothing can. With `otherwise`,
/// what is found where the claim's condition is not met: conditional if the claim holds with the condition alone, else the
/// worse of both. REQUIRES: a claim that can be tested has a low or a high end, and a value was found.
Verdict judge(const Claim& claim, std::optional<double> found, std::optional<double> otherwise = {});

/// A value as it is recorded: six significant digits.
std::string recorded_figure(double value);

/// True if a value is another than the recorded one in the digits that are recorded: runs are exact, so nothing else moves it
/// than a change of the program.
bool has_moved(double found, double recorded);

/// "41.4", "24,576", "2.15e25": three significant digits, or all of a whole number.
std::string figure(double value, const std::string& unit = {});

/// A figure with its unit: "41.4 %"; "yes" or "no" for a claim that is one of both; "< 0.01 %" for next to
/// nothing.
std::string found_text(const Claim& claim, double found);

/// What was found, in words: "41.4 %", "1.2, else 0.9 ×" of a claim with a condition, "–" without a test.
std::string finding_text(const Claim& claim, const Finding& finding);

/// The claim, and the condition if it holds under that alone.
std::string claim_text(const Claim& claim, const Finding& finding);

/// "45-50 %", "~200 Gb/s", "up to 5 ×", "> 3 Tb/s", "< 5 µs", "yes".
std::string claimed_text(const Claim& claim);

/// The claim's evidence with its numbers in place.
std::string why_text(const Claim& claim, const Finding& finding);

}  // namespace railyard
