#include <gtest/gtest.h>

#include "sums.h" // declares the student's functions

TEST(Sums, Seven) { EXPECT_EQ(sum_to(7), 28); }

// points: 2
TEST(Sums, Largest) { EXPECT_EQ(sum_to(1000), 500500); }
