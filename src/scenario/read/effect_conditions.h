// Conditions under which keys have an effect, by name, for the table of keys.
#pragma once

#include "scenario/read/key_effect.h"

namespace railyard::conditions {

// Of the model and how it is trained and spread.
extern const EffectCondition kExperts, kSpreadExperts, kSharedExperts, kLimitedRouting, kLatentAttention, kPlainAttention,
    kDenseLayers, kEncoder, kWindow, kScaledRotary, kRotaryApart, kFusedAttention, kLayersApart, kFullPrecision;
extern const EffectCondition kFp8, kFormatOfAttention, kFullRecompute, kDenseBlocks, kTensor, kTensorAlone, kContext, kStages,
    kReplicas, kSharded;

// Of machines and fabric.
extern const EffectCondition kScaleUp, kSplitLinks, kChangingCircuits, kFrames, kNamedGpu, kNoP2p, kNicShares, kFailing;

// Of the way through it.
extern const EffectCondition kChoice, kHashed, kHashedWays, kConfigured, kPairs, kPairWays, kManyWays, kWeighedHops, kQuantised;

// Of queues and senders; asked of packets.
extern const EffectCondition kMarks, kReadsMarks, kPauses, kDynamicThreshold, kXonOffset, kComputedHeadroom, kCells, kWatchdog;
extern const EffectCondition kOwnControl, kDcqcn, kCnpPackets, kRateLimit, kNoWindow, kRepeats, kQueueEnds, kTrims, kSlowHosts;
extern const EffectCondition kSharedPort, kBackground, kBackgroundTraffic, kStorage, kControlPackets, kSprays, kCalibrates,
    kWholeStep;

}  // namespace railyard::conditions
