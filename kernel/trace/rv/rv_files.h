/* SPDX-License-Identifier: GPL-2.0 */
/*
 * The directory of runtime verification.
 */
#ifndef _TRACE_RV_RV_FILES_H
#define _TRACE_RV_RV_FILES_H

#include "tracefs/files.h"

#ifdef CONFIG_RV
void tracefs_add_rv(void);
#else
static inline void tracefs_add_rv(void) { }
#endif

/*
 * Files of reactors: in the directory rv, and in the directory of a monitor, whose id is the
 * subject.
 */
#ifdef CONFIG_RV_REACTORS
extern const struct tracefs_entry tracefs_rv_reactor_files[];
extern const struct tracefs_entry tracefs_rv_reaction_files[];
#else
static const struct tracefs_entry tracefs_rv_reactor_files[] __maybe_unused = { {} };
static const struct tracefs_entry tracefs_rv_reaction_files[] __maybe_unused = { {} };
#endif

#endif /* _TRACE_RV_RV_FILES_H */
