// Students get this file. It declares what they write.
#pragma once

int sum_to(int n);
