// The readers of each format, for read.cpp alone.
#pragma once

#include <vector>

#include "measured/read.h"

namespace railyard {

std::vector<MeasuredReader> nccl_tests_readers();
std::vector<MeasuredReader> nccl_log_readers();
std::vector<MeasuredReader> nccl_inspector_readers();
std::vector<MeasuredReader> perftest_readers();
std::vector<MeasuredReader> host_counter_readers();
std::vector<MeasuredReader> switch_counter_readers();
std::vector<MeasuredReader> prometheus_readers();
std::vector<MeasuredReader> training_log_readers();
std::vector<MeasuredReader> kineto_readers();

}  // namespace railyard
