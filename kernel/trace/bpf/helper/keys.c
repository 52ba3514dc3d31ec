// SPDX-License-Identifier: GPL-2.0
/*
 * kfuncs that look up keyrings and verify signatures with them.
 */
#include <linux/bpf.h>
#include <linux/btf.h>
#include <linux/btf_ids.h>
#include <linux/errno.h>
#include <linux/init.h>
#include <linux/key.h>
#include <linux/preempt.h>
#include <linux/slab.h>
#include <linux/verification.h>

/* @key is a small number for the keyrings of the system, which have no references. */
static struct bpf_key *keys_new(struct key *key, bool has_ref, gfp_t gfp)
{
	struct bpf_key *bkey = kmalloc(sizeof(*bkey), gfp);

	if (bkey)
		*bkey = (struct bpf_key) { .key = key, .has_ref = has_ref };

	return bkey;
}

__bpf_kfunc_start_defs();

/**
 * bpf_lookup_user_key - find a key of the current task
 * @serial: its number, or one of the special ones of keyctl(2)
 * @flags: flags of enum key_lookup_flag
 *
 * May sleep. Whether the task may use the key is checked when it is used.
 *
 * Return: a reference, which the program must drop by bpf_key_put(), or NULL
 */
__bpf_kfunc struct bpf_key *bpf_lookup_user_key(u32 serial, u64 flags)
{
	struct bpf_key *bkey;
	key_ref_t ref;

	if (flags & ~KEY_LOOKUP_ALL)
		return NULL;
	ref = lookup_user_key(serial, flags, KEY_DEFER_PERM_CHECK);
	if (IS_ERR(ref))
		return NULL;
	bkey = keys_new(key_ref_to_ptr(ref), true, GFP_KERNEL);
	if (!bkey)
		key_ref_put(ref);

	return bkey;
}

/**
 * bpf_lookup_system_key - refer to a keyring of the system
 * @id: 0 for the built-in keys, 1 with the secondary keys, 2 for the keys of the platform
 *
 * Any context; there is no memory for the reference in an NMI.
 *
 * Return: as for bpf_lookup_user_key()
 */
__bpf_kfunc struct bpf_key *bpf_lookup_system_key(u64 id)
{
	if (system_keyring_id_check(id) || in_nmi())
		return NULL;

	return keys_new((struct key *)(unsigned long)id, false, GFP_ATOMIC);
}

/**
 * bpf_key_put - drop a reference to a key or keyring
 * @bkey: the reference, which ends
 *
 * Any context but NMI.
 */
__bpf_kfunc void bpf_key_put(struct bpf_key *bkey)
{
	if (bkey->has_ref)
		key_put(bkey->key);
	kfree(bkey);
}

#ifdef CONFIG_SYSTEM_DATA_VERIFICATION
static const void *keys_data(const struct bpf_dynptr *pointer, u32 *size)
{
	const struct bpf_dynptr_kern *data = (const struct bpf_dynptr_kern *)pointer;

	*size = __bpf_dynptr_size(data);

	return __bpf_dynptr_data(data, *size);
}

/**
 * bpf_verify_pkcs7_signature - verify the signature of data
 * @data_p: the data
 * @sig_p: its PKCS#7 signature
 * @trusted_keyring: the keys that may have signed it
 *
 * May sleep.
 *
 * Return: 0 if the signature is valid; -EINVAL if the memory is not contiguous; an error of
 * key_validate() or verify_pkcs7_signature()
 */
__bpf_kfunc int bpf_verify_pkcs7_signature(struct bpf_dynptr *data_p, struct bpf_dynptr *sig_p,
					   struct bpf_key *trusted_keyring)
{
	u32 data_size, sig_size;
	const void *data = keys_data(data_p, &data_size);
	const void *sig = keys_data(sig_p, &sig_size);
	int err;

	if (!data || !sig)
		return -EINVAL;
	err = trusted_keyring->has_ref ? key_validate(trusted_keyring->key) : 0;

	return err ?: verify_pkcs7_signature(data, data_size, sig, sig_size, trusted_keyring->key,
					     VERIFYING_UNSPECIFIED_SIGNATURE, NULL, NULL);
}
#endif /* CONFIG_SYSTEM_DATA_VERIFICATION */

__bpf_kfunc_end_defs();

BTF_KFUNCS_START(keys_kfuncs)
BTF_ID_FLAGS(func, bpf_lookup_user_key, KF_ACQUIRE | KF_RET_NULL | KF_SLEEPABLE)
BTF_ID_FLAGS(func, bpf_lookup_system_key, KF_ACQUIRE | KF_RET_NULL)
BTF_ID_FLAGS(func, bpf_key_put, KF_RELEASE)
#ifdef CONFIG_SYSTEM_DATA_VERIFICATION
BTF_ID_FLAGS(func, bpf_verify_pkcs7_signature, KF_SLEEPABLE)
#endif
BTF_KFUNCS_END(keys_kfuncs)

static const struct btf_kfunc_id_set keys_kfunc_set = {
	.owner	= THIS_MODULE,
	.set	= &keys_kfuncs,
};

static int __init keys_init(void)
{
	return register_btf_kfunc_id_set(BPF_PROG_TYPE_TRACING, &keys_kfunc_set);
}
late_initcall(keys_init);
