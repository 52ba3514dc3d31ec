/* SPDX-License-Identifier: GPL-2.0 */
/*
 * Positions of the functions of a test program in its file.
 */
#ifndef OFFSET_H
#define OFFSET_H

#include <stdio.h>

/* Returns the offset in its file of an address, from /proc/self/maps; 0 if it is not mapped. */
static inline unsigned long offset_of(const void *address)
{
	unsigned long begin, end, offset, found = 0, at = (unsigned long)address;
	FILE *maps = fopen("/proc/self/maps", "r");
	char line[512];

	while (maps && !found && fgets(line, sizeof(line), maps)) {
		if (sscanf(line, "%lx-%lx %*s %lx", &begin, &end, &offset) == 3 &&
		    at >= begin && at < end)
			found = offset + at - begin;
	}
	if (maps)
		fclose(maps);
	return found;
}

#endif /* OFFSET_H */
