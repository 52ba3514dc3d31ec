// SPDX-License-Identifier: GPL-2.0
/*
 * Constant formats that entries refer to by address (printk_formats).
 *
 * Formats of the kernel itself remain valid. Formats of a module would be freed with the module
 * while the buffer still refers to them. So each is copied when the module is loaded, and the
 * module's pointer is redirected to the copy, which is never freed. Equal formats share a copy:
 * loading a module again uses no more memory.
 */
#include <linux/cleanup.h>
#include <linux/kernel.h>
#include <linux/list.h>
#include <linux/module.h>
#include <linux/mutex.h>
#include <linux/seq_file.h>
#include <linux/slab.h>
#include <linux/string.h>
#include <linux/string_helpers.h>

#include "instance/record/printk_formats.h"

struct printk_formats_kept {
	struct list_head	list;
	char			text[];
};

/* Guards the list of copies. No other lock of tracing is taken while it is held. */
static DEFINE_MUTEX(formats_lock);
static LIST_HEAD(kept_formats);

/**
 * trace_formats_built_in - check whether the kernel itself uses trace_printk()
 */
bool trace_formats_built_in(void)
{
	return &__start___trace_bprintk_fmt[0] != &__stop___trace_bprintk_fmt[0];
}

static void printk_formats_show_one(struct seq_file *m, const char *text)
{
	seq_printf(m, "0x%lx : \"", (unsigned long)text);
	seq_escape_str(m, text, ESCAPE_SPACE | ESCAPE_SPECIAL | ESCAPE_APPEND |
		       ESCAPE_NAP, "\n\t\\\"");
	seq_puts(m, "\"\n");
}

/**
 * trace_formats_show - list address and text of each format (printk_formats)
 * @m: output file
 */
void trace_formats_show(struct seq_file *m)
{
	struct printk_formats_kept *kept;
	const char **text;

	for (text = __start___trace_bprintk_fmt;
	     text < __stop___trace_bprintk_fmt; text++) {
		if (*text)
			printk_formats_show_one(m, *text);
	}

	for (text = __start___tracepoint_str;
	     text < __stop___tracepoint_str; text++) {
		if (*text)
			printk_formats_show_one(m, *text);
	}

	guard(mutex)(&formats_lock);

	list_for_each_entry(kept, &kept_formats, list)
		printk_formats_show_one(m, kept->text);
}

#ifdef CONFIG_MODULES
/* Return: the copy, or NULL if out of memory: trace_printk() ignores such a call. */
static const char *printk_formats_keep(const char *text)
{
	struct printk_formats_kept *kept;
	size_t size = strlen(text) + 1;

	lockdep_assert_held(&formats_lock);

	list_for_each_entry(kept, &kept_formats, list) {
		if (!strcmp(kept->text, text))
			return kept->text;
	}

	kept = kmalloc(struct_size(kept, text, size), GFP_KERNEL);
	if (!kept)
		return NULL;

	memcpy(kept->text, text, size);
	list_add_tail(&kept->list, &kept_formats);

	return kept->text;
}

/**
 * trace_formats_keep - copy the formats of a module that is being loaded
 * @mod: the module
 */
void trace_formats_keep(struct module *mod)
{
	unsigned int i;

	guard(mutex)(&formats_lock);

	for (i = 0; i < mod->num_trace_bprintk_fmt; i++) {
		const char **text = &mod->trace_bprintk_fmt_start[i];

		if (*text)
			*text = printk_formats_keep(*text);
	}
}
#endif /* CONFIG_MODULES */
