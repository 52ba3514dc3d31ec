// SPDX-License-Identifier: GPL-2.0
/* An edit of a filter: patterns are collected over time, and take effect all at once at the end. */
#include <linux/err.h>
#include <linux/slab.h>
#include <linux/sprintf.h>

#include "filter/filter.h"
#include "filter/func_command.h"
#include "filter/mod_pending.h"
#include "filter/name_lookup.h"
#include "filter/name_match.h"
#include "filter/line_lookup.h"
#include "ftrace/ops/ops.h"
#include "lib/hash.h"
#include "patch/records.h"

/**
 * ftrace_filter_edit_begin - begin an edit of a filter
 * @hash: the filters
 * @exclude: edit notrace_hash instead of filter_hash
 * @reset: replace the filter at the end of the edit, instead of changing it
 *
 * Context: may sleep
 *
 * Return: the edit, or NULL if out of memory
 */
struct ftrace_filter_edit *
ftrace_filter_edit_begin(struct ftrace_ops_hash *hash, bool exclude, bool reset)
{
	struct ftrace_filter_edit *edit = kzalloc(sizeof(*edit), GFP_KERNEL);

	if (!edit)
		return NULL;

	edit->hash = hash;
	edit->exclude = exclude;
	edit->reset = reset;
	edit->serial = ftrace_records_serial();
	INIT_LIST_HEAD(&edit->waiting);
	return edit;
}

static void filter_replace(struct ftrace_hash **slot, struct ftrace_hash *hash)
{
	ftrace_hash_free(*slot);
	*slot = hash;
}

/*
 * A module may be unloaded, and another module with a call site at the same address may be
 * loaded, between the pattern that found a function and the end of the edit. Remove addresses
 * that are no longer the same call site. A module that is loaded while a pattern is looked up
 * may be missed, as if it had been loaded after the pattern was written.
 */
static void filter_drop_stale(struct ftrace_filter_edit *edit)
{
	unsigned long serial = ftrace_records_serial();

	if (serial == edit->serial)
		return;

	scoped_guard(mutex, &ftrace_lock) {
		edit->lost |= ftrace_records_intersect(edit->add, edit->serial);
		ftrace_records_intersect(edit->del, edit->serial);
	}
	edit->serial = serial;
}

/**
 * ftrace_filter_edit_sites - add functions, or remove them
 * @edit: edit that ftrace_filter_edit_begin() returned; it keeps a copy of @sites
 * @sites: call sites of the functions
 * @remove: remove the functions
 *
 * The last addition or removal of a function takes effect.
 *
 * Context: may sleep
 *
 * Return: 0, or -ENOMEM with the edit unchanged
 */
int ftrace_filter_edit_sites(struct ftrace_filter_edit *edit,
			     const struct ftrace_hash *sites, bool remove)
{
	struct ftrace_hash **to = remove ? &edit->del : &edit->add;
	struct ftrace_hash **from = remove ? &edit->add : &edit->del;
	struct ftrace_hash *more = ftrace_hash_union(*to, sites);
	struct ftrace_hash *less = ftrace_hash_minus(*from, sites);

	if (!more || !less) {
		ftrace_hash_free(more);
		ftrace_hash_free(less);
		return -ENOMEM;
	}
	filter_replace(to, more);
	filter_replace(from, less);
	return 0;
}

/* An ops may be freed without notice, so patterns for the filters of an ops are never deferred. */
static bool filter_patterns_may_wait(const struct ftrace_filter_edit *edit)
{
	return edit->may_wait || edit->hash == &ftrace_global_hash;
}

/*
 * A pattern is deferred until its module is loaded, and a glob where more functions may be
 * found; plain names do not wait. A negated pattern is deferred only if an earlier pending
 * pattern may match the same functions.
 */
static bool filter_pattern_waits(struct ftrace_filter_edit *edit,
				 const struct ftrace_pattern *pattern, bool found)
{
	if (!filter_patterns_may_wait(edit) || !ftrace_mod_pending_possible(pattern))
		return false;
	if (!pattern->negate)
		return !found || (IS_ENABLED(CONFIG_FTRACE_DISCOVER) && pattern->glob);

	return ftrace_mod_pending_concerns(edit->hash, edit->exclude, &edit->waiting,
					   edit->reset, pattern);
}

/*
 * May a pattern that matches no function be accepted? It may wait, and a function that has not been
 * found is in no filter, so that nothing is left to remove.
 */
