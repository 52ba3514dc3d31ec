/* SPDX-License-Identifier: GPL-2.0 */
/*
 * Files of tracefs, as rows of tables.
 *
 * A file that shows a few lines or takes a number or a word has no file
 * operations of its own; open, read, write and release are the same for all of
 * them, and so is how they treat bad input.
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
 * @name: of the file; NULL ends a table
 * @mode: who may read or write it
 * @show: print the content. The instance stays; no lock is held, may sleep.
 * @try_show: instead of @show. Return: 0, or the error of read(2)
 * @seq: list the content, instead of @show
 * @set_number: a number was written. Text that is no number is refused with
 *		-EINVAL before, a number that is too large with -ERANGE. Context
 *		as for @show. Return: 0, or the error of write(2).
 * @set_word: a word was written: text up to the first NUL, without the white
 *	      space around it. One that is empty or longer than TRACEFS_WORD_MAX
 *	      is refused with -EINVAL before. Otherwise as @set_number.
 * @may_be_empty: @set_word takes the empty word too
 * @truncate: the file was opened for writing with O_TRUNC. Context as for @show.
 * @long_word: the word may have up to TRACEFS_LONG_WORD_MAX bytes
 * @refused: the message in error_log about a word for which @set_word returns
 *	     -EINVAL, NULL for none
 * @fops: instead of all of these, for a file with rules of its own. Its open() begins
 *	  with tracefs_open() or tracefs_open_seq(), its release() ends with
 *	  tracefs_release() or tracefs_release_seq(). Between these, tracefs_node_of()
 *	  returns the file's node.
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
	int				(*set_word)(const struct tracefs_node *node,
						    char *word);
	void				(*truncate)(const struct tracefs_node *node);
	bool				may_be_empty;
	bool				long_word;
	const char			*refused;
	const struct file_operations	*fops;
};

/* The longest word is a mask of CPUs: nine characters for each 32 of them. */
#define TRACEFS_WORD_MAX	MAX(1024, DIV_ROUND_UP(NR_CPUS, 32) * 9)

#define TRACEFS_LONG_WORD_MAX	(PAGE_SIZE - 1)

/* Modes: what root and its group may do. */
#define TRACEFS_READ	0440
#define TRACEFS_BOTH	0640
#define TRACEFS_WRITE	0220

/**
 * struct tracefs_node - a file that exists
 * @entry: its row
 * @tr: the instance
 * @cpu: which CPU, or RING_BUFFER_ALL_CPUS
 * @data: what the file is about where many have the same row, as for an option
 * @subject: the same as a number, where what the file is about may go before the instance:
 *	     which event, system or monitor
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
char *tracefs_get_words(const char __user *ubuf, size_t *len);
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

/* The highest subject. */
#define TRACEFS_SUBJECT_BITS	26
#define TRACEFS_SUBJECT_MOST	(BIT(TRACEFS_SUBJECT_BITS) - 1)

unsigned long tracefs_add_nodes(const struct tracefs_entry *rows, struct trace_array *tr);
int tracefs_add_files_about(struct dentry *dir, const struct tracefs_entry *rows,
			    unsigned long numbers, unsigned int subject);
void *tracefs_eventfs_data(unsigned long numbers, unsigned int subject);
int tracefs_eventfs_entry(const struct tracefs_entry *rows, const char *name, umode_t *mode,
			  void **data, const struct file_operations **fops);

#endif /* _TRACE_TRACEFS_FILES_H */
