// SPDX-License-Identifier: GPL-2.0
/*
 * Letters for the operation and flags of a block request, as shown by events of block devices.
 */
#include <linux/blk_types.h>
#include <linux/blktrace_api.h>
#include <linux/export.h>

/* Letters of an operation; N if it transfers no data. */
static const char *rwbs_operation(blk_opf_t opf)
{
	switch (opf & REQ_OP_MASK) {
	case REQ_OP_READ:
		return "R";
	case REQ_OP_WRITE:
		return "W";
	case REQ_OP_FLUSH:
		return "F";
	case REQ_OP_DISCARD:
		return "D";
	case REQ_OP_SECURE_ERASE:
		return "DE";
	default:
		return "N";
	}
}

/**
 * blk_fill_rwbs - write the letters of a request, in the format of blkparse(1)
 * @rwbs: destination, with space for RWBS_LEN characters including the NUL
 * @opf: operation and flags of the request
 *
 * An F before the operation stands for a flush that precedes it, an F after it for data that
 * must reach the medium (FUA); A for read-ahead, S for sync, M for metadata. Any context.
 */
void blk_fill_rwbs(char *rwbs, blk_opf_t opf)
{
	const char *letters = rwbs_operation(opf);

	if (opf & REQ_PREFLUSH)
		*rwbs++ = 'F';
	while (*letters)
		*rwbs++ = *letters++;
	if (opf & REQ_FUA)
		*rwbs++ = 'F';
	if (opf & REQ_RAHEAD)
		*rwbs++ = 'A';
	if (opf & REQ_SYNC)
		*rwbs++ = 'S';
	if (opf & REQ_META)
		*rwbs++ = 'M';
	*rwbs = '\0';
}
EXPORT_SYMBOL_GPL(blk_fill_rwbs);
