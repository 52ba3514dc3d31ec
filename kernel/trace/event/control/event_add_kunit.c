// SPDX-License-Identifier: GPL-2.0
/*
 * KUnit tests of events that are added at run time, and of references to them.
 */
#include <kunit/test.h>
#include <linux/align.h>
#include <linux/err.h>
#include <linux/fs.h>
#include <linux/list.h>
#include <linux/module.h>
#include <linux/mount.h>
#include <linux/namei.h>
#include <linux/path.h>
#include <linux/trace_events.h>

#include "event/core/fields.h"

/* Number of registered probes. */
static int probes;

static int note_reg(struct trace_event_call *event, enum trace_reg type, void *data)
{
	if (type == TRACE_REG_REGISTER)
		probes++;
	else if (type == TRACE_REG_UNREGISTER)
		probes--;
	return 0;
}

static struct trace_event_fields fields_array[] = {
	{ .type = "char", .name = "first", .size = 1, .align = 1 },
	{ .type = "int", .name = "second", .size = 4, .align = 4, .is_signed = 1 },
	{ }
};

static struct trace_event_class class = {
	.system		= "kunit",
	.reg		= note_reg,
	.fields_array	= fields_array,
	.fields		= LIST_HEAD_INIT(class.fields),
};

static struct trace_event_call event = {
	.class		= &class,
	.name		= "kunit_event",
	.print_fmt	= "\"\"",
	.flags		= TRACE_EVENT_FL_DYNAMIC,
};

static int event_init(struct kunit *test)
{
	event.event.type = 0;
	KUNIT_ASSERT_EQ(test, 0, trace_add_event_call(&event));
	return 0;
}

/* No user of the event is left when a case ends. */
static void event_exit(struct kunit *test)
{
	KUNIT_EXPECT_EQ(test, 0, trace_remove_event_call(&event));
	KUNIT_EXPECT_EQ(test, 0, probes);
	KUNIT_EXPECT_TRUE(test, list_empty(&class.fields));
}

/* Does a directory exist in tracefs, which is not mounted yet? */
static bool has_dir(struct kunit *test, const char *name)
{
	struct file_system_type *type = get_fs_type("tracefs");
	struct vfsmount *mount;
	struct path path;
	int err;

	KUNIT_ASSERT_NOT_NULL(test, type);
	mount = kern_mount(type);
	module_put(type->owner);
	KUNIT_ASSERT_NOT_ERR_OR_NULL(test, mount);

	err = vfs_path_lookup(mount->mnt_root, mount, name, 0, &path);
	if (!err)
		path_put(&path);
	kern_unmount(mount);
	KUNIT_EXPECT_TRUE(test, !err || err == -ENOENT);

	return !err;
}

static void test_fields(struct kunit *test)
{
	struct ftrace_event_field *field = trace_event_field(&event, "second");

	KUNIT_ASSERT_NOT_ERR_OR_NULL(test, field);
	KUNIT_EXPECT_EQ(test, ALIGN(sizeof(struct trace_entry) + 1, 4), field->offset);
	KUNIT_EXPECT_NOT_NULL(test, trace_event_field(&event, "common_pid"));
	KUNIT_EXPECT_NULL(test, trace_event_field(&event, "third"));
}

static void test_enabled(struct kunit *test)
{
	KUNIT_EXPECT_EQ(test, 0, trace_set_clr_event("kunit", "kunit_event", 1));
	KUNIT_EXPECT_EQ(test, 1, probes);
	KUNIT_EXPECT_EQ(test, -EBUSY, trace_remove_event_call(&event));
	KUNIT_EXPECT_EQ(test, 0, trace_set_clr_event("kunit", NULL, 0));
}

/* Only the reference count prevents removal. */
static void test_kept(struct kunit *test)
{
	struct trace_event_file *file = trace_get_event_file(NULL, "kunit", "kunit_event");

	KUNIT_ASSERT_NOT_ERR_OR_NULL(test, file);
	KUNIT_EXPECT_EQ(test, -EBUSY, trace_remove_event_call(&event));
	trace_put_event_file(file);
	KUNIT_EXPECT_EQ(test, -EINVAL,
			PTR_ERR(trace_get_event_file(NULL, "kunit", "no_event")));
	KUNIT_EXPECT_EQ(test, -ENODEV,
			PTR_ERR(trace_get_event_file("none", "kunit", "kunit_event")));
}

