/* SPDX-License-Identifier: GPL-2.0 */
/*
 * A PCI device as text.
 */
#ifndef _TRACE_TRACER_MMIOTRACE_PCIDEV_H
#define _TRACE_TRACER_MMIOTRACE_PCIDEV_H

struct pci_dev;
struct trace_seq;

#ifdef CONFIG_PCI
void trace_print_pcidev(struct trace_seq *s, const struct pci_dev *dev);
#else
static inline void trace_print_pcidev(struct trace_seq *s, const struct pci_dev *dev) { }
#endif

#endif /* _TRACE_TRACER_MMIOTRACE_PCIDEV_H */
