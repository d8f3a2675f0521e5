// What commands of SONiC print about its configuration, and pg_profile_lookup.ini.
#pragma once

#include "config/read/read.h"

namespace railyard::sonic {

/// `pfcwd show config`. What stands before and behind the table is passed over.
bool is_watchdog_text(const ConfigText& text);
Diagnostics read_watchdog_text(const ConfigText& text, Estate& estate);

/// `ecnconfig -l`. It does not say which queues a profile belongs to: it is given to those that mark already, else to queues 3
/// and 4, which SONiC's own template (qos_config.j2) binds it to. Further profiles are unread.
bool is_ecn_text(const ConfigText& text);
Diagnostics read_ecn_text(const ConfigText& text, Estate& estate);

/// pg_profile_lookup.ini: headroom by speed and cable.
bool is_profile_lookup(const ConfigText& text);
Diagnostics read_profile_lookup(const ConfigText& text, Estate& estate);

/// `show lldp table`.
bool is_lldp_text(const ConfigText& text);
Diagnostics read_lldp_text(const ConfigText& text, Estate& estate);

}  // namespace railyard::sonic