static bool filter_pattern_may_miss(const struct ftrace_pattern *pattern, bool waits)
{
	if (waits && (pattern->module || pattern->negate))
		return true;

	return (waits || pattern->negate) && !pattern->module && !pattern->source &&
	       ftrace_pattern_has_symbol(pattern);
}

/* Apply a glob, or a pattern with a module or a source. */
static int filter_edit_pattern(struct ftrace_filter_edit *edit,
			       const struct ftrace_pattern *pattern)
{
	struct ftrace_hash *sites = ftrace_match_pattern(pattern);
	bool found, waits;
	int err = 0;

	if (IS_ERR(sites))
		return PTR_ERR(sites);

	found = sites->count;
	waits = filter_pattern_waits(edit, pattern, found);
	if (!found && !filter_pattern_may_miss(pattern, waits))
		err = -EINVAL;
	if (!err && found)
		err = ftrace_filter_edit_sites(edit, sites, pattern->negate);
	if (!err && waits)
		err = ftrace_mod_pending_add(&edit->waiting, pattern);
	ftrace_hash_free(sites);
	return err;
}

/**
 * struct filter_text_state - state of a text that is being parsed
 * @names: consecutive names, which are looked up together
 * @lines: consecutive line numbers, which are looked up together; names may be between them
 * @negate: the functions with these names and numbers are to be removed
 * @command: the pattern that ends the text, if it has a command
 */
struct filter_text_state {
	struct ftrace_namelist	names;
	struct ftrace_lines	lines;
	bool			negate;
	struct ftrace_pattern	command;
};

/* Only the first pattern that is refused is reported. */
static void filter_edit_error(struct ftrace_filter_edit *edit, const char *token)
{
	if (!edit->refused)
		edit->refused = kstrdup(token, GFP_KERNEL);
}

/* Look up the line numbers collected up to now. */
static int filter_edit_lines(struct ftrace_filter_edit *edit, struct filter_text_state *state)
{
	struct ftrace_hash *sites;
	char missing[12];
	int err;

	if (!state->lines.nr)
		return 0;

	sites = ftrace_lines_sites(&state->lines);
	if (IS_ERR(sites)) {
		err = PTR_ERR(sites);
		snprintf(missing, sizeof(missing), "%u", state->lines.missing);
		if (err == -EINVAL)
			filter_edit_error(edit, missing);
	} else {
		err = ftrace_filter_edit_sites(edit, sites, state->negate);
		ftrace_hash_free(sites);
	}
	ftrace_lines_free(&state->lines);
	return err;
}

/* Look up the names collected up to now. */
static int filter_edit_names(struct ftrace_filter_edit *edit, struct filter_text_state *state)
{
	struct ftrace_hash *sites;
	int err;

	if (!state->names.nr)
		return 0;

	sites = ftrace_namelist_sites(&state->names);
	/* A text gets its serial number with its first record, which one of these may be. */
	if (IS_ENABLED(CONFIG_FTRACE_DISCOVER))
		filter_drop_stale(edit);
	if (IS_ERR(sites)) {
		err = PTR_ERR(sites);
		if (state->names.missing)
			filter_edit_error(edit, state->names.missing);
	} else {
		err = ftrace_filter_edit_sites(edit, sites, state->negate);
		ftrace_hash_free(sites);
	}
	ftrace_namelist_free(&state->names);
	return err;
}

static int filter_edit_pending(struct ftrace_filter_edit *edit, struct filter_text_state *state)
{
	return filter_edit_names(edit, state) ?: filter_edit_lines(edit, state);
}

/*
 * A name or a line number, whose look-up can be deferred to look up several together. A name to
 * remove may have to wait until its function is found.
 */
static bool filter_is_plain(const struct ftrace_pattern *pattern)
{
	unsigned int line;

	if (pattern->glob || pattern->module || pattern->source)
		return false;

	return !IS_ENABLED(CONFIG_FTRACE_DISCOVER) || !pattern->negate ||
	       ftrace_line_parse(pattern->name, &line);
}

