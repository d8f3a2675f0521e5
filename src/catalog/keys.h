// The key tables of the catalog's files (private to this module, but for model_keys).
#pragma once

#include <span>

#include "base/schema.h"
#include "catalog/facts.h"

namespace railyard {

template<class Fact>
std::span<const Key<Fact>> fact_keys();

template<>
std::span<const Key<GpuFact>> fact_keys();
template<>
std::span<const Key<StepFact>> fact_keys();
template<>
std::span<const Key<LibraryFact>> fact_keys();
template<>
std::span<const Key<ExchangeFact>> fact_keys();
template<>
std::span<const Key<NicFact>> fact_keys();
template<>
std::span<const Key<SwitchFact>> fact_keys();
template<>
std::span<const Key<OpticFact>> fact_keys();
template<>
std::span<const Key<TransportFact>> fact_keys();
template<>
std::span<const Key<PriceFact>> fact_keys();
template<>
std::span<const Key<ServerFact>> fact_keys();
template<>
std::span<const Key<ModelFact>> fact_keys();
template<>
std::span<const Key<FailureFact>> fact_keys();

/// The keys of a model's dimensions, shared with the [model] section of scenarios.
std::span<const Key<ModelFact>> model_keys();

/// The keys of failure rates, shared with the [reliability] section of scenarios.
std::span<const Key<FailureFact>> failure_keys();

}  // namespace railyard
