// Answers of the REST interface of Enterprise SONiC (openconfig-qos), as tables of SONiC.
#pragma once

#include "base/document.h"

namespace railyard::sonic {

/// Finds interfaces, queues, maps, WRED profiles and scheduler policies anywhere in the document, so that single answers,
/// whole trees and fixtures of Ansible are read alike. Of what is said twice, the last holds.
Document tables_of_openconfig(const Document& root);

}  // namespace railyard::sonic