/* Patterns take effect in their order. */
static int filter_edit_token(struct ftrace_filter_edit *edit, struct filter_text_state *state,
			     char *token)
{
	struct ftrace_pattern pattern;
	unsigned int line;
	int err;

	/* Parsing the token modifies it. */
	memcpy(edit->token, token, edit->tokens.len + 1);
	err = ftrace_pattern_parse(&pattern, token);
	if (err)
		return err;

	if (pattern.command) {
		state->command = pattern;
		return edit->tr && !edit->exclude ? 0 : -EINVAL;
	}

	if (!filter_is_plain(&pattern) || pattern.negate != state->negate) {
		err = filter_edit_pending(edit, state);
		if (err)
			return err;
	}
	if (!filter_is_plain(&pattern))
		return filter_edit_pattern(edit, &pattern);

	state->negate = pattern.negate;
	if (ftrace_line_parse(pattern.name, &line))
		return ftrace_lines_add(&state->lines, line);
	return ftrace_namelist_add(&state->names, pattern.name);
}

/*
 * Parse tokens up to the end of the text or the first command. Return: their number, or an
 * error.
 */
static int filter_edit_tokens(struct ftrace_filter_edit *edit, struct filter_text_state *state,
			      const char **text, size_t *len, bool last)
{
	int err, nr = 0;

	while (!state->command.command) {
		err = ftrace_tokens_next(&edit->tokens, text, len, last);
		if (err <= 0)
			return err ?: nr;

		nr++;
		err = filter_edit_token(edit, state, edit->tokens.text);
		if (err == -EINVAL)
			filter_edit_error(edit, edit->token);
		if (err)
			return err;
		/* A command still points into its token. */
		if (!state->command.command)
			ftrace_tokens_used(&edit->tokens);
	}
	return nr;
}

/* Run the command that ends the text. */
static int filter_edit_command(struct ftrace_filter_edit *edit,
			       const struct ftrace_pattern *command,
			       const char **text, size_t *len)
{
	int err = ftrace_command_do(edit->tr, command);

	if (err == -EINVAL)
		filter_edit_error(edit, edit->token);
	ftrace_tokens_used(&edit->tokens);
	ftrace_tokens_skip(text, len);
	return err;
}

/* Keep a copy of the state that a text may change, in case the text is refused. */
static struct ftrace_filter_edit *filter_edit_save(const struct ftrace_filter_edit *edit)
{
	struct ftrace_filter_edit *saved = kzalloc(sizeof(*saved), GFP_KERNEL);

	if (!saved)
		return NULL;

	INIT_LIST_HEAD(&saved->waiting);
	saved->add = ftrace_hash_copy(edit->add, GFP_KERNEL);
	saved->del = ftrace_hash_copy(edit->del, GFP_KERNEL);
	if (saved->add && saved->del)
		return saved;

	ftrace_filter_edit_free(saved);
	return NULL;
}

/**
 * ftrace_filter_edit_text - add a text to an edit
 * @edit: edit that ftrace_filter_edit_begin() returned
 * @text: patterns; the last one may continue in the next text
 * @len: length of @text; is set to the number of bytes used
 * @last: there is no next text
 *
 * A text is used up to its first pattern with a command, which takes effect immediately and not
 * at the end of the edit. The rest is left for the next text. So a text is accepted as a whole
 * or changes nothing.
 *
 * Context: may sleep; takes the locks of ftrace_command_do() and ftrace_lock
 *
 * Return: 0; -EINVAL if a pattern is invalid or matches no function; -ENOMEM; or as
 * ftrace_command_do(). After an error the edit is as it was before this text, and a token that
 * began in an earlier text is dropped.
 */
int ftrace_filter_edit_text(struct ftrace_filter_edit *edit, const char *text,
			    size_t *len, bool last)
{
	struct list_head *pending_before = edit->waiting.prev;
	struct ftrace_filter_edit *saved;
	struct filter_text_state state = { };
	size_t left = *len;
	int nr, err;

	filter_drop_stale(edit);
	saved = filter_edit_save(edit);
	if (!saved)
		return -ENOMEM;

	kfree(edit->refused);
	edit->refused = NULL;

	nr = filter_edit_tokens(edit, &state, &text, &left, last);
	err = nr < 0 ? nr : filter_edit_pending(edit, &state);
	if (!err && state.command.command)
		err = filter_edit_command(edit, &state.command, &text, &left);
	ftrace_namelist_free(&state.names);
	ftrace_lines_free(&state.lines);

	if (err) {
		ftrace_tokens_reset(&edit->tokens);
		ftrace_mod_pending_truncate(&edit->waiting, pending_before);
		swap(edit->add, saved->add);
		swap(edit->del, saved->del);
	} else {
		edit->taken += nr;
		*len -= left;
	}
	ftrace_filter_edit_free(saved);
	return err;
}