/* Types must fit into the 16 bits that entries have for them. */
static void test_numbers(struct kunit *test)
{
	static struct trace_event_functions funcs;
	struct trace_event type = { .funcs = &funcs };
	static const int wrong[] = { -1, 0x10000, INT_MAX };
	int i;

	for (i = 0; i < ARRAY_SIZE(wrong); i++) {
		type.type = wrong[i];
		KUNIT_EXPECT_EQ(test, 0, register_trace_event(&type));
	}
	type.type = event.event.type;
	KUNIT_EXPECT_EQ(test, 0, register_trace_event(&type));
	type.type = 0xffff;
	KUNIT_EXPECT_EQ(test, 0xffff, register_trace_event(&type));
	KUNIT_EXPECT_EQ(test, 0, unregister_trace_event(&type));
}

/* An event added without TRACE_EVENT_FL_DYNAMIC can be removed, and its references also count. */
static void test_not_dynamic(struct kunit *test)
{
	struct trace_event_call other = { .class = &class, .name = "kunit_other",
					  .print_fmt = "\"\"" };
	struct trace_event_file *file;
	int kept;

	KUNIT_ASSERT_EQ(test, 0, trace_add_event_call(&other));
	KUNIT_EXPECT_TRUE(test, has_dir(test, "events/kunit/kunit_other"));
	file = trace_get_event_file(NULL, "kunit", "kunit_other");
	KUNIT_EXPECT_NOT_ERR_OR_NULL(test, file);
	kept = trace_remove_event_call(&other);
	KUNIT_EXPECT_EQ(test, -EBUSY, kept);
	if (!kept)
		return;

	trace_put_event_file(file);
	KUNIT_EXPECT_EQ(test, 0, trace_remove_event_call(&other));
	KUNIT_EXPECT_FALSE(test, has_dir(test, "events/kunit/kunit_other"));
	KUNIT_EXPECT_TRUE(test, has_dir(test, "events/kunit/kunit_event"));
}

/* Two events of a class: the fields are freed with the last one. */
static void test_class(struct kunit *test)
{
	struct trace_event_call other = { .class = &class, .name = "kunit_other",
					  .print_fmt = "\"\"", .flags = TRACE_EVENT_FL_DYNAMIC };

	KUNIT_ASSERT_EQ(test, 0, trace_add_event_call(&other));
	KUNIT_EXPECT_NOT_NULL(test, trace_event_field(&other, "second"));
	KUNIT_EXPECT_EQ(test, 0, trace_remove_event_call(&other));
	KUNIT_EXPECT_FALSE(test, list_empty(&class.fields));
}

/* Names of events must be unique in their system, which includes the kernel's events. */
static void test_same_name(struct kunit *test)
{
	static struct trace_event_class sched = {
		.system		= "sched",
		.reg		= note_reg,
		.fields_array	= fields_array,
		.fields		= LIST_HEAD_INIT(sched.fields),
	};
	struct trace_event_call second = { .class = &class, .name = "kunit_event",
					   .print_fmt = "\"\"" };
	struct trace_event_call third = { .class = &sched, .name = "sched_switch",
					  .print_fmt = "\"\"" };
	struct trace_event_call fourth = { .class = &sched, .name = "kunit_event",
					   .print_fmt = "\"\"" };
	int err;

	err = trace_add_event_call(&second);
	KUNIT_EXPECT_EQ(test, -EEXIST, err);
	if (!err)
		trace_remove_event_call(&second);
	err = trace_add_event_call(&third);
	KUNIT_EXPECT_EQ(test, -EEXIST, err);
	if (!err)
		trace_remove_event_call(&third);
	KUNIT_EXPECT_EQ(test, 0, trace_add_event_call(&fourth));
	KUNIT_EXPECT_EQ(test, 0, trace_remove_event_call(&fourth));
}

static struct kunit_case trace_event_life_cases[] = {
	KUNIT_CASE(test_fields),
	KUNIT_CASE(test_enabled),
	KUNIT_CASE(test_kept),
	KUNIT_CASE(test_numbers),
	KUNIT_CASE(test_not_dynamic),
	KUNIT_CASE(test_class),
	KUNIT_CASE(test_same_name),
	{ }
};

static struct kunit_suite trace_event_life_suite = {
	.name		= "trace_event_life",
	.init		= event_init,
	.exit		= event_exit,
	.test_cases	= trace_event_life_cases,
};

kunit_test_suite(trace_event_life_suite);

MODULE_DESCRIPTION("KUnit tests of trace events that are made at run time");
MODULE_LICENSE("GPL");
