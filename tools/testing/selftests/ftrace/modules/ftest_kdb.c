// SPDX-License-Identifier: GPL-2.0
/*
 * ftest_kdb - enters the kernel debugger, and is its terminal.
 *
 * Commands written to the parameter `run`, separated by ;, are typed at kdb's prompt, followed
 * by `go`, and its pager is left by `q`. Reading `output` shows the output of kdb since then,
 * including its echo of the typed commands.
 */
#include <linux/kgdb.h>
#include <linux/module.h>
#include <linux/serial_core.h>
#include <linux/string.h>

/* The debugger session ends with this, whatever was written to `run`. */
#define END	"\ngo\n"

static char typed[256 + sizeof(END)];
static size_t nr_read;
static char printed[PAGE_SIZE - 1];
static size_t nr_printed;

/* The last characters that were printed. */
static char last[sizeof("more> ") - 1];
/* kdb has prompted for a command. Input that is typed before its pager prompts is lost. */
static bool asked;

static bool printed_last(const char *prompt)
{
	size_t len = strlen(prompt);

	return !memcmp(last + sizeof(last) - len, prompt, len);
}

static int kdb_read_char(void)
{
	if (printed_last("more> "))
		return 'q';
	if (!asked || nr_read == strlen(typed))
		return NO_POLL_CHAR;

	asked = typed[nr_read] != '\n';

	return typed[nr_read++];
}

static void kdb_write_char(u8 c)
{
	if (nr_printed < sizeof(printed) - 1)
		printed[nr_printed++] = c;

	memmove(last, last + 1, sizeof(last) - 1);
	last[sizeof(last) - 1] = c;
	if (printed_last("kdb> "))
		asked = true;
}

static struct kgdb_io terminal = {
	.name		= "ftest_kdb",
	.read_char	= kdb_read_char,
	.write_char	= kdb_write_char,
};

static int run_set(const char *val, const struct kernel_param *kp)
{
	if (strscpy(typed, val, sizeof(typed) - strlen(END)) < 0)
		return -E2BIG;

	strreplace(strim(typed), ';', '\n');
	strcat(typed, END);
	nr_read = 0;
	memset(printed, 0, sizeof(printed));
	nr_printed = 0;
	memset(last, 0, sizeof(last));
	asked = false;
	kgdb_breakpoint();

	return 0;
}
module_param_call(run, run_set, NULL, NULL, 0200);
MODULE_PARM_DESC(run, "Commands for kdb, with ; between them");

static int output_get(char *buffer, const struct kernel_param *kp)
{
	return strscpy(buffer, printed, PAGE_SIZE);
}
module_param_call(output, NULL, output_get, NULL, 0400);
MODULE_PARM_DESC(output, "What kdb has printed");

static int __init ftest_kdb_init(void)
{
	return kgdb_register_io_module(&terminal);
}
module_init(ftest_kdb_init);

static void __exit ftest_kdb_exit(void)
{
	kgdb_unregister_io_module(&terminal);
}
module_exit(ftest_kdb_exit);

MODULE_DESCRIPTION("A terminal of the kernel debugger");
MODULE_LICENSE("GPL");
