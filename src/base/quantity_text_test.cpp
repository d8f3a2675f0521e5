#include "base/quantity_text.h"

#include <gtest/gtest.h>

namespace railyard {
namespace {

TEST(QuantityText, reads_as_people_write) {
  EXPECT_EQ(format(400_Gbps), "400 Gb/s");
  EXPECT_EQ(format(Bytes(2621440)), "2.5 MiB");
  EXPECT_EQ(format(Bytes(2'000'000)), "2 MB");
  EXPECT_EQ(format(Picoseconds(13'200'000)), "13.2 µs");
  EXPECT_EQ(format(Picoseconds(86'978'123'456)), "86.98 ms");
  EXPECT_EQ(format(Picoseconds(0)), "0 ps");
  EXPECT_EQ(format(30_m), "30 m");
  EXPECT_EQ(format(36_h), "36 h");
  EXPECT_EQ(format(Milliseconds(400'000)), "400 s");
  EXPECT_EQ(format_exact(Milliseconds(400'000)), "400 s");
  EXPECT_EQ(format_exact(90_min), "1.5 h");
  EXPECT_EQ(format(FlopsPerSecond(989'000'000'000'000)), "989 TFLOP/s");
  EXPECT_EQ(format(FlopsPerSecond(2'500'000'000'000'000)), "2500 TFLOP/s");
  EXPECT_EQ(format(Milliwatts(700'000)), "700 W");
  EXPECT_EQ(format(Dollars(310'000)), "310000 USD");
  EXPECT_EQ(format(1023_B), "1023 B");
  EXPECT_EQ(format(1_KiB), "1 KiB");
  EXPECT_EQ(format(4097_B), "4097 B");
  EXPECT_EQ(format(16_GiB), "16 GiB");
  EXPECT_EQ(format_count(1234567), "1,234,567");
  EXPECT_EQ(format_count(123), "123");
}

TEST(QuantityText, rounds_to_four_digits_and_carries) {
  EXPECT_EQ(format(Picoseconds(9'999'960)), "10 µs");
  EXPECT_EQ(format(Picoseconds(1'234'567)), "1.235 µs");
  EXPECT_EQ(format(Bytes(137'975'824'384)), "128.5 GiB");
}

TEST(QuantityText, parses_every_unit_exactly) {
  EXPECT_EQ(parse_quantity<BitsPerSecond>("400 Gb/s"), 400_Gbps);
  EXPECT_EQ(parse_quantity<BitsPerSecond>("400Gbps"), 400_Gbps);
  EXPECT_EQ(parse_quantity<BitsPerSecond>("3.35 TB/s"), 26'800_Gbps);
  EXPECT_EQ(parse_quantity<Bytes>("2 MB"), Bytes(2'000'000));
  EXPECT_EQ(parse_quantity<Bytes>("2.5 MiB"), Bytes(2'621'440));
  EXPECT_EQ(parse_quantity<Picoseconds>("13.2 us"), Picoseconds(13'200'000));
  EXPECT_EQ(parse_quantity<Picoseconds>("13.2 µs"), Picoseconds(13'200'000));
  EXPECT_EQ(parse_quantity<Picoseconds>("13.2 μs"), Picoseconds(13'200'000));  // Greek mu, as some keyboards have it
  EXPECT_EQ(parse_quantity<Picoseconds>("0"), Picoseconds::zero());
  EXPECT_EQ(parse_quantity<Picoseconds>("1e3 ns"), 1_us);
  EXPECT_EQ(parse_quantity<Millimetres>("0.5 m"), Millimetres(500));
  EXPECT_EQ(parse_quantity<Picoseconds>("0.6 ps"), 1_ps);
  EXPECT_EQ(parse_quantity<Milliseconds>("1.5 d"), 36_h);
  EXPECT_EQ(parse_quantity<Milliseconds>("2 years"), 17532_h);
}

TEST(QuantityText, capitals_that_are_wrong_are_told) {
  const auto problem = [](const char* text) { return parse_quantity<BitsPerSecond>(text).error(); };
  EXPECT_EQ(problem("400g"), "has the unknown unit 'g' (did you mean 'G'?)");
  EXPECT_EQ(problem("400gbe"), "has the unknown unit 'gbe' (did you mean 'GbE'?)");
  EXPECT_EQ(problem("400 gb/s"), "has the unknown unit 'gb/s' (did you mean 'Gb/s' or 'GB/s'?)");
  EXPECT_EQ(parse_quantity<Bytes>("64 mib").error(), "has the unknown unit 'mib' (did you mean 'MiB'?)");
}

TEST(QuantityText, rates_are_read_as_ports_are_sold) {
  for (const char* text : {"400G", "400 G", "0.4T", "400GbE", "400GE", "400 Gbit/s", "400Gb/s"})
    EXPECT_EQ(parse_quantity<BitsPerSecond>(text), 400_Gbps) << text;
  EXPECT_TRUE(leaves_bits_or_bytes_open("900G "));
  EXPECT_FALSE(leaves_bits_or_bytes_open("900 GB/s"));
}

TEST(QuantityText, refuses_what_cannot_be_meant_and_says_why) {
  EXPECT_EQ(parse_quantity<BitsPerSecond>("-1 Gb/s").error(), "is negative");
  EXPECT_EQ(parse_quantity<BitsPerSecond>("").error(), "does not start with a number");
  EXPECT_EQ(parse_quantity<BitsPerSecond>("fast").error(), "does not start with a number");
  EXPECT_NE(parse_quantity<BitsPerSecond>("400").error().find("has no unit (known: Tb/s"), std::string::npos);
  EXPECT_NE(parse_quantity<BitsPerSecond>("400x").error().find("unknown unit 'x' (known: Tb/s"), std::string::npos);
  EXPECT_EQ(parse_quantity<BitsPerSecond>("400 Gb").error(),
            "has the unit 'Gb', which is no rate; write Gb/s for bits or GB/s for bytes");
  EXPECT_NE(parse_quantity<BitsPerSecond>("400GB").error().find("which is no rate"), std::string::npos);
  EXPECT_NE(parse_quantity<Bytes>("4 Gb").error().find("unknown unit 'Gb'"), std::string::npos);
  EXPECT_EQ(parse_quantity<Bytes>("1e300 TB").error(), "is too large");
  EXPECT_EQ(parse_quantity<Bytes>("9999999999999 TB").error(), "is too large");
  EXPECT_EQ(parse_quantity<Bytes>("0.01 B").error(), "is too small to be told from zero");
  EXPECT_EQ(parse_quantity<Bytes>("1e-300 B").error(), "is too small to be told from zero");
  EXPECT_EQ(parse_quantity<Bytes>("123456789012345678901234567890 B").error(), "has more digits than can be kept");
  EXPECT_FALSE(parse_quantity<Bytes>("1..2 B"));
  EXPECT_FALSE(parse_quantity<Bytes>("1e B"));
}

TEST(QuantityText, exact_text_comes_back_as_the_same_quantity) {
  for (const std::int64_t count :
       {0LL, 1LL, 1023LL, 1024LL, 1025LL, 999'999LL, 123'456'789'012'345LL, 9'223'372'036'854'775'807LL}) {
    EXPECT_EQ(parse_quantity<Bytes>(format_exact(Bytes(count))), Bytes(count)) << format_exact(Bytes(count));
    EXPECT_EQ(parse_quantity<Picoseconds>(format_exact(Picoseconds(count))), Picoseconds(count)) << count;
    EXPECT_EQ(parse_quantity<BitsPerSecond>(format_exact(BitsPerSecond(count))), BitsPerSecond(count)) << count;
  }
}

}  // namespace
}  // namespace railyard
