// SPDX-License-Identifier: GPL-2.0
/*
 * Synthetic events defined by kernel code. See Documentation/trace/events.rst, "In-kernel trace
 * event API".
 *
 * The text of a command is composed, and parsed as if a user had written it. The module that
 * defines an event need not remain loaded: no data of it is kept.
 */
#include <linux/errno.h>
#include <linux/export.h>
#include <linux/seq_buf.h>
#include <linux/slab.h>
#include <linux/stdarg.h>
#include <linux/string.h>

#include "synth/synth.h"

static int synth_create_run(struct dynevent_cmd *cmd)
{
	const char *text = seq_buf_str(&cmd->seq);

	return synth_define(text, text + strcspn(text, " "), text, NULL);
}

/**
 * synth_event_cmd_init - initialize a command that defines a synthetic event
 * @cmd: the command
 * @buf: buffer for its text
 * @maxlen: size of @buf in bytes; MAX_DYNEVENT_CMD_LEN is sufficient
 */
void synth_event_cmd_init(struct dynevent_cmd *cmd, char *buf, int maxlen)
{
	*cmd = (struct dynevent_cmd){
		.type		= DYNEVENT_TYPE_SYNTH,
		.run_command	= synth_create_run,
	};
	seq_buf_init(&cmd->seq, buf, maxlen);
}
EXPORT_SYMBOL_GPL(synth_event_cmd_init);

static int synth_create_start(struct dynevent_cmd *cmd, const char *name)
{
	if (cmd->type != DYNEVENT_TYPE_SYNTH || !name)
		return -EINVAL;

	cmd->event_name = name;

	return seq_buf_puts(&cmd->seq, name) ? -E2BIG : 0;
}

/**
 * synth_event_add_field - add a field to a command
 * @cmd: the command, after synth_event_gen_cmd_start()
 * @type: the type of the field
 * @name: its name
 *
 * Return: 0; -EINVAL if an argument is missing, there are too many fields or the command is of
 * another kind; -E2BIG if the text does not fit
 */
int synth_event_add_field(struct dynevent_cmd *cmd, const char *type, const char *name)
{
	if (cmd->type != DYNEVENT_TYPE_SYNTH || !type || !name ||
	    cmd->n_fields == SYNTH_FIELDS_MAX)
		return -EINVAL;

	cmd->n_fields++;

	return seq_buf_printf(&cmd->seq, " %s %s;", type, name) ? -E2BIG : 0;
}
EXPORT_SYMBOL_GPL(synth_event_add_field);

/**
 * synth_event_add_field_str - add a field to a command, given as text
 * @cmd: the command, after synth_event_gen_cmd_start()
 * @type_name: "type name"
 *
 * Return: same as synth_event_add_field()
 */
int synth_event_add_field_str(struct dynevent_cmd *cmd, const char *type_name)
{
	if (cmd->type != DYNEVENT_TYPE_SYNTH || !type_name || cmd->n_fields == SYNTH_FIELDS_MAX)
		return -EINVAL;

	cmd->n_fields++;

	return seq_buf_printf(&cmd->seq, " %s;", type_name) ? -E2BIG : 0;
}
EXPORT_SYMBOL_GPL(synth_event_add_field_str);

/**
 * synth_event_add_fields - add fields to a command
 * @cmd: the command, after synth_event_gen_cmd_start()
 * @fields: the fields
 * @n_fields: number of fields
 *
 * Return: same as synth_event_add_field()
 */
int synth_event_add_fields(struct dynevent_cmd *cmd, struct synth_field_desc *fields,
			   unsigned int n_fields)
{
	unsigned int i;
	int err = 0;

	for (i = 0; !err && i < n_fields; i++)
		err = synth_event_add_field(cmd, fields[i].type, fields[i].name);

	return err;
}
EXPORT_SYMBOL_GPL(synth_event_add_fields);

/**
 * __synth_event_gen_cmd_start - set the name and fields of a command's event
 * @cmd: the command, after synth_event_cmd_init()
 * @name: name of the event; must remain valid as long as the command
 * @mod: the module that defines it; or NULL
 *
 * Further arguments are pairs of a type and a name, and a terminating NULL;
 * synth_event_gen_cmd_start() adds the NULL.
 *
 * Return: same as synth_event_add_field()
 */
int __synth_event_gen_cmd_start(struct dynevent_cmd *cmd, const char *name,
				struct module *mod, ...)
{
	int err = synth_create_start(cmd, name);
	va_list args;

	va_start(args, mod);
	while (!err) {
		const char *type = va_arg(args, const char *), *field;

		if (!type)
			break;
		field = va_arg(args, const char *);
		err = synth_event_add_field(cmd, type, field);
	}
	va_end(args);

	return err;
}
EXPORT_SYMBOL_GPL(__synth_event_gen_cmd_start);

/**
 * synth_event_gen_cmd_array_start - set the name and fields of a command's event from an array
 * @cmd: the command, after synth_event_cmd_init()
 * @name: name of the event; must remain valid as long as the command
 * @mod: the module that defines it; or NULL
 * @fields: the fields
 * @n_fields: number of fields
 *
 * Return: same as synth_event_add_field()
 */
int synth_event_gen_cmd_array_start(struct dynevent_cmd *cmd, const char *name,
				    struct module *mod, struct synth_field_desc *fields,
				    unsigned int n_fields)
{
	return synth_create_start(cmd, name) ?: synth_event_add_fields(cmd, fields, n_fields);
}
EXPORT_SYMBOL_GPL(synth_event_gen_cmd_array_start);

/**
 * synth_event_create - define a synthetic event
 * @name: its name
 * @fields: its fields
 * @n_fields: number of fields
 * @mod: the module that defines it; or NULL
 *
 * May sleep.
 *
 * Return: 0; -EEXIST, -ENOMEM, or an error of synth_event_add_field()
 */
int synth_event_create(const char *name, struct synth_field_desc *fields,
		       unsigned int n_fields, struct module *mod)
{
	char *buf = kzalloc(MAX_DYNEVENT_CMD_LEN, GFP_KERNEL);
	struct dynevent_cmd cmd;
	int err;

	if (!buf)
		return -ENOMEM;

	synth_event_cmd_init(&cmd, buf, MAX_DYNEVENT_CMD_LEN);
	err = synth_event_gen_cmd_array_start(&cmd, name, mod, fields, n_fields);
	if (!err)
		err = synth_event_gen_cmd_end(&cmd);
	kfree(buf);

	return err;
}
EXPORT_SYMBOL_GPL(synth_event_create);

/**
 * synth_event_delete - remove a synthetic event
 * @name: its name
 *
 * May sleep.
 *
 * Return: 0; -ENOENT, or -EBUSY while it is in use
 */
int synth_event_delete(const char *name)
{
	return synth_remove(name);
}
EXPORT_SYMBOL_GPL(synth_event_delete);
