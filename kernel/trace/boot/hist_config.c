// SPDX-License-Identifier: GPL-2.0
/*
 * Histograms in a boot config: the keys "event.SYSTEM.EVENT.hist.*", of which a trigger is made.
 * See "Ftrace Histogram Options" in Documentation/trace/boottime-trace.rst.
 */
#include <linux/array_size.h>
#include <linux/bootconfig.h>
#include <linux/cleanup.h>
#include <linux/init.h>
#include <linux/kernel.h>
#include <linux/seq_buf.h>
#include <linux/slab.h>
#include <linux/string.h>
#include <linux/trace_events.h>

#include "boot/config_report.h"
#include "boot/event_config.h"
#include "event/control/trigger_text.h"

/* Maximum length of a trigger. */
#define HIST_CONFIG_MAX	PAGE_SIZE

/**
 * struct hist_config - a trigger that is being composed
 * @tr: the instance
 * @call: the event
 * @root: node of the key "hist"
 * @s: text of the trigger
 */
struct hist_config {
	struct trace_array	*tr;
	struct trace_event_call	*call;
	struct xbc_node		*root;
	struct seq_buf		s;
};

/* Report an error of the key at @node, or of the trigger @value. */
static void __init hist_config_report(const struct hist_config *config, struct xbc_node *node,
				      const char *value, int err)
{
	char name[128], key[64] = "";

	if (node)
		xbc_node_compose_key_after(config->root, node, key, sizeof(key));
	snprintf(name, sizeof(name), "event.%s.%s.hist%s%s", config->call->class->system,
		 trace_event_name(config->call), *key ? "." : "", key);
	trace_bootconfig_report(config->tr, name, value, err);
}

/* Nodes of a number have the keys of one of several histograms or actions. */
static bool __init hist_config_is_number(struct xbc_node *node)
{
	const char *key = xbc_node_get_data(node);

	return xbc_node_is_key(node) && !key[strspn(key, "0123456789")];
}

/* Append the values of @key, if there are any, after @before. Return: true if there are */
static bool __init hist_config_list(struct hist_config *config, struct xbc_node *node,
				    const char *key, const char *before)
{
	struct xbc_node *each;
	const char *value;
	bool any = false;

	xbc_node_for_each_array_value(node, key, each, value) {
		seq_buf_printf(&config->s, "%s%s", any ? "," : before, value);
		any = true;
	}

	return any;
}

/*
 * Actions
 */

/**
 * struct hist_config_handler - a handler
 * @name: its name, which is also its key
 * @arg: key of its argument
 * @sigil: prefix of the argument in a trigger
 */
struct hist_config_handler {
	const char	*name;
	const char	*arg;
	const char	*sigil;
};

static const struct hist_config_handler hist_handlers[] __initconst = {
	{ "onmatch", "event", "" }, { "onmax", "var", "$" }, { "onchange", "var", "$" },
};

/* Append ":HANDLER(ARG)", with the argument in the form that triggers expect. */
static void __init hist_config_begin_action(struct hist_config *config, struct xbc_node *node,
					    unsigned int handler)
{
	const char *arg = xbc_node_find_value(node, hist_handlers[handler].arg, NULL) ?: "";
	const char *sigil = hist_handlers[handler].sigil;

	seq_buf_printf(&config->s, ":%s(%s%s)", hist_handlers[handler].name,
		       strstarts(arg, sigil) ? "" : sigil, arg);
}

/* Key HANDLER.[M.]ACTION. Return: true if it is an action, which was appended */
static bool __init hist_config_action(struct hist_config *config, struct xbc_node *node,
				      unsigned int handler, struct xbc_node *action)
{
	const char *name = xbc_node_get_data(action);
	bool snapshot = !strcmp(name, "snapshot");

	if (!strcmp(name, hist_handlers[handler].arg))
		return false;
	if (!snapshot && strcmp(name, "trace") && strcmp(name, "save")) {
		hist_config_report(config, action, "", -ENOENT);
		return false;
	}

	hist_config_begin_action(config, node, handler);
	seq_buf_printf(&config->s, ".%s(", name);
	if (!snapshot)
		hist_config_list(config, node, name, "");
	seq_buf_puts(&config->s, ")");

	return true;
}

/* Keys HANDLER.[M.]*; a handler without an action is reported */
static void __init hist_config_actions(struct hist_config *config, struct xbc_node *node,
				       unsigned int handler)
{
	struct xbc_node *each;
	bool any = false;

	xbc_node_for_each_subkey(node, each) {
		if (hist_config_is_number(each)) {
			hist_config_actions(config, each, handler);
			any = true;
		} else {
			any |= hist_config_action(config, node, handler, each);
		}
	}
	if (!any)
		hist_config_report(config, node, "", -EINVAL);
}

/*
 * Histograms
 */

