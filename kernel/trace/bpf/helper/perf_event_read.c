// SPDX-License-Identifier: GPL-2.0
/*
 * Helpers that read the counters of perf events, either events in a map or the program's own.
 *
 * The map is a BPF_MAP_TYPE_PERF_EVENT_ARRAY, which sleepable programs cannot use; so its perf
 * events are protected by RCU.
 */
#include <linux/bpf.h>
#include <linux/err.h>
#include <linux/filter.h>
#include <linux/perf_event.h>
#include <linux/smp.h>
#include <linux/string.h>

#include "bpf/helper/helpers.h"
#include "bpf/helper/perf_event_read.h"

/**
 * trace_bpf_event_of - find a perf event of a map
 * @map: a BPF_MAP_TYPE_PERF_EVENT_ARRAY
 * @index: index of the element, or BPF_F_CURRENT_CPU
 *
 * Any context, RCU read lock held. The caller cannot migrate.
 *
 * Return: -EINVAL if @index has other bits set, -E2BIG if it is beyond the end of the map,
 *	-ENOENT if that element has no perf event
 */
struct perf_event *trace_bpf_event_of(struct bpf_map *map, u64 index)
{
	struct bpf_array *array = container_of(map, struct bpf_array, map);
	struct bpf_event_entry *entry;

	if (index & ~BPF_F_INDEX_MASK)
		return ERR_PTR(-EINVAL);
	if (index == BPF_F_CURRENT_CPU)
		index = smp_processor_id();
	if (index >= map->max_entries)
		return ERR_PTR(-E2BIG);

	entry = READ_ONCE(array->ptrs[index]);

	return entry ? entry->event : ERR_PTR(-ENOENT);
}

static int perf_event_read_counter(struct bpf_map *map, u64 index,
				   struct bpf_perf_event_value *value)
{
	struct perf_event *event = trace_bpf_event_of(map, index);

	if (IS_ERR(event))
		return PTR_ERR(event);

	return perf_event_read_local(event, &value->counter, &value->enabled, &value->running);
}

/* Large counts look like errors; bpf_perf_event_read_value() does not have this problem. */
BPF_CALL_2(bpf_perf_event_read, struct bpf_map *, map, u64, index)
{
	struct bpf_perf_event_value value;
	int err = perf_event_read_counter(map, index, &value);

	return err ?: value.counter;
}

const struct bpf_func_proto bpf_perf_event_read_proto = {
	.func		= bpf_perf_event_read,
	.gpl_only	= true,
	.ret_type	= RET_INTEGER,
	.arg1_type	= ARG_CONST_MAP_PTR,
	.arg2_type	= ARG_ANYTHING,
};

BPF_CALL_4(bpf_perf_event_read_value, struct bpf_map *, map, u64, index,
	   struct bpf_perf_event_value *, value, u32, size)
{
	int err = size == sizeof(*value) ? perf_event_read_counter(map, index, value) : -EINVAL;

	if (err)
		memset(value, 0, size);

	return err;
}

const struct bpf_func_proto bpf_perf_event_read_value_proto = {
	.func		= bpf_perf_event_read_value,
	.gpl_only	= true,
	.ret_type	= RET_INTEGER,
	.arg1_type	= ARG_CONST_MAP_PTR,
	.arg2_type	= ARG_ANYTHING,
	.arg3_type	= ARG_PTR_TO_UNINIT_MEM,
	.arg4_type	= ARG_CONST_SIZE,
};

BPF_CALL_3(bpf_perf_prog_read_value, struct bpf_perf_event_data_kern *, ctx,
	   struct bpf_perf_event_value *, value, u32, size)
{
	int err = -EINVAL;

	if (size == sizeof(*value))
		err = perf_event_read_local(ctx->event, &value->counter, &value->enabled,
					    &value->running);
	if (err)
		memset(value, 0, size);

	return err;
}

const struct bpf_func_proto bpf_perf_prog_read_value_proto = {
	.func		= bpf_perf_prog_read_value,
	.gpl_only	= true,
	.ret_type	= RET_INTEGER,
	.arg1_type	= ARG_PTR_TO_CTX,
	.arg2_type	= ARG_PTR_TO_UNINIT_MEM,
	.arg3_type	= ARG_CONST_SIZE,
};