/**
 * struct filter_edit_end - an edit that takes effect
 * @edit: edit that ftrace_filter_edit_begin() returned
 * @waiting: change of the pending patterns
 */
struct filter_edit_end {
	struct ftrace_filter_edit	*edit;
	struct ftrace_mod_pending_change	waiting;
};

/*
 * A filter without functions does not restrict tracing, unless pending patterns will add
 * functions. But a filter whose functions were all removed with their modules still selects no
 * function.
 */
static bool filter_is_unrestricted(const struct filter_edit_end *end, const struct ftrace_hash *old,
				   const struct ftrace_hash *new)
{
	bool had_gone = !end->edit->reset && old && !old->count && !end->waiting.adds_before;

	return !new->count && !end->waiting.adds_after && !had_gone && !end->edit->lost;
}

/* Called under ftrace_lock: the current filter, plus the additions, minus the removals. */
static struct ftrace_hash *filter_edited(struct ftrace_hash *old, const void *data)
{
	const struct filter_edit_end *end = data;
	struct ftrace_filter_edit *edit = end->edit;
	struct ftrace_hash *all, *new = NULL;

	edit->lost |= ftrace_records_intersect(edit->add, edit->serial);
	all = ftrace_hash_union(edit->reset ? NULL : old, edit->add);
	if (all)
		new = ftrace_hash_minus(all, edit->del);
	ftrace_hash_free(all);
	if (!new)
		return ERR_PTR(-ENOMEM);

	if (filter_is_unrestricted(end, old, new)) {
		ftrace_hash_free(new);
		return NULL;
	}
	if (ftrace_hash_same(new, old)) {
		ftrace_hash_free(new);
		return old;
	}
	return new;
}

/*
 * A pattern whose module has been loaded since, or for which functions have been found since, has
 * functions to add now, except functions that later patterns of the edit remove.
 */
static int filter_edit_catch_up(struct ftrace_filter_edit *edit)
{
	struct ftrace_hash *sites, *kept;
	int err = -ENOMEM;

	if (list_empty(&edit->waiting))
		return 0;

	filter_drop_stale(edit);
	sites = ftrace_mod_pending_match(&edit->waiting, NULL);
	if (IS_ERR(sites))
		return PTR_ERR(sites);

	kept = ftrace_hash_minus(sites, edit->del);
	if (kept)
		err = ftrace_filter_edit_sites(edit, kept, false);
	ftrace_hash_free(kept);
	ftrace_hash_free(sites);
	return err;
}

/**
 * ftrace_filter_edit_end - let an edit take effect
 * @edit: edit that ftrace_filter_edit_begin() returned; the caller still has to free it
 *
 * Context: may sleep; takes @edit->hash->regex_lock and ftrace_lock
 *
 * Return: 0, -ENOMEM, or as ftrace_ops_edit_hash(); after an error, the filter is unchanged
 */
int ftrace_filter_edit_end(struct ftrace_filter_edit *edit)
{
	struct filter_edit_end end = { .edit = edit };
	int err;

	if (!filter_patterns_may_wait(edit))
		return ftrace_ops_edit_hash(edit->hash, edit->exclude, filter_edited, &end,
					    GFP_KERNEL);

	ftrace_mod_pending_lock();
	err = ftrace_mod_pending_prepare(&end.waiting, edit->hash, edit->exclude,
					 &edit->waiting, edit->reset);
	if (!err)
		err = filter_edit_catch_up(edit);
	if (!err)
		err = ftrace_ops_edit_hash(edit->hash, edit->exclude, filter_edited, &end,
					   GFP_KERNEL);
	ftrace_mod_pending_finish(&end.waiting, !err);
	ftrace_mod_pending_unlock();
	return err;
}

/**
 * ftrace_filter_edit_free - free an edit
 * @edit: the edit, or NULL
 */
void ftrace_filter_edit_free(struct ftrace_filter_edit *edit)
{
	if (!edit)
		return;

	ftrace_hash_free(edit->add);
	ftrace_hash_free(edit->del);
	kfree(edit->refused);
	ftrace_mod_pending_truncate(&edit->waiting, &edit->waiting);
	kfree(edit);
}
