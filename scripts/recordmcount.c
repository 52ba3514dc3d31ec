// SPDX-License-Identifier: GPL-2.0
/*
 * recordmcount: list the call sites of the profiling function in an object.
 *
 * Usage: recordmcount [-sw] FILE.o...
 *
 * With -pg the compiler begins every function that may be traced with a call
 * of a profiling function. Here, right after an object was compiled, each such
 * call is replaced by a NOP, its relocation by one that does nothing, and its
 * address is added to a section __mcount_loc, which the linker collects. The
 * kernel then finds all its sites in one table and has nothing to patch until
 * someone traces.
 *
 * The calls are found through their relocations, so it makes no difference in
 * which section, after which instruction (endbr64) or how far from the symbol
 * (padding before the function) the compiler put them. Sections whose code
 * must not or cannot be traced get their NOPs, but no entries; -w lists them.
 *
 * With -s the path of the object is recorded too, in a section __mcount_src that tells
 * the kernel which source a site comes from. For each object the section has, in
 * 32-bit numbers that need no relocation when the kernel is moved,
 *
 *	number of spans that follow
 *	each span		distance from this field to its first site, and
 *				bytes from there to its last site
 *	path of the object	as given, less "." and what ".." undoes; ends in
 *				zeros, up to a multiple of 4 bytes
 *
 * A span covers the sites of one section of the object. No site of another object
 * lies inside it.
 *
 * With -fpatchable-function-entry the compiler lists the functions itself, in a section
 * __patchable_function_entries, and the instructions are NOPs already. Of such an object
 * only the path is recorded.
 *
 * The object is read once, changed in memory, written beside the old one and
 * renamed over it. Anybody who opens it gets the old object or the new one, and other
 * links to the old one, as a compiler cache makes them, are not affected. An object
 * that has been processed has no calls left, so processing it again changes nothing.
 *
 * Everything new is at the end of the file, in this order:
 *
 *	.symtab, .symtab_shndx	only if section symbols had to be added
 *	__mcount_loc		zeros, 8 bytes for each site; not if the compiler has a list
 *	.rela__mcount_loc	section symbol of the site's section + offset
 *	__mcount_src		with -s: spans and path, as above
 *	.rela__mcount_src	with -s: section symbol + offset of the first site
 *	.shstrtab		as it was, and the names of the new sections
 *	section headers		as they were, and headers of the new sections
 *
 * Only 64-bit ELF files of a machine in the table below are supported. Any other
 * file, and a file that contradicts itself, is not changed; a message tells why, and
 * the exit status is 1.
 */

#include <byteswap.h>
#include <elf.h>
#include <errno.h>
#include <fcntl.h>
#include <limits.h>
#include <signal.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#define ARRAY_SIZE(a)	(sizeof(a) / sizeof((a)[0]))

