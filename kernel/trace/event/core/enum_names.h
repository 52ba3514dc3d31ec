/* SPDX-License-Identifier: GPL-2.0 */
/*
 * Enum and sizeof names in formats: TRACE_DEFINE_ENUM() and TRACE_DEFINE_SIZEOF().
 */
#ifndef _TRACE_EVENT_CORE_ENUM_NAMES_H
#define _TRACE_EVENT_CORE_ENUM_NAMES_H

struct module;
struct seq_file;
struct trace_eval_map;

int trace_eval_add(struct trace_eval_map **maps, unsigned int nr, struct module *mod);
void trace_eval_remove(struct module *mod);
void trace_eval_print(struct seq_file *m, const char *system, const char *text);
void trace_eval_list(struct seq_file *m);

#endif /* _TRACE_EVENT_CORE_ENUM_NAMES_H */
