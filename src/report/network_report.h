// What a training step did to its network, as text and as JSON.
#pragma once

#include "analysis/results.h"
#include "base/document.h"
#include "report/report.h"

namespace railyard {

/// How closely the engine looked, and by how much that may be off.
std::string mode_sentence(const NetworkResults& network, double step_time_s);

/// Sections of a step's report.
std::vector<Report::Section> network_sections(const NetworkResults& network);

Document network_document(const NetworkResults& network);

/// Shared with collectives by themselves.
TextTable tiers_table(const std::vector<TierLoad>& tiers);
Report::Section members_section(const std::vector<MemberLoads>& members);
Document tier_document(const TierLoad& load);
Document members_document(const MemberLoads& members);
Document rails_document(const std::vector<RailLoad>& rails);

}  // namespace railyard
