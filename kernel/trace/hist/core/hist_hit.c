// SPDX-License-Identifier: GPL-2.0
/*
 * Counting a hit: code that runs when the event of a histogram occurs.
 *
 * Any context including NMI: takes no lock, allocates no memory, and looks up no name.
 *
 * Ordered accesses: hit:A in hit_set_vars() makes values visible before the bits that mark them
 * as set; hit:B in hit_resolve() reads a value after its bit.
 */
#include <linux/atomic.h>
#include <linux/bits.h>
#include <linux/compiler.h>
#include <linux/rcupdate.h>
#include <linux/ring_buffer.h>
#include <linux/sched.h>
#include <linux/string.h>

#include "event/record/trigger.h"
#include "hist/core/hist_action.h"
#include "hist/core/hist_hit.h"
#include "instance/core/instance.h"

static struct hist_map *hit_map(const struct hist *hist)
{
	return rcu_dereference_sched(hist->table->map);
}

static atomic64_t *hit_mask(const struct hist *hist, u64 *values)
{
	return (atomic64_t *)&values[hist->mask_at];
}

/* Find the variables of other histograms for this key. Returns false unless all are set. */
static bool hit_find_refs(const struct hist *hist, struct hist_hit *hit, const u64 *key)
{
	unsigned int i;

	for (i = 0; i < hist->nr_refs; i++) {
		const struct hist_ref *ref = &hist->refs[i];
		struct hist_map *map = hit_map(ref->hist);
		u64 *elt = hist_map_find(map, key), *values;

		if (!elt)
			return false;
		values = hist_map_values(map, elt);
		if (!(atomic64_read(hit_mask(ref->hist, values)) & BIT(ref->var)))
			return false;
		hit->ref[i] = (unsigned long)values;
	}

	return true;
}

/* Read them. Another hit may concurrently have read a variable that can only be read once. */
static noinline bool hit_resolve(const struct hist *hist, struct hist_hit *hit, const u64 *key)
{
	unsigned int i;

	if (!hit_find_refs(hist, hit, key))
		return false;

	smp_rmb();	/* hit:B */
	for (i = 0; i < hist->nr_refs; i++) {
		const struct hist_ref *ref = &hist->refs[i];
		const struct hist_value *value = &ref->hist->var[ref->var].value;
		u64 *values = (u64 *)(unsigned long)hit->ref[i], *at = &values[value->at];

		hit->ref[i] = value->kind == VALUE_NUMBER ? READ_ONCE(*at) : (unsigned long)at;
		if (ref->once && !(atomic64_fetch_andnot(BIT(ref->var),
							 hit_mask(ref->hist, values)) &
				   BIT(ref->var)))
			return false;
	}

	return true;
}

static void hit_set_vars(const struct hist *hist, const struct hist_hit *hit, u64 *values)
{
	unsigned int i;

	for (i = 0; i < hist->nr_vars; i++) {
		const struct hist_value *value = &hist->var[i].value;

		hist_store(value, hit, &values[value->at]);
	}
	smp_mb__before_atomic();	/* hit:A */
	atomic64_or(GENMASK_ULL(hist->nr_vars - 1, 0), hit_mask(hist, values));
}

/* Store the comm of the first task. Later tasks have the same one, or another after exec(). */
static void hit_set_comm(u64 *to)
{
	if (!READ_ONCE(*to))
		memcpy(to, current->comm, TASK_COMM_LEN);
}

static __always_inline void hit_count(struct hist *hist, struct hist_hit *hit, const u64 *key)
{
	struct hist_map *map = hit_map(hist);
	u64 *elt, *values;
	unsigned int i;

	if (unlikely(hist->nr_refs) && !hit_resolve(hist, hit, key))
		return;

	elt = hist_map_insert(map, key);
	if (unlikely(!elt))
		return;

	values = hist_map_values(map, elt);
	atomic64_inc((atomic64_t *)values);
	for (i = 1; i < hist->nr_vals; i++) {
		const struct hist_value *val = &hist->val[i];

		if (likely(val->nr))
			atomic64_add(hist_number(val, hit), (atomic64_t *)&values[val->at]);
	}
	if (hist->comms)
		hit_set_comm(&values[hist->comms]);
	if (hist->nr_vars)
		hit_set_vars(hist, hit, values);
	if (hist->nr_actions)
		hist_actions_run(hist, hit, elt, values);
}

static noinline void hit_words_key(struct hist *hist, struct hist_hit *hit)
{
	u64 key[HIST_KEY_WORDS_MAX];
	unsigned int i;

	for (i = 0; i < hist->nr_keys; i++)
		hist_store(&hist->key[i], hit, &key[hist->key[i].at]);
	hit_count(hist, hit, key);
}

/* The time of the event, as in the trace, or of now. */
static u64 hit_time(struct trace_buffer *buffer, struct ring_buffer_event *event)
{
	return event ? ring_buffer_event_time_stamp(buffer, event) : ring_buffer_time_stamp(buffer);
}

/**
 * hist_hit - count a hit
 * @hist: the histogram
 * @run: data passed to its trigger
 *
 * Context: any, preemption disabled
 */
void hist_hit(struct hist *hist, const struct trace_trigger_run *run)
{
	struct hist_hit hit;
	u64 key[HIST_KEYS_MAX];
	unsigned int i;

	hit.entry = run->entry;
	hit.len = run->len;
	hit.run = run;
	if (unlikely(!run->entry))
		return;
	if (hist->times)
		hit.time = hit_time(hist->tr->main.buffer, run->event);
	if (unlikely(!hist->number_keys)) {
		hit_words_key(hist, &hit);
		return;
	}

	for (i = 0; i < hist->nr_keys; i++)
		key[i] = hist_number(&hist->key[i], &hit);
	hit_count(hist, &hit, key);
}
