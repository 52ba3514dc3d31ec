/* SPDX-License-Identifier: GPL-2.0 */
/*
 * What says how a source becomes a module means nothing in user space, see
 * the Makefile.
 */
