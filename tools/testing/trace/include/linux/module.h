/* SPDX-License-Identifier: GPL-2.0 */
/*
 * Empty: the module macros of a source have no meaning in user space, see the Makefile.
 */
