// SPDX-License-Identifier: GPL-2.0
/*
 * KUnit tests of parts whose @create fails. Parts register at boot and are never unregistered.
 */
#include <kunit/test.h>
#include <linux/module.h>
#include <linux/ring_buffer.h>
#include <linux/trace.h>

#include "instance/core/instance.h"
#include "instance/tracer/current_tracer.h"
#include "instance/tracer/instance_create.h"

/* @create of the parts fails for this instance. */
static struct trace_array *refused;

static int create(struct trace_array *tr)
{
	return tr == refused ? -ENOMEM : 0;
}

static struct trace_instance_ops unused_part = {
	.create	= create,
};

static struct trace_instance_ops used_part = {
	.create	= create,
};

static bool __init is_found(const char *name)
{
	guard(mutex)(&trace_lock);

	return trace_array_find(name);
}

/* An unused instance is removed, and no other instance is. */
static void __init test_unused(struct kunit *test)
{
	KUNIT_ASSERT_EQ(test, trace_instance_mkdir("kunit refused"), 0);
	KUNIT_ASSERT_EQ(test, trace_instance_mkdir("kunit other"), 0);
	scoped_guard(mutex, &trace_lock)
		refused = trace_array_find("kunit refused");
	KUNIT_EXPECT_EQ(test, register_trace_instance_ops(&unused_part), 0);
	refused = NULL;

	KUNIT_EXPECT_FALSE(test, is_found("kunit refused"));
	KUNIT_EXPECT_EQ(test, trace_instance_rmdir("kunit other"), 0);
}

/* A used instance is kept for its users, but records nothing and can no longer be found. */
static void __init test_used(struct kunit *test)
{
	struct trace_array *tr = trace_array_get_by_name("kunit used", NULL);

	KUNIT_ASSERT_NOT_NULL(test, tr);
	KUNIT_ASSERT_EQ(test, trace_array_init_printk(tr), 0);
	refused = tr;
	KUNIT_EXPECT_EQ(test, register_trace_instance_ops(&used_part), 0);
	refused = NULL;

	KUNIT_EXPECT_FALSE(test, is_found("kunit used"));
	KUNIT_EXPECT_EQ(test, trace_instance_mkdir("kunit used"), 0);
	KUNIT_EXPECT_EQ(test, trace_instance_rmdir("kunit used"), 0);
	KUNIT_EXPECT_EQ(test, trace_array_printk(tr, _THIS_IP_, "kept\n"), 0);
	KUNIT_EXPECT_EQ(test, tracing_set_tracer(tr, "function"), -ENODEV);
	KUNIT_EXPECT_FALSE(test, ring_buffer_record_is_on(tr->main.buffer));
	trace_array_put(tr);
	KUNIT_EXPECT_EQ(test, trace_array_destroy(tr), -ENODEV);
}

static struct kunit_case __refdata part_test_cases[] = {
	KUNIT_CASE(test_unused),
	KUNIT_CASE(test_used),
	{ }
};

static struct kunit_suite part_test_suite = {
	.name		= "trace_instance_ops",
	.test_cases	= part_test_cases,
};

kunit_test_init_section_suite(part_test_suite);

MODULE_DESCRIPTION("KUnit tests of parts of instances that cannot begin");
MODULE_LICENSE("GPL");
