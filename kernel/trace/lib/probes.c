// SPDX-License-Identifier: GPL-2.0
/* Tables of probes on several tracepoints. */
#include "lib/probes.h"

static void probes_unregister_first(const struct trace_probe *probes, unsigned int nr,
				    unsigned int kinds, void *data)
{
	while (nr--) {
		if (probes[nr].kinds & kinds)
			tracepoint_probe_unregister(probes[nr].tp, probes[nr].func, data);
	}
}

/**
 * trace_probes_register - register the probes of a table, in its order
 * @probes: the table
 * @kinds: rows without any of these bits are skipped
 * @data: data pointer for each probe
 *
 * May sleep.
 *
 * Return: 0, or the error of tracepoint_probe_register(). After an error no probe is registered,
 * though some may have been called and may still be running.
 */
int trace_probes_register(const struct trace_probe *probes, unsigned int kinds, void *data)
{
	unsigned int i;

	for (i = 0; probes[i].tp; i++) {
		int ret;

		if (!(probes[i].kinds & kinds))
			continue;

		ret = tracepoint_probe_register(probes[i].tp, probes[i].func, data);
		if (ret) {
			probes_unregister_first(probes, i, kinds, data);
			return ret;
		}
	}

	return 0;
}

/**
 * trace_probes_unregister - unregister the probes of a table, the last one first
 * @probes: the table
 * @kinds: the same as for trace_probes_register()
 * @data: the same as for trace_probes_register()
 *
 * May sleep. Probes may still be running when it returns; see
 * tracepoint_synchronize_unregister().
 */
void trace_probes_unregister(const struct trace_probe *probes, unsigned int kinds, void *data)
{
	unsigned int nr = 0;

	while (probes[nr].tp)
		nr++;
	probes_unregister_first(probes, nr, kinds, data);
}
