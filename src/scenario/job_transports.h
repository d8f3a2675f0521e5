// Jobs whose packets are of another transport than those of all others, [job.transport].
#pragma once

#include <vector>

#include "base/diagnostic.h"
#include "base/document.h"

namespace railyard {

/// What is wrong with them (RY-JOB-014), by the tables of a file: a transport that is not TCP, keys that hold for all, a run
/// without packets, a job on the front end, or nobody who has the transport of all.
Diagnostics refused_transports(const Document& cluster, const std::vector<Document>& jobs);

}  // namespace railyard
