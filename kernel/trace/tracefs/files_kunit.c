// SPDX-License-Identifier: GPL-2.0
/*
 * KUnit tests of the nodes of tracefs files: an inode outlives the instance that its file was
 * created for.
 */
#include <kunit/test.h>
#include <linux/cleanup.h>
#include <linux/dcache.h>
#include <linux/err.h>
#include <linux/fs.h>
#include <linux/namei.h>
#include <linux/string.h>
#include <linux/tracefs.h>

#include "instance/core/instance.h"
#include "tracefs/files.h"

#define SOME_CPU	3

static const struct tracefs_entry rows[] = {
	{ "kunit_first", TRACEFS_READ },
	{ "kunit_second", TRACEFS_BOTH },
	{ }
};

static const char data[] = "data";

/* The files are in a directory of their own, which is removed at the end. */
struct files_test {
	struct trace_array	tr;
	struct dentry		*dir;
};

static struct dentry *find_file(struct kunit *test, const char *name)
{
	struct files_test *files = test->priv;
	struct dentry *file;

	file = lookup_one_len_unlocked(name, files->dir, strlen(name));
	KUNIT_ASSERT_FALSE(test, IS_ERR(file));
	KUNIT_ASSERT_TRUE(test, d_really_is_positive(file));

	return file;
}

static void forget(struct trace_array *tr)
{
	guard(mutex)(&trace_lock);

	tracefs_forget(tr);
}

static void test_rows(struct kunit *test)
{
	struct files_test *files = test->priv;
	const struct tracefs_node *node;
	struct dentry *file;
	int i;

	KUNIT_ASSERT_EQ(test, tracefs_add_files(files->dir, rows, &files->tr,
						SOME_CPU, data), 0);
	for (i = 0; rows[i].name; i++) {
		file = find_file(test, rows[i].name);
		KUNIT_EXPECT_EQ(test, d_inode(file)->i_mode & 0777, rows[i].mode);
		KUNIT_EXPECT_EQ(test, tracefs_open(d_inode(file)), 0);
		KUNIT_EXPECT_EQ(test, files->tr.refs, 1);

		node = tracefs_node_of(d_inode(file));
		KUNIT_EXPECT_PTR_EQ(test, node->entry, &rows[i]);
		KUNIT_EXPECT_PTR_EQ(test, node->tr, &files->tr);
		KUNIT_EXPECT_EQ(test, node->cpu, SOME_CPU);
		KUNIT_EXPECT_PTR_EQ(test, node->data, (const void *)data);

		tracefs_release(d_inode(file));
		KUNIT_EXPECT_EQ(test, files->tr.refs, 0);
		dput(file);
	}
}

/* The errors of an open when the instance is removed after the file was looked up. */
static void test_gone(struct kunit *test)
{
	struct files_test *files = test->priv;
	struct trace_array other = { };
	struct dentry *old, *mine;

	KUNIT_ASSERT_NOT_NULL(test, tracefs_add_file(files->dir, "kunit_mine",
						     &rows[0], &files->tr, NULL));
	KUNIT_ASSERT_NOT_NULL(test, tracefs_add_file(files->dir, "kunit_old",
						     &rows[0], &other, NULL));
	old = find_file(test, "kunit_old");
	mine = find_file(test, "kunit_mine");

	/* The instance is being removed, and then freed. */
	other.ending = true;
	KUNIT_EXPECT_EQ(test, tracefs_open(d_inode(old)), -ENODEV);
	other.ending = false;
	forget(&other);

	KUNIT_EXPECT_EQ(test, tracefs_open(d_inode(old)), -ENODEV);
	KUNIT_EXPECT_EQ(test, other.refs, 0);

	/* A file created later does not get the old file's number. */
	KUNIT_ASSERT_NOT_NULL(test, tracefs_add_file(files->dir, "kunit_new",
						     &rows[0], &files->tr, NULL));
	KUNIT_EXPECT_EQ(test, tracefs_open(d_inode(old)), -ENODEV);

	KUNIT_EXPECT_EQ(test, tracefs_open(d_inode(mine)), 0);
	tracefs_release(d_inode(mine));
	dput(mine);
	dput(old);
}

static int files_test_init(struct kunit *test)
{
	struct files_test *files;

	files = kunit_kzalloc(test, sizeof(*files), GFP_KERNEL);
	if (!files)
		return -ENOMEM;

	files->dir = tracefs_create_dir("kunit", NULL);
	if (IS_ERR_OR_NULL(files->dir))
		return -ENOENT;

	test->priv = files;

	return 0;
}

static void files_test_exit(struct kunit *test)
{
	struct files_test *files = test->priv;

	if (!files)
		return;

	tracefs_remove(files->dir);
	forget(&files->tr);
}

static struct kunit_case files_test_cases[] = {
	KUNIT_CASE(test_rows),
	KUNIT_CASE(test_gone),
	{ }
};

static struct kunit_suite files_test_suite = {
	.name		= "trace_files",
	.init		= files_test_init,
	.exit		= files_test_exit,
	.test_cases	= files_test_cases,
};

kunit_test_suite(files_test_suite);

MODULE_LICENSE("GPL");
