// SPDX-License-Identifier: GPL-2.0
/*
 * ftest_corrupt - a function whose call site has unexpected bytes.
 *
 * Writing Y to the parameter `corrupt` overwrites the call site of ftest_corrupted(), and N
 * restores it. That function is never called; only the code that patches call sites reads it.
 * Function tracing remains off once it has found such a site, so the test needs its own boot.
 */
#define pr_fmt(fmt) KBUILD_MODNAME ": " fmt

#include <linux/kallsyms.h>
#include <linux/mm.h>
#include <linux/module.h>
#include <linux/string.h>
#include <linux/vmalloc.h>

/* Long enough for a landing pad and the site after it, on each architecture. */
#define CORRUPTED		16
/* No call site and no NOP consists of this byte. */
#define CORRUPTED_BYTE	0x66

static bool corrupt;
static u8 right_bytes[CORRUPTED];

/* Global and long, so that the compiler neither drops it nor makes it shorter than CORRUPTED. */
noinline void ftest_corrupted(u32 *out, u32 nr);
noinline void ftest_corrupted(u32 *out, u32 nr)
{
	u32 i;

	for (i = 0; i < nr; i++)
		out[i] = out[i] * 7 + nr;
}
EXPORT_SYMBOL_GPL(ftest_corrupted);

static int site_write(const u8 *bytes)
{
	unsigned long addr = (unsigned long)dereference_function_descriptor(ftest_corrupted);
	unsigned long at = offset_in_page(addr);
	struct page *pages[2];
	unsigned int nr = at + CORRUPTED > PAGE_SIZE ? 2 : 1;
	unsigned int i;
	void *alias;

	/* Text is read-only, but a second mapping of its page is writable */
	for (i = 0; i < nr; i++)
		pages[i] = vmalloc_to_page((void *)(addr + i * PAGE_SIZE));
	if (!pages[0] || !pages[nr - 1])
		return -ENOENT;
	alias = vmap(pages, nr, VM_MAP, PAGE_KERNEL);
	if (!alias)
		return -ENOMEM;
	memcpy(alias + at, bytes, CORRUPTED);
	vunmap(alias);
	return 0;
}

static int corrupt_set(const char *val, const struct kernel_param *kp)
{
	u8 bytes[CORRUPTED];
	bool want;
	int ret = kstrtobool(val, &want);

	if (ret || want == corrupt)
		return ret;
	memset(bytes, CORRUPTED_BYTE, sizeof(bytes));
	ret = site_write(want ? bytes : right_bytes);
	if (!ret)
		corrupt = want;
	return ret;
}

static const struct kernel_param_ops corrupt_ops = {
	.set = corrupt_set,
	.get = param_get_bool,
};
module_param_cb(corrupt, &corrupt_ops, &corrupt, 0600);
MODULE_PARM_DESC(corrupt, "Whether the call site has unexpected bytes");

static int __init ftest_corrupt_init(void)
{
	memcpy(right_bytes, dereference_function_descriptor(ftest_corrupted), CORRUPTED);
	return 0;
}
module_init(ftest_corrupt_init);

static void __exit ftest_corrupt_exit(void)
{
	if (corrupt)
		site_write(right_bytes);
}
module_exit(ftest_corrupt_exit);

MODULE_DESCRIPTION("A function whose call site can be corrupted");
MODULE_LICENSE("GPL");
