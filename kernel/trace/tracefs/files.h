/* SPDX-License-Identifier: GPL-2.0 */
/*
 * Files of tracefs: one table a directory.
 *
 * A file that shows a few lines or takes a number or a word has no file
 * operations of its own; open, read, write and release are the same for all of
 * them, and so is what they make of bad input.
 */
#ifndef _TRACE_TRACEFS_FILES_H
#define _TRACE_TRACEFS_FILES_H

#include <linux/fs.h>
#include <linux/types.h>

struct seq_file;
struct trace_array;
struct tracefs_node;

/**
 * struct tracefs_entry - a file of a directory
 * @name: of the file; NULL ends a table
 * @mode: who may read or write it
 * @show: print the content
 * @set_number: a number was written; anything else is -EINVAL before it gets
 *		here, too large a number -ERANGE
 * @set_word: text was written, given up to the first NUL, without white space
 *	      around it, and neither empty nor longer than TRACEFS_WORD_MAX:
 *	      those are -EINVAL
 * @may_be_empty: @set_word takes the empty word too
 * @refused: what error_log is to say of a word that @set_word finds invalid,
 *	     NULL for nothing
 * @fops: instead of all three, for a file with rules of its own. i_private of
 *	  its inode is a struct tracefs_node.
 */
struct tracefs_entry {
	const char			*name;
	umode_t				mode;
	void				(*show)(struct seq_file *m,
						const struct tracefs_node *node);
	int				(*set_number)(const struct tracefs_node *node,
						      unsigned long value);
	int				(*set_word)(const struct tracefs_node *node,
						    char *word);
	bool				may_be_empty;
	const char			*refused;
	const struct file_operations	*fops;
};

#define TRACEFS_WORD_MAX	1024

/**
 * struct tracefs_node - a file there is
 * @entry: its row
 * @tr: the instance
 * @cpu: of which CPU, or RING_BUFFER_ALL_CPUS
 * @data: which of several alike, as an option
 */
struct tracefs_node {
	const struct tracefs_entry	*entry;
	struct trace_array		*tr;
	int				cpu;
	const void			*data;
};

static inline struct tracefs_node *tracefs_node_of(struct inode *inode)
{
	return inode->i_private;
}

int tracefs_open(struct inode *inode);
void tracefs_release(struct inode *inode);
loff_t tracefs_llseek(struct file *file, loff_t offset, int whence);
char *tracefs_get_word(const char __user *ubuf, size_t count);

int tracefs_add_files(struct dentry *dir, const struct tracefs_entry *table,
		      struct trace_array *tr, int cpu, const void *data);
struct dentry *tracefs_add_file(struct dentry *dir, const char *name,
				struct tracefs_node *node);
void tracefs_add_events(struct dentry *dir, struct trace_array *tr);
void tracefs_add_options(struct dentry *dir, struct trace_array *tr);

/* The tables, by the file they are in. */
extern const struct tracefs_entry tracefs_control_files[];
extern const struct tracefs_entry tracefs_cpu_files[];
extern const struct tracefs_entry tracefs_top_files[];

#ifdef CONFIG_DYNAMIC_FTRACE
extern const struct tracefs_entry tracefs_function_files[];
#else
static const struct tracefs_entry tracefs_function_files[] = { {} };
#endif

#ifdef CONFIG_FUNCTION_TRACER
extern const struct tracefs_entry tracefs_pid_files[];
#else
static const struct tracefs_entry tracefs_pid_files[] = { {} };
#endif

extern const struct file_operations tracefs_trace_fops;
extern const struct file_operations tracefs_snapshot_fops;
extern const struct file_operations tracefs_pipe_fops;
extern const struct file_operations tracefs_raw_fops;
extern const struct file_operations tracefs_snapshot_raw_fops;
extern const struct file_operations tracefs_errlog_fops;
extern const struct file_operations tracefs_marker_fops;
extern const struct file_operations tracefs_marker_raw_fops;

#endif /* _TRACE_TRACEFS_FILES_H */
