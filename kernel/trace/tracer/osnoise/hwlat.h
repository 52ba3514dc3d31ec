/* SPDX-License-Identifier: GPL-2.0 */
/*
 * The hardware latency detector: settings of its files.
 */
#ifndef _TRACE_TRACER_OSNOISE_HWLAT_H
#define _TRACE_TRACER_OSNOISE_HWLAT_H

/* Mode of assigning threads to CPUs, as in the file "mode". */
enum hwlat_mode {
	HWLAT_NONE,
	HWLAT_ROUND_ROBIN,
	HWLAT_PER_CPU,
	HWLAT_MODES,
};

extern const char * const trace_hwlat_modes[HWLAT_MODES];

enum hwlat_mode trace_hwlat_mode(void);
int trace_hwlat_set_mode(enum hwlat_mode mode);
unsigned long trace_hwlat_width(void);
unsigned long trace_hwlat_window(void);
int trace_hwlat_set_width(unsigned long us);
int trace_hwlat_set_window(unsigned long us);
void trace_hwlat_forget_thresh(void);

#endif /* _TRACE_TRACER_OSNOISE_HWLAT_H */