static void __init hist_config_vars(struct hist_config *config, struct xbc_node *node)
{
	struct xbc_node *vars = xbc_node_find_subkey(node, "var"), *each;
	const char *value;
	bool any = false;

	if (!vars)
		return;

	xbc_node_for_each_key_value(vars, each, value) {
		seq_buf_printf(&config->s, ":%s=%s", xbc_node_get_data(each), value);
		any = true;
	}
	if (!any)
		hist_config_report(config, vars, "", -EINVAL);
}

static void __init hist_config_handlers(struct hist_config *config, struct xbc_node *node)
{
	struct xbc_node *handler;
	unsigned int i;

	for (i = 0; i < ARRAY_SIZE(hist_handlers); i++) {
		handler = xbc_node_find_subkey(node, hist_handlers[i].name);
		if (handler)
			hist_config_actions(config, handler, i);
	}
}

/**
 * struct hist_config_param - a parameter
 * @key: its key
 * @text: its text in a trigger
 */
struct hist_config_param {
	const char	*key;
	const char	*text;
};

static const struct hist_config_param hist_params[] __initconst = {
	{ "keys", ":keys=" }, { "values", ":values=" }, { "sort", ":sort=" },
	{ "size", ":size=" }, { "name", ":name=" },
};

static const struct hist_config_param hist_flags[] __initconst = {
	{ "pause", ":pause" }, { "continue", ":continue" }, { "clear", ":clear" },
};

static void __init hist_config_compose(struct hist_config *config, struct xbc_node *node,
				       const char *filter)
{
	unsigned int i;

	seq_buf_puts(&config->s, "hist");
	for (i = 0; i < ARRAY_SIZE(hist_params); i++)
		hist_config_list(config, node, hist_params[i].key, hist_params[i].text);
	hist_config_vars(config, node);
	for (i = 0; i < ARRAY_SIZE(hist_flags); i++) {
		if (xbc_node_find_subkey(node, hist_flags[i].key))
			seq_buf_puts(&config->s, hist_flags[i].text);
	}
	hist_config_handlers(config, node);
	if (filter)
		seq_buf_printf(&config->s, " if %s", filter);
}

/* Keys "hist.[N.]*": the trigger is set without the keys that are reported, or reported itself */
static void __init hist_config_set(struct hist_config *config, struct xbc_node *node,
				   const char *filter)
{
	char *text __free(kfree) = kmalloc(HIST_CONFIG_MAX, GFP_KERNEL);
	int err;

	if (!text) {
		hist_config_report(config, NULL, "", -ENOMEM);
		return;
	}

	seq_buf_init(&config->s, text, HIST_CONFIG_MAX);
	hist_config_compose(config, node, xbc_node_find_value(node, "filter", NULL) ?: filter);
	err = seq_buf_has_overflowed(&config->s) ? -E2BIG :
	      trace_trigger_set(config->tr, config->call, seq_buf_str(&config->s));
	if (err)
		hist_config_report(config, NULL, text, err);
}

static bool __init hist_config_is_known(struct xbc_node *node)
{
	const char *key = xbc_node_get_data(node);
	unsigned int i;

	for (i = 0; i < ARRAY_SIZE(hist_params); i++) {
		if (!strcmp(key, hist_params[i].key))
			return true;
	}
	for (i = 0; i < ARRAY_SIZE(hist_flags); i++) {
		if (!strcmp(key, hist_flags[i].key))
			return true;
	}
	for (i = 0; i < ARRAY_SIZE(hist_handlers); i++) {
		if (!strcmp(key, hist_handlers[i].name))
			return true;
	}

	return !strcmp(key, "var");
}

/* Report unknown keys. Return: true if there are any others, except the filter */
static bool __init hist_config_check(struct hist_config *config, struct xbc_node *node, bool nested)
{
	struct xbc_node *each;
	bool any = false;

	xbc_node_for_each_subkey(node, each) {
		if (hist_config_is_known(each))
			any = true;
		else if (strcmp(xbc_node_get_data(each), "filter") &&
			 (nested || !hist_config_is_number(each)))
			hist_config_report(config, each, "", -ENOENT);
	}

	return any;
}

static void __init hist_config_apply(struct trace_array *tr, struct trace_event_call *call,
				     struct xbc_node *node)
{
	struct hist_config config = { .tr = tr, .call = call, .root = node };
	const char *filter = xbc_node_find_value(node, "filter", NULL);
	struct xbc_node *each;
	bool any = false;

	if (hist_config_check(&config, node, false)) {
		hist_config_set(&config, node, filter);
		any = true;
	}
	xbc_node_for_each_subkey(node, each) {
		if (!hist_config_is_number(each))
			continue;
		any = true;
		if (hist_config_check(&config, each, true))
			hist_config_set(&config, each, filter);
		else
			hist_config_report(&config, each, "", -EINVAL);
	}
	if (!any)
		hist_config_report(&config, NULL, "", -EINVAL);
}

static struct trace_bootconfig_key hist_key __initdata = {
	.key	= "hist",
	.apply	= hist_config_apply,
};

static int __init hist_config_init(void)
{
	trace_bootconfig_key(&hist_key);

	return 0;
}
core_initcall(hist_config_init);
