#include "base/divisor.h"

#include <gtest/gtest.h>

#include <initializer_list>

namespace railyard {
namespace {

TEST(Divisor, divides_as_the_processor_does) {
  for (const std::uint32_t number :
       {2U, 3U, 5U, 7U, 255U, 256U, 4096U, 65'537U, 2'147'483'647U, 2'147'483'648U, 4'294'967'295U}) {
    const Divisor divisor(number);
    for (std::uint64_t multiple = 0; multiple <= 0xFFFFFFFF;
         multiple += std::uint64_t{number} * (0xFFFFFFFF / number / 100 + 1))
      for (std::uint64_t dividend = multiple; dividend < multiple + 2; dividend++)
        for (const std::uint64_t near : {dividend - 1, dividend}) {
          const auto each = static_cast<std::uint32_t>(near);  // the first is the largest there is
          EXPECT_EQ(divisor.of(each), each / number) << each << " by " << number;
        }
  }
}

}  // namespace
}  // namespace railyard
