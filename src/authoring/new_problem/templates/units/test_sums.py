import unittest

import sums  # the student's file, whatever its name


class TestSums(unittest.TestCase):
    def test_seven(self):
        self.assertEqual(sums.sum_to(7), 28)

    # points: 2
    def test_largest(self):
        self.assertEqual(sums.sum_to(1000), 500500)
