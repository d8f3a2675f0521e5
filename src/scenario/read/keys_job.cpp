#include "scenario/read/keys_parts.h"

namespace railyard {

Section job_section() {
  using J = JobPlan;
  Section job = section(
      "job",
      "one of several jobs on one fabric, each with a [job.model], [job.collective] or [job.traffic] of its own and what "
      "belongs to that, such as [job.serving], and perhaps TCP instead of the transport of all, [job.transport]; what is said "
      "outside of jobs holds for all",
      {kFlowStep | kPacketStep | kFlowServing | kFlowCollective | kPacketCollective | kFlowTraffic | kPacketTraffic},
      [](ScenarioSpec& s) -> J& { return present(s.job); },
      {key("name", &J::name, "what it is called; its number if not given"),
       key("gpus", &J::gpus, "GPUs that it has; servers are given whole", kRanks),
       key("servers", &J::servers, "which servers: \"0-3,8\"; free ones, as its placement deals them, if not given"),
       key("of", &J::of, "another job, whose GPUs are the hosts of this one's [job.traffic]; its own are servers of storage"),
       key("network", &J::network,
           "what its messages take: the fabric of all, or the second network that [frontend] describes"),
       key("start", &J::start, "when it begins", Limits<Picoseconds>{.max = kPeriod.max}),
       key("turns", &J::turns,
           "steps, or times of its collective or traffic, that count; it goes on until all jobs have had theirs",
           {.min = 1, .max = 10'000}),
       key("every", &J::every, "from the start of a turn to that of the next, at least",
           Limits<Picoseconds>{.max = Picoseconds(3600 * kPicosecondsPerSecond)}),
       key("priority", &J::priority,
           "of its traffic: lower numbers are served strictly first; packet by packet, above 0 is the class of background",
           {.max = 7}),
       only(KeyEffect{kPacketCollective | kPacketTraffic},
            key("class", &J::traffic_class,
                "of its packets, and with that their queue: that of data, or that of background, as transport.classes and "
                "[qos] have them; if not given, background for a transport of its own or a priority above 0"))});
  job.is_list = true;
  return job;
}

}  // namespace railyard
