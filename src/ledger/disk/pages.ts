/**
 * The pages of a file of LMDB, read apart from LMDB. LMDB trusts its file: a page that is missing, or is
 * another than its parent says, ends the process with a signal and without a word. LMDB can read a file
 * that passes the full check here; the audit judges the meaning of its values.
 *
 * The format is that of the LMDB in lmdb 3.5 (`mdb.c`, MDB_page_header, MDB_meta, MDB_db, MDB_node),
 * little-endian: a file is a tree of trees, whose roots stand in two meta pages, of which that of the
 * later transaction counts. A page is written to a place of its own before a meta page leads to it.
 */
import { type BigIntStats, closeSync, fstatSync, openSync, readSync } from 'node:fs'
import { Refusal } from '../../problems.ts'

/** Extent of a check: the pages that lead to others (one in some fifty), or all of them. */
export type Extent = 'branches' | 'all'

/** Bytes before the content of a page: number, transaction, padding, flags, bounds of its free part. */
const headerBytes = 24
/** Bytes of a meta page that mean something. */
const metaBytes = 168
const treeBytes = 48
const nodeHeaderBytes = 8
const overflowBytes = 24
const magic = 0xbeefc0de
const formatVersion = 2
const pageFlags = { branch: 1, leaf: 2, overflow: 4, meta: 8 }
const nodeFlags = { overflow: 1, tree: 2 }
/** The root of a tree that holds nothing: all bits of the number, as a double has them. */
const noRoot = 2 ** 64
/** Deeper than any tree of LMDB (CURSOR_STACK). */
const depthMax = 32
/** Maximum number of reads of a file that is being written meanwhile; one takes some milliseconds. */
const attemptsMax = 20

/** Stands in messages for what the file should be. */
const kindWord = 'KIND'

/** Damage of a file; its message is a part of a sentence. */
class Damage extends Error {}

interface Tree {
  readonly depth: number
  readonly root: number
}

interface Meta {
  readonly pageBytes: number
  readonly transaction: number
  /** The last page that was ever used; the file may go on behind it. */
  readonly lastPage: number
  /** The trees of free pages, and of all else. */
  readonly trees: readonly Tree[]
}

/**
 * Checks the structure of the file: that every page is there, is the one its parent means, is not of
 * a later transaction than the meta page (as in a file that was copied while it was written), and
 * that nothing in it leads out of it. Another process may be writing; to read `all` of it there must
 * be a read transaction meanwhile, so that no page is used anew.
 * @param kind what the file should be, for messages: `a ledger`.
 * @throws Refusal `ledger-corrupt` that says in one line what is damaged. Throws what the disk says.
 */
export function checkPages(path: string, extent: Extent, kind: string): void {
  const descriptor = openSync(path, 'r')
  try {
    for (let attempt = 1; ; attempt += 1) {
      const damage = damageIn(descriptor, extent)
      if (damage === undefined) return
      if (!damage.isPassing || attempt === attemptsMax) {
        throw new Refusal('ledger-corrupt', `${path} ${damage.what.replace(kindWord, kind)}`)
      }
    }
  } finally {
    closeSync(descriptor)
  }
}

/**
 * The number of the last transaction in a file, which only grows; -1 where its heads are none.
 * Throws what the disk says.
 */
export function newestTransaction(path: string): number {
  const heads = new Heads(path)
  try {
    return heads.newestTransaction()
  } finally {
    heads.close()
  }
}

/**
 * The heads of a file that is kept open, to be looked at again and again: a look is one read. Where the service is at
 * rest, each call of the system takes some 50 µs, and opening, four reads and closing took 170 (measured).
 */
export class Heads {
  readonly #descriptor: number
  /** Both meta pages, the second of which stands where the first one says when the file is opened. */
  readonly #bytes: Buffer

