/* SPDX-License-Identifier: GPL-2.0 */
/*
 * tracefs files, described by tables.
 *
 * A file that shows a few lines, or accepts a number or a token, has no file operations of its
 * own; open, read, write and release are the same for all of them, and so is the handling of
 * invalid input.
 */
#ifndef _TRACE_TRACEFS_FILES_H
#define _TRACE_TRACEFS_FILES_H

#include <linux/fs.h>
#include <linux/math.h>
#include <linux/minmax.h>
#include <linux/threads.h>
#include <linux/types.h>

struct dentry;
struct seq_file;
struct trace_array;
struct tracefs_node;

/**
 * struct tracefs_entry - a file of a directory
 * @name: name of the file; NULL ends a table
 * @mode: permissions
 * @show: print the content. The instance is pinned; no lock is held, may sleep.
 * @try_show: used instead of @show. Return: 0, or the error of read(2)
 * @seq: list the content, used instead of @show
 * @set_number: handle a written number. Text that is not a number is refused with -EINVAL
 *	before the call, a number that is too large with -ERANGE. Context as for @show. Return:
 *	0, or the error of write(2).
 * @set_token: handle a written token: the text up to the first NUL, without leading and trailing
 *	white space. A token that is empty or longer than TRACEFS_TOKEN_MAX is refused with
 *	-EINVAL before the call. Otherwise as @set_number.
 * @may_be_empty: @set_token also accepts the empty token
 * @truncate: called when the file is opened for writing with O_TRUNC. Context as for @show.
 * @long_token: the token may have up to TRACEFS_LONG_TOKEN_MAX bytes
 * @refused: message in error_log about a token for which @set_token returns -EINVAL, NULL if
 *	there is no message
 * @fops: used instead of all of these, for a file with rules of its own. Its open() begins with
 *	tracefs_open() or tracefs_open_seq(), its release() ends with tracefs_release() or
 *	tracefs_release_seq(). Between these, tracefs_node_of() returns the file's node.
 */
struct tracefs_entry {
	const char			*name;
	umode_t				mode;
	void				(*show)(struct seq_file *m,
						const struct tracefs_node *node);
	int				(*try_show)(struct seq_file *m,
						    const struct tracefs_node *node);
	const struct seq_operations	*seq;
	int				(*set_number)(const struct tracefs_node *node,
						      unsigned long value);
	int				(*set_token)(const struct tracefs_node *node,
						     char *token);
	void				(*truncate)(const struct tracefs_node *node);
	bool				may_be_empty;
	bool				long_token;
	const char			*refused;
	const struct file_operations	*fops;
};

/* The longest token is a CPU mask: nine characters for each 32 CPUs. */
#define TRACEFS_TOKEN_MAX	MAX(1024, DIV_ROUND_UP(NR_CPUS, 32) * 9)

#define TRACEFS_LONG_TOKEN_MAX	(PAGE_SIZE - 1)

/* Modes: permissions of root and its group. */
#define TRACEFS_READ	0440
#define TRACEFS_BOTH	0640
#define TRACEFS_WRITE	0220

/**
 * struct tracefs_node - an existing file
 * @entry: its table row
 * @tr: the instance
 * @cpu: the CPU, or RING_BUFFER_ALL_CPUS
 * @data: object of the file if many files share a row, for example an option
 * @subject: number of the object, if the object may be freed before the instance: an event,
 *	system or monitor
 */
struct tracefs_node {
	const struct tracefs_entry	*entry;
	struct trace_array		*tr;
	int				cpu;
	const void			*data;
	unsigned int			subject;
};

const struct tracefs_node *tracefs_node_of(struct inode *inode);
unsigned int tracefs_subject_of(const struct inode *inode);
int tracefs_open(struct inode *inode);
void tracefs_release(struct inode *inode);
void *tracefs_open_seq(struct inode *inode, struct file *file,
		       const struct seq_operations *ops, int size);
int tracefs_release_seq(struct inode *inode, struct file *file);
char *tracefs_get_tokens(const char __user *ubuf, size_t *len);
ssize_t tracefs_write_lines(const char __user *ubuf, size_t count, loff_t *ppos,
			    int (*apply)(void *data, const char *line), void *data);
loff_t tracefs_llseek(struct file *file, loff_t offset, int whence);

int tracefs_add_files(struct dentry *dir, const struct tracefs_entry *rows,
		      struct trace_array *tr, int cpu, const void *data);
struct dentry *tracefs_add_file(struct dentry *dir, const char *name,
				const struct tracefs_entry *entry,
				struct trace_array *tr, const void *data);
int tracefs_add_cpus(struct dentry *dir, const struct tracefs_entry * const *tables,
		     unsigned int nr, struct trace_array *tr);
int tracefs_add_alike(struct dentry *dir, const struct tracefs_entry *entry, unsigned int nr,
		      const char *(*name_of)(unsigned int nr), struct trace_array *tr);
void tracefs_forget(struct trace_array *tr);

/* The highest subject number. */
#define TRACEFS_SUBJECT_BITS	26
#define TRACEFS_SUBJECT_MOST	(BIT(TRACEFS_SUBJECT_BITS) - 1)

unsigned long tracefs_add_nodes(const struct tracefs_entry *rows, struct trace_array *tr);
int tracefs_add_files_about(struct dentry *dir, const struct tracefs_entry *rows,
			    unsigned long numbers, unsigned int subject);
void *tracefs_eventfs_data(unsigned long numbers, unsigned int subject);
int tracefs_eventfs_entry(const struct tracefs_entry *rows, const char *name, umode_t *mode,
			  void **data, const struct file_operations **fops);

#endif /* _TRACE_TRACEFS_FILES_H */
