#include "plan/qos_plan.h"

#include <gtest/gtest.h>
