// SPDX-License-Identifier: GPL-2.0
/*
 * Perf events of the type kprobe.
 */
#include <linux/cleanup.h>
#include <linux/err.h>
#include <linux/kallsyms.h>
#include <linux/perf_event.h>
#include <linux/slab.h>
#include <linux/string.h>
#include <linux/trace_events.h>
#include <linux/uaccess.h>

#include "probe/arg/probe_def.h"
#include "probe/core/probe_event.h"
#include "probe/core/probe_perf.h"
#include "probe/kind/kprobe.h"

/* Definition for the attributes of a perf event, to be freed by kfree(); or an error */
static char *perf_kprobe_definition_of(const struct perf_event *event, bool is_retprobe)
{
	const struct perf_event_attr *attr = &event->attr;
	char *text, command = is_retprobe ? 'r' : 'p', *symbol __free(kfree) = NULL;
	long len = 0;

	if (attr->kprobe_func) {
		symbol = kzalloc(KSYM_NAME_LEN, GFP_KERNEL);
		if (!symbol)
			return ERR_PTR(-ENOMEM);
		len = strncpy_from_user(symbol, u64_to_user_ptr(attr->kprobe_func),
					KSYM_NAME_LEN);
	}
	if (len < 0)
		return ERR_PTR(len);
	if (len == KSYM_NAME_LEN)
		return ERR_PTR(-E2BIG);

	/* It becomes part of a token of the definition. */
	if (len && strpbrk(symbol, " \t\n\v\f\r%"))
		return ERR_PTR(-EINVAL);

	if (len)
		text = kasprintf(GFP_KERNEL, "%c:perf/kprobe %s+%llu", command, symbol,
				 attr->probe_offset);
	else /* this field and probe_offset are one */
		text = kasprintf(GFP_KERNEL, "%c:perf/kprobe 0x%llx", command, attr->kprobe_addr);

	return text ?: ERR_PTR(-ENOMEM);
}

static struct probe_event *perf_kprobe_make(const char *text)
{
	struct probe_event *event;
	struct probe_def def;
	struct probe_name name;
	struct probe *probe;
	int err;

	err = probe_def_split(&def, text);
	if (err)
		return ERR_PTR(err);

	probe = probe_kprobe_make(&def, &name);
	probe_def_free(&def);
	if (IS_ERR(probe))
		return ERR_CAST(probe);

	/* A hidden event would not be found when the module is loaded. */
	if (probe_kprobe_waits(probe))
		event = ERR_PTR(-ENOENT);
	else
		event = probe_event_hidden(probe_kprobes, probe, &name);
	if (IS_ERR(event))
		probe_kprobes->free(probe);

	return event;
}

/**
 * perf_kprobe_init - make a probe for a perf event
 * @event: the perf event, whose attributes contain the place
 * @is_retprobe: true for the return of the function
 *
 * Context: may sleep
 *
 * Return: 0; -EINVAL if no probe is possible there, -ENOENT if there is no such symbol,
 *	-EADDRNOTAVAIL if there are several, -E2BIG if its name is too long, -EFAULT, -ENOMEM
 */
int perf_kprobe_init(struct perf_event *event, bool is_retprobe)
{
	char *text __free(kfree) = NULL;
	struct probe_event *made;

	if (event->parent)
		return probe_perf_share(event);

	text = perf_kprobe_definition_of(event, is_retprobe);
	if (IS_ERR(text))
		return PTR_ERR(no_free_ptr(text));

	made = perf_kprobe_make(text);

	return IS_ERR(made) ? PTR_ERR(made) : probe_perf_begin(event, made);
}

/**
 * perf_kprobe_destroy - undo perf_kprobe_init()
 * @event: the perf event
 *
 * Context: may sleep
 */
void perf_kprobe_destroy(struct perf_event *event)
{
	probe_perf_end(event);
}