  /** Throws what the disk says. */
  constructor(path: string) {
    this.#descriptor = openSync(path, 'r')
    try {
      const first = Buffer.alloc(metaBytes)
      readSync(this.#descriptor, first, 0, metaBytes, 0)
      const pageBytes = pageBytesIn(first)
      this.#bytes = Buffer.alloc(isPageSize(pageBytes) ? pageBytes + metaBytes : 2 * metaBytes)
    } catch (error) {
      this.close()
      throw error
    }
  }

  /** The file that is open, whatever its name is. Throws what the disk says. */
  get file(): BigIntStats {
    return fstatSync(this.#descriptor, { bigint: true })
  }

  /** The number of the last transaction, which only grows; -1 where the heads are none. Throws what the disk says. */
  newestTransaction(): number {
    const bytes = this.#bytes
    if (readSync(this.#descriptor, bytes, 0, bytes.length, 0) < bytes.length) return -1
    try {
      return newestOf(bytes, bytes.subarray(bytes.length - metaBytes)).transaction
    } catch (error) {
      if (error instanceof Damage) return -1
      throw error
    }
  }

  close(): void {
    closeSync(this.#descriptor)
  }
}

/** Bytes up to the end of the last page of the last transaction. Throws what the disk says. */
export function usedBytes(descriptor: number): number {
  const { lastPage, pageBytes } = newestMeta(descriptor, readMetas(descriptor))
  return (lastPage + 1) * pageBytes
}

/** Returns the damage in a file; it may pass if another process wrote meanwhile. */
function damageIn(descriptor: number, extent: Extent) {
  const before = readMetas(descriptor)
  try {
    new Walk(descriptor, newestMeta(descriptor, before), extent).run()
    return undefined
  } catch (error) {
    if (!(error instanceof Damage)) throw error
    return { what: error.message, isPassing: !readMetas(descriptor).equals(before) }
  }
}

/** Both meta pages, the second of which stands where the first says. */
function readMetas(descriptor: number): Buffer {
  const metas = Buffer.alloc(2 * metaBytes)
  readSync(descriptor, metas, 0, metaBytes, 0)
  readSync(descriptor, metas, metaBytes, metaBytes, pageBytesIn(metas))
  return metas
}

function newestMeta(descriptor: number, metas: Buffer): Meta {
  if (fstatSync(descriptor).size === 0) throw new Damage(`is empty, so it is not ${kindWord}`)
  return newestOf(metas, metas.subarray(metaBytes))
}

/** The later one of two meta pages. */
function newestOf(firstPage: Buffer, secondPage: Buffer): Meta {
  const [first, second] = [readMeta(firstPage, 0), readMeta(secondPage, 1)]
  if (first.pageBytes !== second.pageBytes) throw new Damage('is damaged: its heads differ')
  return first.transaction > second.transaction ? first : second
}

function pageBytesIn(meta: Buffer): number {
  return meta.readUInt32LE(headerBytes + 24)
}

function isPageSize(bytes: number): boolean {
  return bytes >= 512 && bytes <= 65_536 && (bytes & (bytes - 1)) === 0
}

function readMeta(page: Buffer, index: number): Meta {
  const isMeta = (page.readUInt16LE(18) & pageFlags.meta) !== 0
  if (page.readUInt32LE(headerBytes) !== magic || !isMeta) {
    throw new Damage(index === 0 ? `is not ${kindWord}` : 'is damaged: its second head is none')
  }
  const version = page.readUInt32LE(headerBytes + 4) & 0xffff
  if (version !== formatVersion)
    throw new Damage(`is of format ${version} of LMDB, which is unknown`)
  const pageBytes = pageBytesIn(page)
  if (!isPageSize(pageBytes)) throw new Damage(`is damaged: no page has ${pageBytes} bytes`)
  const trees = [0, 1].map((tree) => treeAt(page, headerBytes + 24 + tree * treeBytes))
  return { pageBytes, transaction: wholeAt(page, 152), lastPage: wholeAt(page, 144), trees }
}

function treeAt(page: Buffer, offset: number): Tree {
  return { depth: page.readUInt16LE(offset + 6), root: wholeAt(page, offset + 40) }
}

/** Exact up to 2⁵³, which no number of a page or transaction reaches. */
function wholeAt(page: Buffer, offset: number): number {
  return page.readUInt32LE(offset) + page.readUInt32LE(offset + 4) * 2 ** 32
}

/** One walk over the trees of a meta page. */
class Walk {
  readonly #descriptor: number
  readonly #meta: Meta
  readonly #extent: Extent
  /** Whole pages in the file, up to the last that was used. */
  readonly #pages: number
  /** One page for each level of the trees: main tree, then those in it. */
  readonly #buffers: Buffer[] = []

  constructor(descriptor: number, meta: Meta, extent: Extent) {
    this.#descriptor = descriptor
    this.#meta = meta
    this.#extent = extent
    const pages = Math.floor(fstatSync(descriptor).size / meta.pageBytes)
    this.#pages = Math.min(pages, meta.lastPage + 1)
  }

  run(): void {
    const [free, main] = this.#meta.trees
    this.#walkTree(free!, 0, this.#extent)
    this.#walkTree(main!, 0, 'all')
  }

  #walkTree({ depth, root }: Tree, level: number, extent: Extent): void {
    if (root === noRoot) return
    if (depth < 1 || depth > depthMax) throw new Damage(`is damaged: a tree is ${depth} pages deep`)
    this.#walk(root, level, depth, extent)
  }

  /** @param depth how many levels there are from this page to the leaves, with both. */
  #walk(number: number, level: number, depth: number, extent: Extent): void {
    const page = this.#read(number, level)
    this.#checkHeader(page, number, depth > 1 ? pageFlags.branch : pageFlags.leaf)
    const nodes = this.#nodesOf(page, number)
    for (let node = 0; node < nodes; node += 1) {
      const offset = this.#nodeAt(page, number, node)
      if (depth === 1) this.#checkLeafNode(page, number, offset, level)
      else this.#checkBranchNode(page, offset, level, depth, extent)
    }
  }

  #checkBranchNode(
    page: Buffer,
    offset: number,
    level: number,
    depth: number,
    extent: Extent,
  ): void {
    const child = page.readUInt32LE(offset) + page.readUInt16LE(offset + 4) * 2 ** 32
    if (depth === 2 && extent === 'branches') this.#checkPlace(child, 1)
    else this.#walk(child, level + 1, depth - 1, extent)
  }

  #checkLeafNode(page: Buffer, number: number, offset: number, level: number): void {
    const flags = page.readUInt16LE(offset + 4)
    const keyAt = offset + nodeHeaderBytes
    const dataAt = keyAt + page.readUInt16LE(offset + 6)
    if (dataAt === keyAt) throw damaged(number, 'has an entry without a key')
    const isOverflow = (flags & nodeFlags.overflow) !== 0
    const bytes = isOverflow ? overflowBytes : page.readUInt32LE(offset)
    if (dataAt + bytes > this.#meta.pageBytes)
      throw damaged(number, 'has a value that ends outside')
    if (isOverflow) this.#checkOverflow(wholeAt(page, dataAt), wholeAt(page, dataAt + 16), level)
    if ((flags & nodeFlags.tree) === 0) return
    if (bytes !== treeBytes) throw damaged(number, 'has a tree that is none')
    this.#walkTree(treeAt(page, dataAt), level + 1, this.#extent)
  }

  #checkOverflow(number: number, count: number, level: number): void {
    this.#checkPlace(number, count)
    this.#checkHeader(this.#read(number, level + 1), number, pageFlags.overflow)
  }

  #read(number: number, level: number): Buffer {
    this.#checkPlace(number, 1)
    const { pageBytes } = this.#meta
    this.#buffers[level] ??= Buffer.alloc(pageBytes)
    const page = this.#buffers[level]
    const bytes = readSync(this.#descriptor, page, 0, pageBytes, number * pageBytes)
    if (bytes < pageBytes) throw damaged(number, 'is cut off')
    return page
  }

  /** Pages 0 and 1 are the meta pages. */
  #checkPlace(number: number, count: number): void {
    if (number >= 2 && number + count <= this.#pages) return
    throw damaged(number, `is not in the file, which ends with page ${this.#pages - 1}`)
  }

  #checkHeader(page: Buffer, number: number, flag: number): void {
    if (wholeAt(page, 0) !== number) throw damaged(number, 'is another')
    if (wholeAt(page, 8) > this.#meta.transaction) {
      throw damaged(number, 'is newer than its head, as in a copy of a file that was being written')
    }
    if ((page.readUInt16LE(18) & 0xf) !== flag) throw damaged(number, 'is of another kind')
  }

  /** Number of nodes on a page; their offsets follow the header, the nodes themselves are at the end. */
  #nodesOf(page: Buffer, number: number): number {
    const [lower, upper] = [page.readUInt16LE(20), page.readUInt16LE(22)]
    const isInside = lower <= upper && upper <= this.#meta.pageBytes - headerBytes
    if (!isInside || lower % 2 !== 0) throw damaged(number, 'has bounds that are none')
    return lower / 2
  }

  #nodeAt(page: Buffer, number: number, node: number): number {
    const offset = headerBytes + page.readUInt16LE(headerBytes + 2 * node)
    const { pageBytes } = this.#meta
    const isInside =
      offset >= headerBytes + page.readUInt16LE(22) &&
      offset + nodeHeaderBytes <= pageBytes &&
      offset + nodeHeaderBytes + page.readUInt16LE(offset + 6) <= pageBytes
    if (!isInside) throw damaged(number, 'has an entry outside')
    return offset
  }
}

function damaged(page: number, what: string): Damage {
  return new Damage(`is damaged: page ${page} ${what}`)
}
