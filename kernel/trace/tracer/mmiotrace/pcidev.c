// SPDX-License-Identifier: GPL-2.0
/*
 * A PCI device in the log of mmiotrace: the fields of its line in /proc/bus/pci/devices.
 */
#include <linux/ioport.h>
#include <linux/pci.h>
#include <linux/trace_seq.h>

#include "tracer/mmiotrace/pcidev.h"

static void pcidev_print_resources(struct trace_seq *s, const struct pci_dev *dev, bool sizes)
{
	resource_size_t start, end;
	int i;

	for (i = 0; i <= PCI_ROM_RESOURCE; i++) {
		const struct resource *resource = &dev->resource[i];

		pci_resource_to_user(dev, i, resource, &start, &end);
		if (sizes)
			start = resource->start < resource->end ? end - start + 1 : 0;
		else
			start |= resource->flags & PCI_REGION_FLAG_MASK;
		trace_seq_printf(s, " %llx", (unsigned long long)start);
	}
}

/**
 * trace_print_pcidev - print a PCIDEV line
 * @s: destination
 * @dev: the device
 *
 * Numbers are hexadecimal. Format: Documentation/trace/mmiotrace.rst
 */
void trace_print_pcidev(struct trace_seq *s, const struct pci_dev *dev)
{
	const struct pci_driver *driver = pci_dev_driver(dev);

	trace_seq_printf(s, "PCIDEV %02x%02x %04x%04x %x", dev->bus->number, dev->devfn,
			 dev->vendor, dev->device, dev->irq);
	pcidev_print_resources(s, dev, false);
	pcidev_print_resources(s, dev, true);
	trace_seq_printf(s, " %s\n", driver ? driver->name : "");
}
