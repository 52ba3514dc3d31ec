// SPDX-License-Identifier: GPL-2.0
/*
 * Trigger commands: traceon, traceoff, snapshot, stacktrace, enable_event, disable_event.
 */
#include <linux/err.h>
#include <linux/init.h>

#include "event/record/event_file.h"
#include "event/record/file_ref.h"
#include "event/record/trigger.h"
#include "instance/core/buffer.h"
#include "instance/core/instance.h"
#include "instance/record/record_stack.h"
#include "instance/snapshot/snapshot.h"

static bool trigger_commands_run_traceon(struct trace_trigger *trigger,
					 const struct trace_trigger_run *run)
{
	return trace_array_on(trigger->file->tr);
}

static bool trigger_commands_run_traceoff(struct trace_trigger *trigger,
					  const struct trace_trigger_run *run)
{
	return trace_array_off(trigger->file->tr);
}

static bool trigger_commands_run_stacktrace(struct trace_trigger *trigger,
					    const struct trace_trigger_run *run)
{
	struct trace_array *tr = trigger->file->tr;

	if (!trace_array_is_on(tr))
		return false;

	trace_record_stack_from(tr, run->context, &run->start);

	return true;
}

static int trigger_commands_begin_use(struct trace_trigger *trigger)
{
	return trace_array_expand_now(trigger->file->tr);
}

/*
 * enable_event and disable_event: the data is the other event in the instance. Its probe is
 * registered as long as the trigger exists; the trigger changes a bit.
 */

static int trigger_commands_parse_event(struct trace_trigger *trigger, char **text,
					const char **wrong)
{
	struct trace_event_file *file = trace_event_file_get_named(trigger->file->tr, text);

	if (IS_ERR(file)) {
		*wrong = PTR_ERR(file) == -EINVAL ? "Event not found" : NULL;
		return PTR_ERR(file);
	}

	trigger->data = file;

	return 0;
}

static void trigger_commands_free_enabling(struct trace_trigger *trigger)
{
	trace_event_file_put(trigger->data);
}

static bool trigger_commands_same_event(const struct trace_trigger *a,
					const struct trace_trigger *b)
{
	return a->data == b->data;
}

static int trigger_commands_begin_event(struct trace_trigger *trigger)
{
	return trace_event_soft_enable(trigger->data);
}

static void trigger_commands_end_event(struct trace_trigger *trigger)
{
	trace_event_soft_disable(trigger->data);
}

static void trigger_commands_show_event(struct seq_file *m, const struct trace_trigger *trigger)
{
	trace_event_file_show(m, trigger->data);
}

static bool trigger_commands_run_enable(struct trace_trigger *trigger,
					const struct trace_trigger_run *run)
{
	return trace_event_file_switch(trigger->data, true);
}

static bool trigger_commands_run_disable(struct trace_trigger *trigger,
					 const struct trace_trigger_run *run)
{
	return trace_event_file_switch(trigger->data, false);
}

#ifdef CONFIG_TRACER_SNAPSHOT
static bool trigger_commands_run_snapshot(struct trace_trigger *trigger,
					  const struct trace_trigger_run *run)
{
	struct trace_array *tr = trigger->file->tr;

	return trace_array_is_on(tr) && trace_snapshot_request(tr);
}

/* The spare buffer can be neither allocated nor freed in the context of an event. */
static int trigger_commands_begin_snapshot(struct trace_trigger *trigger)
{
	return trace_snapshot_arm(trigger->file->tr);
}

static void trigger_commands_end_snapshot(struct trace_trigger *trigger)
{
	trace_snapshot_disarm(trigger->file->tr);
}
#endif

static struct trace_trigger_command commands[] = {
	{ .name = "traceon", .kind = "traceonoff", .begin = trigger_commands_begin_use,
	 .run = trigger_commands_run_traceon },
	{ .name = "traceoff", .kind = "traceonoff", .run = trigger_commands_run_traceoff },
#ifdef CONFIG_TRACER_SNAPSHOT
	{ .name = "snapshot", .begin = trigger_commands_begin_snapshot,
	  .end = trigger_commands_end_snapshot, .run = trigger_commands_run_snapshot },
#endif
	{ .name = "stacktrace", .after = true, .begin = trigger_commands_begin_use,
	  .run = trigger_commands_run_stacktrace },
	{ .name = "enable_event", .kind = "event", .parse = trigger_commands_parse_event,
	  .free = trigger_commands_free_enabling, .same = trigger_commands_same_event,
	  .begin = trigger_commands_begin_event, .end = trigger_commands_end_event,
	  .run = trigger_commands_run_enable, .show = trigger_commands_show_event },
	{ .name = "disable_event", .kind = "event", .parse = trigger_commands_parse_event,
	  .free = trigger_commands_free_enabling, .same = trigger_commands_same_event,
	  .begin = trigger_commands_begin_event, .end = trigger_commands_end_event,
	  .run = trigger_commands_run_disable, .show = trigger_commands_show_event },
};

static int __init trigger_commands_init(void)
{
	int i, err = 0;

	for (i = 0; !err && i < ARRAY_SIZE(commands); i++)
		err = trace_trigger_command_register(&commands[i]);

	return err;
}
early_initcall(trigger_commands_init);
