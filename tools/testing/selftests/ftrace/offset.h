/* SPDX-License-Identifier: GPL-2.0 */
/*
 * Where the functions of a test program are in its file.
 */
#ifndef OFFSET_H
#define OFFSET_H

#include <stdio.h>

/* The offset in the file of what is at an address, as /proc/self/maps shows; 0 if it does not. */
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
