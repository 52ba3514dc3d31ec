// SPDX-License-Identifier: GPL-2.0
/* Prints the frequency of this machine's time stamp counter in kHz. */
#include <stdio.h>
#include <time.h>

static double ns(void)
{
	struct timespec t;

	clock_gettime(CLOCK_MONOTONIC_RAW, &t);
	return t.tv_sec * 1e9 + t.tv_nsec;
}

int main(void)
{
	struct timespec nap = { .tv_nsec = 200000000 };
	double from = ns();
	unsigned long long ticks = __builtin_ia32_rdtsc();

	nanosleep(&nap, NULL);
	ticks = __builtin_ia32_rdtsc() - ticks;
	printf("%.0f\n", ticks * 1e6 / (ns() - from));
	return 0;
}
