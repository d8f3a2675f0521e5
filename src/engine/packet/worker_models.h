// The models of switches and NICs that a worker calls: of each kind that which a network needs.
#pragma once

#include "engine/packet/mixed_nic.h"
#include "engine/packet/nic_model.h"
#include "engine/packet/scheduled_switch.h"
#include "engine/packet/switch_model.h"
#include "engine/packet/window_nic.h"

namespace railyard::packet {

template<class Out>
class SwitchModels {
 public:
  SwitchModels(Net& net, Out& out) : p_(net.p), all_(net, out), choosing_(net, out), usual_(net, out), scheduled_(net, out) {}

  template<class Act>
  void use(const Act& act) {
    if (p_.scheduled)
      act(scheduled_);
    else if (!SwitchModel<Out>::is_usual(p_))
      act(all_);
    else if (SwitchModel<Out>::has_choices(p_))
      act(choosing_);
    else
      act(usual_);
  }

 private:
  const Parameters& p_;
  SwitchModel<Out, false> all_;
  SwitchModel<Out, true, true> choosing_;
  SwitchModel<Out, true> usual_;
  ScheduledSwitch<Out> scheduled_;
};

template<class Out>
class NicModels {
 public:
  NicModels(Net& net, Net& beside, Out& out) : p_(net.p), of_rates(net, out), of_windows_(net, out), mixed_(net, beside, out) {}

  template<class Act>
  void use(const Act& act) {
    if (p_.mixed)
      act(mixed_);
    else if (p_.has_windows())
      act(of_windows_);
    else
      act(of_rates);
  }

 private:
  const Parameters& p_;

 public:
  NicModel<Out> of_rates;

 private:
  WindowNic<Out> of_windows_;
  MixedNic<Out> mixed_;
};

}  // namespace railyard::packet