/* reports what is wrong with an object; is -1, for the caller to return */
#define bad(obj, fmt, ...) \
	(fprintf(stderr, "recordmcount: %s: " fmt "\n", (obj)->name, ##__VA_ARGS__), -1)

/* LLVM's list of symbols whose address matters; a libc may not know it */
#define SHT_ADDRSIG	0x6fff4c03

#define ENTRIES_SECTION	"__patchable_function_entries"
#define LOC_SECTION	"__mcount_loc"
#define LOC_ENTRY	8
#define SRC_SECTION	"__mcount_src"
#define SRC_COUNT	4
#define SRC_SPAN	8

/**
 * struct call - the instruction of a call, and what replaces it
 * @start:	bytes from the instruction's start to its relocated field
 * @size:	bytes of the instruction
 * @nop:	as many bytes that do nothing
 */
struct call {
	unsigned int		start;
	unsigned int		size;
	const unsigned char	*nop;
};

/**
 * struct machine - what differs between instruction sets
 * @e_machine:	its number in the ELF header
 * @callee:	names of the profiling function, up to the first NULL
 * @r_abs64:	type of a relocation that stores a 64-bit address
 * @r_rel32:	type of one that stores the distance to an address in 32 bits
 * @r_none:	type of a relocation that does nothing
 * @entry:	most bytes from where the compiler lists a function to its site; 0 where
 *		such a list is not one of call sites
 * @find_call:	returns the call that a relocation of type @type belongs to, or
 *		NULL if it belongs to something else (the address of the
 *		profiling function may be taken); @text is the relocated
 *		field, @before and @after say how many bytes of the section
 *		precede it and how many begin with it
 */
struct machine {
	Elf64_Half	e_machine;
	const char	*callee[3];
	unsigned int	r_abs64;
	unsigned int	r_rel32;
	unsigned int	r_none;
	unsigned int	entry;
	const struct call *(*find_call)(unsigned int type, const unsigned char *text,
					Elf64_Xword before, Elf64_Xword after);
};

/**
 * struct object - a file in memory
 * @name:	for messages
 * @data:	the file's bytes; they are changed in place
 * @size:	their number
 * @swap:	it has the other byte order
 * @mach:	its entry in the table of machines
 * @ehdr:	ELF header
 * @shdr:	section headers
 * @shnum:	their number
 * @shstrndx:	index of the section that holds the sections' names
 * @shstr:	those names
 * @symndx:	index of the symbol table, or 0
 * @sym:	symbols
 * @symnum:	their number
 * @locals:	number of local symbols, which come first
 * @str:	the symbols' names
 * @strsize:	bytes of them
 * @xndxndx:	index of the symbols' extended section indices, or 0
 * @xndx:	those indices
 * @is_callee:	for each symbol, whether it is the profiling function
 * @secsym:	for each section, the index of its section symbol where one is
 *		needed
 * @newsyms:	number of section symbols to add
 * @sites:	calls to record
 * @nsites:	their number
 * @maxsites:	number of calls that there is space for
 * @nops:	number of calls replaced, recorded or not
 * @listed:	the sites come from the compiler's list
 * @path:	path of the object to record, or NULL
 * @pathsize:	bytes of it, with the zeros at its end
 * @spans:	sections with sites
 * @nspans:	their number
 */
struct object {
	const char		*name;
	unsigned char		*data;
	Elf64_Xword		size;
	bool			swap;
	const struct machine	*mach;
	Elf64_Ehdr		*ehdr;
	Elf64_Shdr		*shdr;
	unsigned int		shnum;
	unsigned int		shstrndx;
	const char		*shstr;
	unsigned int		symndx;
	Elf64_Sym		*sym;
	unsigned int		symnum;
	unsigned int		locals;
	const char		*str;
	Elf64_Xword		strsize;
	unsigned int		xndxndx;
	unsigned int		*xndx;
	bool			*is_callee;
	unsigned int		*secsym;
	unsigned int		newsyms;
	struct site {
		unsigned int	section;
		Elf64_Xword	offset;
	}			*sites;
	Elf64_Xword		nsites;
	Elf64_Xword		maxsites;
	Elf64_Xword		nops;
	bool			listed;
	char			*path;
	Elf64_Xword		pathsize;
	struct span {
		unsigned int	section;
		Elf64_Xword	first;
		Elf64_Xword	last;
	}			*spans;
	Elf64_Xword		nspans;
};

/**
 * struct extent - a part of the file that has one use
 * @start:	where it begins
 * @end:	where the next may begin
 */
struct extent {
	Elf64_Xword		start;
	Elf64_Xword		end;
};

/**
 * struct image - the file to be written
 * @head:	bytes of the old file that stay
 * @size:	their number
 * @tail:	bytes that follow, aligned in memory as in the file
 * @used:	their number
 * @memory:	allocation to free in the end
 */
struct image {
	const unsigned char	*head;
	Elf64_Xword		size;
	unsigned char		*tail;
	Elf64_Xword		used;
	void			*memory;
};

/*
 * Sections whose calls are recorded: each of these names, alone or followed by
 * a dot and something (.text.unlikely, .text.some_function).
 *
 * All other sections are not traced, for a reason: code that runs where no C function
 * may be called (.noinstr.text, .cpuidle.text, .entry.text), that runs before the
 * kernel is where it was linked to (.head.text), at another exception level or
 * in another address space, that is copied elsewhere, or discarded by a linker
 * script (.exit.text, whose functions are notrace for that reason). What is
 * freed after boot or after a module's init is traced until then.
 */
static const char * const traced_sections[] = {
	".text",
	".init.text",
	".ref.text",
	".sched.text",
	".spinlock.text",
	".irqentry.text",
	".softirqentry.text",
	".kprobes.text",
};

/* machines --------------------------------------------------------------- */

/*
 * nopl 0(%rax,%rax,1), and a plain nop: the call through the GOT is a byte
 * longer, and the kernel changes only the five bytes that it always changes.
 */
static const unsigned char x86_64_nop[] = {
	0x0f, 0x1f, 0x44, 0x00, 0x00, 0x90
};

static const struct call x86_64_direct = { 1, 5, x86_64_nop };	/* call rel32 */
static const struct call x86_64_got = { 2, 6, x86_64_nop };	/* call *disp32(%rip) */

static const struct call *x86_64_find_call(unsigned int type, const unsigned char *text,
					   Elf64_Xword before, Elf64_Xword after)
{
	if (after < 4)
		return NULL;

	switch (type) {
	case R_X86_64_PC32:
	case R_X86_64_PLT32:
		if (before >= 1 && text[-1] == 0xe8)
			return &x86_64_direct;
		return NULL;
	case R_X86_64_GOTPCREL:
	case R_X86_64_GOTPCRELX:
		if (before >= 2 && text[-2] == 0xff && text[-1] == 0x15)
			return &x86_64_got;
		return NULL;
	default:
		return NULL;
	}
}

static const unsigned char aarch64_nop[] = { 0x1f, 0x20, 0x03, 0xd5 };

static const struct call aarch64_bl = { 0, 4, aarch64_nop };

/* instructions are little endian on big-endian aarch64, too */
static const struct call *aarch64_find_call(unsigned int type, const unsigned char *text,
					    Elf64_Xword before, Elf64_Xword after)
{
	if (type != R_AARCH64_CALL26 || after < 4 || before % 4)
		return NULL;
	return (text[3] & 0xfc) == 0x94 ? &aarch64_bl : NULL;
}

static const struct machine machines[] = {
	{
		.e_machine	= EM_X86_64,
		.callee		= { "__fentry__", "mcount" },
		.r_abs64	= R_X86_64_64,
		.r_rel32	= R_X86_64_PC32,
		.r_none		= R_X86_64_NONE,
		.find_call	= x86_64_find_call,
	},
	{
		.e_machine	= EM_AARCH64,
		.callee		= { "_mcount" },
		.r_abs64	= R_AARCH64_ABS64,
		.r_rel32	= R_AARCH64_PREL32,
		.r_none		= R_AARCH64_NONE,
		.entry		= 8,	/* behind BTI and one of two instructions */
		.find_call	= aarch64_find_call,
	},
};

/**
 * struct wishes - options of the command line
 * @source:	record the path of the object
 * @warn:	list calls that are not recorded
 */
struct wishes {
	bool			source;
	bool			warn;
};

/* help ------------------------------------------------------------------- */

/* between the object's byte order and ours, either way */
static Elf64_Half x16(const struct object *obj, Elf64_Half v)
{
	return obj->swap ? bswap_16(v) : v;
}

static unsigned int x32(const struct object *obj, unsigned int v)
{
	return obj->swap ? bswap_32(v) : v;
}

static Elf64_Xword x64(const struct object *obj, Elf64_Xword v)
{
	return obj->swap ? bswap_64(v) : v;
}

static const char *section_name(const struct object *obj, unsigned int i)
{
	return obj->shstr + x32(obj, obj->shdr[i].sh_name);
}

static unsigned int section_type(const struct object *obj, unsigned int i)
{
	return x32(obj, obj->shdr[i].sh_type);
}

static bool section_has_bytes(const struct object *obj, unsigned int i)
{
	unsigned int type = section_type(obj, i);

	return type != SHT_NULL && type != SHT_NOBITS;
}

static Elf64_Xword section_size(const struct object *obj, unsigned int i)
{
	return x64(obj, obj->shdr[i].sh_size);
}

static void *section_data(const struct object *obj, unsigned int i)
{
	return obj->data + x64(obj, obj->shdr[i].sh_offset);
}

/* the section that a symbol is in; 0 for undefined, absolute and common ones */
static unsigned int symbol_section(const struct object *obj, unsigned int i)
{
	Elf64_Half shndx = x16(obj, obj->sym[i].st_shndx);

	if (shndx == SHN_XINDEX)
		return obj->xndx ? x32(obj, obj->xndx[i]) : 0;
	return shndx < SHN_LORESERVE ? shndx : 0;
}

/* reading an object ------------------------------------------------------ */

static int check_ident(struct object *obj)
{
	const Elf64_Half one = 1;
	bool big = *(const unsigned char *)&one == 0;
	Elf64_Ehdr *ehdr = (Elf64_Ehdr *)obj->data;
	unsigned int i;

	if (obj->size < SELFMAG || memcmp(ehdr->e_ident, ELFMAG, SELFMAG))
		return bad(obj, "not an ELF file");
	if (obj->size < sizeof(*ehdr))
		return bad(obj, "truncated: %llu bytes are no ELF header",
			   (unsigned long long)obj->size);
	if (ehdr->e_ident[EI_DATA] != ELFDATA2LSB && ehdr->e_ident[EI_DATA] != ELFDATA2MSB)
		return bad(obj, "unknown byte order %d", ehdr->e_ident[EI_DATA]);
	if (ehdr->e_ident[EI_VERSION] != EV_CURRENT)
		return bad(obj, "unknown ELF version %d", ehdr->e_ident[EI_VERSION]);

	obj->ehdr = ehdr;
	obj->swap = big != (ehdr->e_ident[EI_DATA] == ELFDATA2MSB);

	/* up to and with e_machine the header is the same in 32 bits */
	for (i = 0; i < ARRAY_SIZE(machines); i++)
		if (machines[i].e_machine == x16(obj, ehdr->e_machine))
			obj->mach = &machines[i];
	if (!obj->mach)
		return bad(obj, "unknown machine %d", x16(obj, ehdr->e_machine));
	if (ehdr->e_ident[EI_CLASS] != ELFCLASS64)
		return bad(obj, "not a 64-bit ELF file");
	if (x16(obj, ehdr->e_type) != ET_REL)
		return bad(obj, "not a relocatable object");
	if (ehdr->e_phnum)
		return bad(obj, "corrupt: relocatable, yet with program headers");
	return 0;
}

/* finds the section headers, also when there are too many for the ELF header */
static int read_headers(struct object *obj)
{
	const Elf64_Ehdr *ehdr = obj->ehdr;
	Elf64_Xword off = x64(obj, ehdr->e_shoff);
	Elf64_Xword num = x16(obj, ehdr->e_shnum);
	Elf64_Xword max;

	if (off < sizeof(*ehdr) || off % 8)
		return bad(obj, "corrupt: section headers at %#llx", (unsigned long long)off);
	if (x16(obj, ehdr->e_shentsize) != sizeof(Elf64_Shdr))
		return bad(obj, "corrupt: section headers of %d bytes",
			   x16(obj, ehdr->e_shentsize));
	max = off < obj->size ? (obj->size - off) / sizeof(Elf64_Shdr) : 0;
	if (!max)
		return bad(obj, "truncated: no section headers");

	obj->shdr = (Elf64_Shdr *)(obj->data + off);
	if (!num)
		num = x64(obj, obj->shdr[0].sh_size);
	/* four more are to fit in 32 bits */
	if (!num || num > max || num > UINT_MAX - 4)
		return bad(obj, "truncated: %llu section headers of %llu are there",
			   (unsigned long long)max, (unsigned long long)num);
	obj->shnum = num;

	obj->shstrndx = x16(obj, ehdr->e_shstrndx);
	if (obj->shstrndx == SHN_XINDEX)
		obj->shstrndx = x32(obj, obj->shdr[0].sh_link);
	if (!obj->shstrndx || obj->shstrndx >= obj->shnum)
		return bad(obj, "corrupt: section names in section %u of %u",
			   obj->shstrndx, obj->shnum);
	return 0;
}

/* a string table ends with a zero, so that every offset in it is a string */
static bool is_string_table(const struct object *obj, unsigned int i)
{
	Elf64_Xword size = section_size(obj, i);

	return section_type(obj, i) == SHT_STRTAB && size &&
		!((const char *)section_data(obj, i))[size - 1];
}

/* afterwards the bytes and the name of every section can be read */
static int check_sections(struct object *obj)
{
	Elf64_Xword names;
	unsigned int i;

	for (i = 1; i < obj->shnum; i++) {
		Elf64_Xword off = x64(obj, obj->shdr[i].sh_offset);

		if (!section_has_bytes(obj, i))
			continue;
		if (off > obj->size || section_size(obj, i) > obj->size - off)
			return bad(obj, "truncated: section %u ends beyond the file", i);
	}

	if (!is_string_table(obj, obj->shstrndx))
		return bad(obj, "corrupt: section names are no string table");
	obj->shstr = section_data(obj, obj->shstrndx);
	names = section_size(obj, obj->shstrndx);
	for (i = 0; i < obj->shnum; i++)
		if (x32(obj, obj->shdr[i].sh_name) >= names)
			return bad(obj, "corrupt: section %u has no name", i);
	return 0;
}

static int compare_extents(const void *a, const void *b)
{
	const struct extent *x = a, *y = b;

	return x->start < y->start ? -1 : x->start > y->start;
}

/*
 * Results of checks remain valid while the file is changed, because no byte belongs
 * to two sections.
 */
static int check_overlaps(const struct object *obj)
{
	Elf64_Xword shoff = x64(obj, obj->ehdr->e_shoff);
	struct extent *ext = calloc((size_t)obj->shnum + 2, sizeof(*ext));
	unsigned int i, num = 2;
	int ret = 0;

	if (!ext)
		return bad(obj, "%s", strerror(ENOMEM));

	ext[0] = (struct extent){ 0, sizeof(Elf64_Ehdr) };
	ext[1] = (struct extent){ shoff, shoff + obj->shnum * sizeof(Elf64_Shdr) };
	for (i = 1; i < obj->shnum; i++) {
		Elf64_Xword off = x64(obj, obj->shdr[i].sh_offset);
		Elf64_Xword size = section_size(obj, i);

		if (section_has_bytes(obj, i) && size)
			ext[num++] = (struct extent){ off, off + size };
	}
	qsort(ext, num, sizeof(*ext), compare_extents);
	for (i = 1; i < num && !ret; i++)
		if (ext[i].start < ext[i - 1].end)
			ret = bad(obj, "corrupt: sections overlap at %#llx",
				  (unsigned long long)ext[i].start);
	free(ext);
	return ret;
}

/* whether a section is a table of entries of this size that can be used in place */
static bool is_table(const struct object *obj, unsigned int i, Elf64_Xword entry)
{
	const Elf64_Shdr *shdr = &obj->shdr[i];

	return x64(obj, shdr->sh_entsize) == entry &&
		section_size(obj, i) % entry == 0 &&
		section_size(obj, i) / entry <= UINT_MAX / 2 &&
		x64(obj, shdr->sh_offset) % (entry % 8 ? 4 : 8) == 0;
}

static int read_symtab(struct object *obj, unsigned int ndx)
{
	const Elf64_Shdr *shdr = &obj->shdr[ndx];
	unsigned int link = x32(obj, shdr->sh_link);
	unsigned int i;

	if (obj->symndx)
		return bad(obj, "corrupt: more than one symbol table");
	if (!is_table(obj, ndx, sizeof(Elf64_Sym)))
		return bad(obj, "corrupt: symbol table");
	if (!link || link >= obj->shnum || !is_string_table(obj, link))
		return bad(obj, "corrupt: symbol names are no string table");

	obj->symndx = ndx;
	obj->sym = section_data(obj, ndx);
	obj->symnum = section_size(obj, ndx) / sizeof(Elf64_Sym);
	obj->locals = x32(obj, shdr->sh_info);
	obj->str = section_data(obj, link);
	obj->strsize = section_size(obj, link);
	if (obj->locals > obj->symnum || (obj->symnum && !obj->locals))
		return bad(obj, "corrupt: %u of %u symbols are local", obj->locals, obj->symnum);
	for (i = 0; i < obj->symnum; i++)
		if (x32(obj, obj->sym[i].st_name) >= obj->strsize)
			return bad(obj, "corrupt: symbol %u has no name", i);
	return 0;
}

/* the symbol table, and the section indices that do not fit in it */
static int read_symbols(struct object *obj)
{
	unsigned int i;

	for (i = 1; i < obj->shnum; i++)
		if (section_type(obj, i) == SHT_SYMTAB && read_symtab(obj, i))
			return -1;

	for (i = 1; obj->symndx && i < obj->shnum; i++) {
		if (section_type(obj, i) != SHT_SYMTAB_SHNDX)
			continue;
		if (obj->xndx || x32(obj, obj->shdr[i].sh_link) != obj->symndx ||
		    !is_table(obj, i, sizeof(unsigned int)) ||
		    section_size(obj, i) / sizeof(unsigned int) != obj->symnum)
			return bad(obj, "corrupt: extended section indices");
		obj->xndxndx = i;
		obj->xndx = section_data(obj, i);
	}
	return 0;
}

/* finding calls ---------------------------------------------------------- */

static bool is_callee_name(const struct machine *mach, const char *name)
{
	unsigned int i;

	for (i = 0; i < ARRAY_SIZE(mach->callee) && mach->callee[i]; i++)
		if (!strcmp(name, mach->callee[i]))
			return true;
	return false;
}

/* marks the symbols of the profiling function; returns how many, or -1 */
static int find_callees(struct object *obj)
{
	int found = 0;
	unsigned int i;

	if (!obj->symnum)
		return 0;
	obj->is_callee = calloc(obj->symnum, sizeof(*obj->is_callee));
	if (!obj->is_callee)
		return bad(obj, "%s", strerror(ENOMEM));

	for (i = 1; i < obj->symnum; i++) {
		const char *name = obj->str + x32(obj, obj->sym[i].st_name);

		/* nearly all names end here */
		if (name[0] != '_' && name[0] != 'm')
			continue;
		if (is_callee_name(obj->mach, name)) {
			obj->is_callee[i] = true;
			found = 1;
		}
	}
	return found;
}

/*
 * A section in a group goes when the linker finds another group of that name:
 * an entry that refers to it would not link.
 */
static bool is_traced(const struct object *obj, unsigned int section)
{
	const char *name = section_name(obj, section);
	Elf64_Xword flags = x64(obj, obj->shdr[section].sh_flags);
	unsigned int i;

	if (!(flags & SHF_ALLOC) || (flags & SHF_GROUP))
		return false;
	for (i = 0; i < ARRAY_SIZE(traced_sections); i++) {
		size_t len = strlen(traced_sections[i]);

		if (!strncmp(name, traced_sections[i], len) && (!name[len] || name[len] == '.'))
			return true;
	}
	return false;
}

static int add_site(struct object *obj, unsigned int section, Elf64_Xword offset)
{
	struct site *sites;

	if (obj->nsites == obj->maxsites) {
		obj->maxsites = obj->maxsites ? obj->maxsites * 2 : 64;
		sites = realloc(obj->sites, obj->maxsites * sizeof(*sites));
		if (!sites)
			return bad(obj, "%s", strerror(ENOMEM));
		obj->sites = sites;
	}
	obj->sites[obj->nsites++] = (struct site){ section, offset };
	return 0;
}

/* for -w; finds the name of the function only to print it */
static void report_untraced(const struct object *obj, unsigned int section, Elf64_Xword offset)
{
	const char *func = "?";
	unsigned int i;

	for (i = 1; i < obj->symnum; i++) {
		const Elf64_Sym *sym = &obj->sym[i];
		Elf64_Xword value = x64(obj, sym->st_value);

		if (ELF64_ST_TYPE(sym->st_info) == STT_FUNC &&
		    symbol_section(obj, i) == section &&
		    offset >= value && offset - value < x64(obj, sym->st_size))
			func = obj->str + x32(obj, sym->st_name);
	}
	fprintf(stderr, "recordmcount: %s: warning: %s+%#llx (%s) is never traced\n",
		obj->name, section_name(obj, section), (unsigned long long)offset, func);
}

/* replaces and records the calls of one relocation section */
static int scan_relocs(struct object *obj, unsigned int ndx, bool warn)
{
	Elf64_Rela *rela = section_data(obj, ndx);
	Elf64_Xword num = section_size(obj, ndx) / sizeof(*rela);
	unsigned int target = x32(obj, obj->shdr[ndx].sh_info);
	unsigned char *text = section_data(obj, target);
	Elf64_Xword size = section_size(obj, target);
	bool traced = is_traced(obj, target);
	const struct call *call;
	Elf64_Xword i;

	for (i = 0; i < num; i++) {
		Elf64_Xword info = x64(obj, rela[i].r_info);
		Elf64_Xword off = x64(obj, rela[i].r_offset);

		if (ELF64_R_SYM(info) >= obj->symnum)
			return bad(obj, "corrupt: relocation %llu of %s has no symbol",
				   (unsigned long long)i, section_name(obj, target));
		if (!obj->is_callee[ELF64_R_SYM(info)])
			continue;
		if (off >= size)
			return bad(obj, "corrupt: relocation %llu of %s is outside of it",
				   (unsigned long long)i, section_name(obj, target));

		call = obj->mach->find_call(ELF64_R_TYPE(info), text + off, off, size - off);
		if (!call)
			continue;

		memcpy(text + off - call->start, call->nop, call->size);
		rela[i].r_info = x64(obj, ELF64_R_INFO(0, (Elf64_Xword)obj->mach->r_none));
		rela[i].r_addend = 0;
		obj->nops++;

		if (traced && add_site(obj, target, off - call->start))
			return -1;
		if (!traced && warn)
			report_untraced(obj, target, off - call->start);
	}
	return 0;
}

static int find_sites(struct object *obj, bool warn)
{
	unsigned int i, target;

	for (i = 1; i < obj->shnum; i++) {
		if (section_type(obj, i) != SHT_RELA)
			continue;
		target = x32(obj, obj->shdr[i].sh_info);
		if (!target || target >= obj->shnum ||
		    x32(obj, obj->shdr[i].sh_link) != obj->symndx ||
		    !is_table(obj, i, sizeof(Elf64_Rela)))
			return bad(obj, "corrupt: relocations in section %u", i);
		if (section_type(obj, target) != SHT_PROGBITS ||
		    !(x64(obj, obj->shdr[target].sh_flags) & SHF_EXECINSTR))
			continue;
		if (scan_relocs(obj, i, warn))
			return -1;
	}

	/*
	 * Entries that the compiler made cannot be told from those of the calls
	 * found here, and no site may be in the table twice.
	 */
	for (i = 1; obj->nsites && i < obj->shnum; i++)
		if (!strcmp(section_name(obj, i), LOC_SECTION))
			return bad(obj, "has a section " LOC_SECTION ", but %llu calls are left",
				   (unsigned long long)obj->nsites);
	return 0;
}

/* the compiler's list ---------------------------------------------------- */

/* whether there is one of call sites, and not the path of the object yet */
static bool has_list(const struct object *obj)
{
	bool found = false;
	unsigned int i;

	if (!obj->mach->entry)
		return false;
	for (i = 1; i < obj->shnum; i++) {
		if (!strcmp(section_name(obj, i), SRC_SECTION))
			return false;
		if (!strcmp(section_name(obj, i), ENTRIES_SECTION))
			found = true;
	}
	return found;
}

/* the sites of one relocation section of the list */
static int read_entries(struct object *obj, unsigned int ndx)
{
	Elf64_Rela *rela = section_data(obj, ndx);
	Elf64_Xword num = section_size(obj, ndx) / sizeof(*rela);
	Elf64_Xword i;

	for (i = 0; i < num; i++) {
		Elf64_Xword info = x64(obj, rela[i].r_info), sym = ELF64_R_SYM(info);
		unsigned int section;

		if (sym >= obj->symnum)
			return bad(obj, "corrupt: relocation %llu of " ENTRIES_SECTION
				   " has no symbol", (unsigned long long)i);
		section = symbol_section(obj, sym);
		if (!section || section >= obj->shnum ||
		    ELF64_R_TYPE(info) != obj->mach->r_abs64)
			return bad(obj, "corrupt: relocation %llu of " ENTRIES_SECTION,
				   (unsigned long long)i);
		if (is_traced(obj, section) &&
		    add_site(obj, section, x64(obj, obj->sym[sym].st_value) +
					   x64(obj, rela[i].r_addend)))
			return -1;
	}
	return 0;
}

static int read_list(struct object *obj)
{
	unsigned int i, target;

	obj->listed = true;
	for (i = 1; i < obj->shnum; i++) {
		target = x32(obj, obj->shdr[i].sh_info);
		if (section_type(obj, i) == SHT_RELA &&
		    !strcmp(section_name(obj, target), ENTRIES_SECTION) &&
		    read_entries(obj, i))
			return -1;
	}
	return 0;
}

/* the source of an object ------------------------------------------------ */

/*
 * Removes "." and ".." from a path: kbuild uses such paths for some objects, for
 * example for those of virt/kvm in arch/x86/kvm.
 */
static void straighten(char *path)
{
	char *to = path, *from = path, *floor;

	if (*from == '/')
		to++;
	/* ".." cannot remove what is before the floor */
	floor = to;
	while (*from) {
		size_t len = strcspn(from, "/");
		bool up = len == 2 && !memcmp(from, "..", 2);

		if (up && to > floor) {
			for (to--; to > floor && to[-1] != '/'; to--)
				;
		} else if (len && !(len == 1 && *from == '.')) {
			memmove(to, from, len);
			to += len;
			*to++ = '/';
			if (up)
				floor = to;
		}
		from += len;
		from += strspn(from, "/");
	}
	if (to > path && to[-1] == '/')
		to--;
	*to = '\0';
}

static int note_path(struct object *obj)
{
	size_t len = strlen(obj->name);

	/* the slash after the last component may not be in the name yet */
	obj->path = calloc(1, len + 2 + 4);
	if (!obj->path)
		return bad(obj, "%s", strerror(ENOMEM));

	memcpy(obj->path, obj->name, len);
	straighten(obj->path);
	len = strlen(obj->path) + 1;
	obj->pathsize = len + -len % 4;
	memset(obj->path + len, 0, obj->pathsize - len);
	return 0;
}

/* the sites of a section are adjacent, in any order */
static int find_spans(struct object *obj)
{
	Elf64_Xword i, beyond = obj->listed ? obj->mach->entry : 0;
	struct span *span = NULL;

	obj->spans = calloc(obj->nsites, sizeof(*obj->spans));
	if (!obj->spans)
		return bad(obj, "%s", strerror(ENOMEM));

	for (i = 0; i < obj->nsites; i++) {
		const struct site *site = &obj->sites[i];

		if (!span || span->section != site->section) {
			span = &obj->spans[obj->nspans++];
			*span = (struct span){ site->section, site->offset, site->offset };
		}
		if (site->offset < span->first)
			span->first = site->offset;
		if (site->offset + beyond > span->last)
			span->last = site->offset + beyond;
		if (span->last - span->first > INT_MAX)
			return bad(obj, "section %s is too large",
				   section_name(obj, span->section));
	}
	return 0;
}

static Elf64_Xword source_size(const struct object *obj)
{
	return SRC_COUNT + obj->nspans * SRC_SPAN + obj->pathsize;
}

/* adding to an object ---------------------------------------------------- */

/*
 * Entries refer to section symbols, because the definition of a weak or global symbol
 * may come from another object in the end. Assemblers leave out section symbols that
 * nothing refers to, so some may have to be added after the last local symbol.
 */
static int find_section_symbols(struct object *obj)
{
	unsigned int i, section;
	Elf64_Xword s;

	obj->secsym = calloc(obj->shnum, sizeof(*obj->secsym));
	if (!obj->secsym)
		return bad(obj, "%s", strerror(ENOMEM));

	for (i = 1; i < obj->locals; i++) {
		if (ELF64_ST_TYPE(obj->sym[i].st_info) != STT_SECTION || obj->sym[i].st_value)
			continue;
		section = symbol_section(obj, i);
		if (section && section < obj->shnum)
			obj->secsym[section] = i;
	}

	for (s = 0; s < obj->nsites; s++) {
		section = obj->sites[s].section;
		if (!obj->secsym[section]) {
			obj->secsym[section] = obj->locals + obj->newsyms++;
			if (section >= SHN_LORESERVE && !obj->xndx)
				return bad(obj, "no symbol can refer to section %u", section);
		}
	}
	return 0;
}

/* global symbols move up: adjusts everything that refers to them by number */
static int renumber_symbols(struct object *obj)
{
	Elf64_Xword n, num, sym, info;
	unsigned int i;

	for (i = 1; i < obj->shnum; i++) {
		Elf64_Shdr *shdr = &obj->shdr[i];
		unsigned int type = section_type(obj, i);
		/* entries of either kind begin with r_offset and r_info */
		Elf64_Xword entry = type == SHT_REL ? sizeof(Elf64_Rel) : sizeof(Elf64_Rela);
		Elf64_Rel *rel;

		if (x32(obj, shdr->sh_link) != obj->symndx)
			continue;
		/* a linker that finds no link here makes no use of the section */
		if (type == SHT_ADDRSIG)
			shdr->sh_link = 0;
		if (type == SHT_GROUP && x32(obj, shdr->sh_info) >= obj->locals)
			shdr->sh_info = x32(obj, x32(obj, shdr->sh_info) + obj->newsyms);
		if (type != SHT_REL && type != SHT_RELA)
			continue;
		if (!is_table(obj, i, entry))
			return bad(obj, "corrupt: relocations in section %u", i);

		num = section_size(obj, i) / entry;
		for (n = 0; n < num; n++) {
			rel = (Elf64_Rel *)((char *)section_data(obj, i) + n * entry);
			info = x64(obj, rel->r_info);
			sym = ELF64_R_SYM(info);
			if (sym < obj->locals)
				continue;
			info = ELF64_R_INFO(sym + obj->newsyms, ELF64_R_TYPE(info));
			rel->r_info = x64(obj, info);
		}
	}
	return 0;
}

/* space in the tail for a section; its offset in the file is noted in @shdr */
static void *append(struct object *obj, struct image *image, Elf64_Shdr *shdr, Elf64_Xword size)
{
	void *place;

	image->used += -(image->size + image->used) % 8;
	place = image->tail + image->used;
	if (shdr) {
		shdr->sh_offset = x64(obj, image->size + image->used);
		shdr->sh_size = x64(obj, size);
	}
	image->used += size;
	return place;
}

/* the symbol table with new section symbols after the local ones */
static void append_symbols(struct object *obj, struct image *image, Elf64_Shdr *shdr)
{
	Elf64_Xword globals = obj->symnum - obj->locals;
	Elf64_Xword num = (Elf64_Xword)obj->symnum + obj->newsyms;
	Elf64_Sym *sym = append(obj, image, &shdr[obj->symndx], num * sizeof(*sym));
	unsigned int *xndx = NULL;
	unsigned int i, ndx;

	memcpy(sym, obj->sym, obj->locals * sizeof(*sym));
	memcpy(sym + obj->locals + obj->newsyms, obj->sym + obj->locals, globals * sizeof(*sym));
	shdr[obj->symndx].sh_info = x32(obj, obj->locals + obj->newsyms);

	if (obj->xndx) {
		xndx = append(obj, image, &shdr[obj->xndxndx], num * sizeof(*xndx));
		memcpy(xndx, obj->xndx, obj->locals * sizeof(*xndx));
		memcpy(xndx + obj->locals + obj->newsyms, obj->xndx + obj->locals,
		       globals * sizeof(*xndx));
	}

	for (i = 1; i < obj->shnum; i++) {
		ndx = obj->secsym[i];
		if (ndx < obj->locals)
			continue;
		sym[ndx].st_info = ELF64_ST_INFO(STB_LOCAL, STT_SECTION);
		sym[ndx].st_shndx = x16(obj, i < SHN_LORESERVE ? i : SHN_XINDEX);
		if (i >= SHN_LORESERVE)
			xndx[ndx] = x32(obj, i);
	}
}

static void *append_data(struct object *obj, struct image *image, Elf64_Shdr *shdr,
			 Elf64_Xword size, Elf64_Xword align)
{
	shdr->sh_type = x32(obj, SHT_PROGBITS);
	shdr->sh_flags = x64(obj, SHF_ALLOC);
	shdr->sh_addralign = x64(obj, align);
	return append(obj, image, shdr, size);
}

/* space for @num relocations of section @target */
static Elf64_Rela *append_relocs(struct object *obj, struct image *image, Elf64_Shdr *shdr,
				 unsigned int target, Elf64_Xword num)
{
	shdr->sh_type = x32(obj, SHT_RELA);
	shdr->sh_flags = x64(obj, SHF_INFO_LINK);
	shdr->sh_link = x32(obj, obj->symndx);
	shdr->sh_info = x32(obj, target);
	shdr->sh_addralign = x64(obj, 8);
	shdr->sh_entsize = x64(obj, sizeof(Elf64_Rela));
	return append(obj, image, shdr, num * sizeof(Elf64_Rela));
}

/*
 * The table has no SHF_LINK_ORDER: it covers all text sections of the object. The
 * linker script KEEPs it and thereby everything that it refers to.
 */
static void append_table(struct object *obj, struct image *image, Elf64_Shdr *loc,
			 Elf64_Shdr *relas)
{
	Elf64_Rela *rela;
	Elf64_Xword i;

	append_data(obj, image, loc, obj->nsites * LOC_ENTRY, LOC_ENTRY);
	rela = append_relocs(obj, image, relas, obj->shnum, obj->nsites);

	for (i = 0; i < obj->nsites; i++) {
		Elf64_Xword sym = obj->secsym[obj->sites[i].section];

		rela[i].r_offset = x64(obj, i * LOC_ENTRY);
		rela[i].r_info = x64(obj, ELF64_R_INFO(sym, obj->mach->r_abs64));
		rela[i].r_addend = x64(obj, obj->sites[i].offset);
	}
}

/* spans and path, in section @ndx */
static void append_source(struct object *obj, struct image *image, Elf64_Shdr *src,
			  Elf64_Shdr *relas, unsigned int ndx)
{
	Elf64_Rela *rela;
	unsigned int *word;
	Elf64_Xword i;

	word = append_data(obj, image, src, source_size(obj), 4);
	rela = append_relocs(obj, image, relas, ndx, obj->nspans);

	*word++ = x32(obj, obj->nspans);
	for (i = 0; i < obj->nspans; i++) {
		const struct span *span = &obj->spans[i];
		Elf64_Xword sym = obj->secsym[span->section];

		*word++ = 0;
		*word++ = x32(obj, span->last - span->first);
		rela[i].r_offset = x64(obj, SRC_COUNT + i * SRC_SPAN);
		rela[i].r_info = x64(obj, ELF64_R_INFO(sym, obj->mach->r_rel32));
		rela[i].r_addend = x64(obj, span->first);
	}
	memcpy(word, obj->path, obj->pathsize);
}

/* the names of the new sections, to append to those that are there */
static const char new_names[] = ".rela" LOC_SECTION "\0.rela" SRC_SECTION;

/* gives the new sections, of @num in all, their names */
static void append_names(struct object *obj, struct image *image, Elf64_Shdr *shdr,
			 unsigned int num)
{
	Elf64_Xword size = section_size(obj, obj->shstrndx), at = size;
	char *str = append(obj, image, &shdr[obj->shstrndx], size + sizeof(new_names));
	unsigned int i;

	memcpy(str, obj->shstr, size);
	memcpy(str + size, new_names, sizeof(new_names));
	if (obj->listed)
		at += sizeof(".rela" LOC_SECTION);
	for (i = obj->shnum; i < num; i += 2) {
		shdr[i].sh_name = x32(obj, at + strlen(".rela"));
		shdr[i + 1].sh_name = x32(obj, at);
		at += strlen(str + at) + 1;
	}
}

/* number of bytes of the old file that stay: up to the last that does not move */
static Elf64_Xword kept_size(const struct object *obj)
{
	Elf64_Xword end, kept = sizeof(Elf64_Ehdr);
	unsigned int i;

	for (i = 1; i < obj->shnum; i++) {
		if (!section_has_bytes(obj, i) || i == obj->shstrndx)
			continue;
		if (obj->newsyms && (i == obj->symndx || i == obj->xndxndx))
			continue;
		end = x64(obj, obj->shdr[i].sh_offset) + section_size(obj, i);
		if (end > kept)
			kept = end;
	}
	return kept;
}

/* makes the part of the new file that follows the bytes that stay */
static int build_tail(struct object *obj, struct image *image)
{
	Elf64_Xword syms = obj->newsyms ? (Elf64_Xword)obj->symnum + obj->newsyms : 0;
	unsigned int src = obj->shnum + (obj->listed ? 0 : 2);
	unsigned int num = src + (obj->path ? 2 : 0);
	Elf64_Xword size;
	Elf64_Shdr *shdr;

	image->size = kept_size(obj);
	size = syms * (sizeof(Elf64_Sym) + sizeof(unsigned int)) +
		obj->nsites * (LOC_ENTRY + sizeof(Elf64_Rela)) +
		obj->nspans * sizeof(Elf64_Rela) + source_size(obj) +
		section_size(obj, obj->shstrndx) + sizeof(new_names) +
		num * sizeof(*shdr) + 9 * 8 /* alignment of each */;
	image->memory = calloc(1, size);
	shdr = calloc(num, sizeof(*shdr));
	if (!image->memory || !shdr) {
		free(shdr);
		return bad(obj, "%s", strerror(ENOMEM));
	}
	image->tail = (unsigned char *)image->memory + image->size % 8;

	memcpy(shdr, obj->shdr, obj->shnum * sizeof(*shdr));
	if (obj->newsyms)
		append_symbols(obj, image, shdr);
	if (!obj->listed)
		append_table(obj, image, &shdr[obj->shnum], &shdr[obj->shnum + 1]);
	if (obj->path)
		append_source(obj, image, &shdr[src], &shdr[src + 1], src);
	append_names(obj, image, shdr, num);

	if (num < SHN_LORESERVE) {
		obj->ehdr->e_shnum = x16(obj, num);
	} else {
		obj->ehdr->e_shnum = 0;
		shdr[0].sh_size = x64(obj, num);
	}
	memcpy(append(obj, image, NULL, num * sizeof(*shdr)), shdr, num * sizeof(*shdr));
	obj->ehdr->e_shoff = x64(obj, image->size + image->used - num * sizeof(*shdr));
	free(shdr);
	return 0;
}

/*
 * Processes an object in memory: returns 1 and the new file in @image, 0 if there
 * is nothing to change, or -1 after a message. The caller frees @image->memory,
 * and @obj->data only after it is done with @image.
 */
static int record_calls(struct object *obj, const struct wishes *wishes, struct image *image)
{
	bool list;
	int ret;

	if (check_ident(obj) || read_headers(obj) || check_sections(obj) || read_symbols(obj))
		return -1;
	ret = find_callees(obj);
	list = !ret && wishes->source && has_list(obj);
	if (ret < 0 || (!ret && !list))
		return ret;
	if (check_overlaps(obj) || find_sites(obj, wishes->warn) || (list && read_list(obj)))
		return -1;
	if (!obj->nops && !obj->nsites)
		return 0;

	image->head = obj->data;
	image->size = obj->size;
	if (!obj->nsites)
		return 1;
	if (wishes->source && (note_path(obj) || find_spans(obj)))
		return -1;
	if (find_section_symbols(obj) || (obj->newsyms && renumber_symbols(obj)) ||
	    build_tail(obj, image))
		return -1;
	return 1;
}

/* files ------------------------------------------------------------------ */

static int read_all(struct object *obj, int fd, struct stat *st)
{
	ssize_t n;

	if (fstat(fd, st))
		return bad(obj, "%s", strerror(errno));
	if (!S_ISREG(st->st_mode))
		return bad(obj, "not a regular file");
	obj->data = malloc(st->st_size + 1);
	if (!obj->data)
		return bad(obj, "%s", strerror(ENOMEM));

	while (obj->size < (Elf64_Xword)st->st_size) {
		n = read(fd, obj->data + obj->size, st->st_size - obj->size);
		if (n < 0)
			return bad(obj, "%s", strerror(errno));
		if (!n)
			return bad(obj, "shrinks while it is read");
		obj->size += n;
	}
	return 0;
}

static int read_file(struct object *obj, struct stat *st)
{
	int fd = open(obj->name, O_RDONLY | O_CLOEXEC);
	int ret;

	if (fd < 0)
		return bad(obj, "%s", strerror(errno));
	ret = read_all(obj, fd, st);
	close(fd);
	return ret;
}

static int write_all(int fd, const unsigned char *data, Elf64_Xword size)
{
	ssize_t n;

	for (; size; size -= n, data += n) {
		n = write(fd, data, size);
		if (n < 0)
			return -1;
	}
	return 0;
}

/* fills a new file and gives it the name, the owner and the mode of the old one */
static int rename_over(const char *path, const char *tmp, int fd, const struct image *image,
		       const struct stat *st)
{
	int err = 0;

	/* an owner that cannot be kept is no reason to fail; a mode is */
	if (write_all(fd, image->head, image->size) || write_all(fd, image->tail, image->used))
		err = errno;
	else if ((st->st_uid != geteuid() || st->st_gid != getegid()) &&
		 fchown(fd, st->st_uid, st->st_gid) && errno != EPERM)
		err = errno;
	else if (fchmod(fd, st->st_mode & 07777))
		err = errno;
	if (close(fd) && !err)
		err = errno;
	if (!err && rename(tmp, path))
		err = errno;
	return err;
}

/*
 * Signals are blocked until the new file has its name or has been removed: make(1)
 * stops its jobs by signals, and this takes milliseconds.
 */
static int replace_file(const struct object *obj, const struct image *image,
			const struct stat *st)
{
	char path[PATH_MAX], tmp[PATH_MAX + 32];
	sigset_t all, old;
	int fd, err, ret = 0;

	/* beside the file itself, should the name be a symbolic link */
	if (!realpath(obj->name, path))
		return bad(obj, "%s", strerror(errno));
	snprintf(tmp, sizeof(tmp), "%.*s.tmp_mcount.XXXXXX",
		 (int)(strrchr(path, '/') + 1 - path), path);

	sigfillset(&all);
	sigprocmask(SIG_SETMASK, &all, &old);
	fd = mkstemp(tmp);
	if (fd < 0) {
		ret = bad(obj, "no file can be made beside it: %s", strerror(errno));
	} else {
		err = rename_over(path, tmp, fd, image, st);
		if (err) {
			unlink(tmp);
			ret = bad(obj, "cannot be rewritten: %s", strerror(err));
		}
	}
	sigprocmask(SIG_SETMASK, &old, NULL);
	return ret;
}

static int treat_file(const char *name, const struct wishes *wishes)
{
	struct object obj = { .name = name };
	struct image image = { };
	struct stat st;
	int ret;

	ret = read_file(&obj, &st);
	if (!ret)
		ret = record_calls(&obj, wishes, &image);
	if (ret > 0)
		ret = replace_file(&obj, &image, &st);
	free(image.memory);
	free(obj.spans);
	free(obj.path);
	free(obj.sites);
	free(obj.secsym);
	free(obj.is_callee);
	free(obj.data);
	return ret;
}

int main(int argc, char **argv)
{
	struct wishes wishes = { };
	int opt, ret = 0;

	while ((opt = getopt(argc, argv, "sw")) == 's' || opt == 'w') {
		if (opt == 's')
			wishes.source = true;
		else
			wishes.warn = true;
	}
	if (opt != -1 || optind == argc) {
		fputs("usage: recordmcount [-sw] FILE.o...\n", stderr);
		return 1;
	}

	/* a file that may not grow is reported as an error instead of ending the process */
	signal(SIGXFSZ, SIG_IGN);

	for (; optind < argc; optind++)
		if (treat_file(argv[optind], &wishes))
			ret = 1;
	return ret;
}
