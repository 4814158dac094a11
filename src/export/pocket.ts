/**
 * The pocket file: for every owned handle a 64-bit hash of its key, with score, core topic and rank of its
 * owner, for readers in any language. `docs/pocket.md` specifies every byte. It is made from a verified
 * snapshot and holds no name, no handle and no SDU.
 */
import { createHash } from 'node:crypto'
import { crc32 } from 'node:zlib'
import { textAt } from '../memory/text-table.ts'
import type { Snapshot } from '../snapshot/file.ts'
import { pocketRules } from '../text/sites.ts'

const magic = 'AIPOCKET'
const version = 1
const headBytes = 32

/** A handle on a platform: the hash of its key, and who owns it. */
interface Entry {
  readonly hash: bigint
  readonly person: number
  readonly platform: number
}

/** The first eight bytes of the SHA-256 of a key, little-endian. */
function hashOf(key: string): bigint {
  return createHash('sha256').update(key).digest().readBigUInt64LE(0)
}

/** The bytes of the pocket file of a snapshot. O(handles · log handles). */
export function pocketOf({ header, sections }: Snapshot): Buffer {
  const entries = entriesOf({ header, sections })
  const { authorities, topics, platforms } = header.counts
  const textsOf = (text: Uint8Array, ends: Uint32Array, count: number) =>
    Array.from({ length: count }, (_, entry) => textAt({ text, ends }, entry))
  const facts = {
    snapshot: header.id,
    created_at: header.createdAt,
    platforms: textsOf(sections['platform.text'], sections['platform.ends'], platforms),
    topics: textsOf(sections['topic.labels'], sections['topic.label-ends'], topics),
    ...pocketRules(),
  }
  const json = padded(Buffer.from(JSON.stringify(facts)), ' ')
  const body = Buffer.concat([
    json,
    bytesOf(BigUint64Array.from(entries, ({ hash }) => hash)),
    bytesOf(Uint32Array.from(entries, ({ person }) => person)),
    bytesOf(Uint16Array.from(entries, ({ platform }) => platform)),
    bytesOf(sections['authority.scores'].slice(0, authorities)),
    bytesOf(Uint32Array.from(sections['authority.core-topics'].subarray(0, authorities))),
    bytesOf(sections['authority.core-ranks'].slice(0, authorities)),
  ])
  const head = Buffer.alloc(headBytes)
  head.write(magic, 'latin1')
  for (const [place, value] of [version, json.length, entries.length, authorities].entries()) {
    head.writeUInt32LE(value, magic.length + place * 4)
  }
  head.writeUInt32LE(crc32(body), 24)
  return Buffer.concat([head, body])
}

/** The entries by hash, then by authority: the first of a hash is the top owner's. */
function entriesOf({ header, sections }: Snapshot): Entry[] {
  const { authorities, handles } = header.counts
  const table = { text: sections['handle.text'], ends: sections['handle.ends'] }
  const [starts, nodes] = [sections['handle.node-starts'], sections['handle.nodes']]
  const entries: Entry[] = []
  for (let handle = 0; handle < handles; handle += 1) {
    const end = starts[handle + 1]!
    if (nodes[starts[handle]!]! >= authorities) continue
    const hash = hashOf(textAt(table, handle))
    for (let at = starts[handle]!; at < end && nodes[at]! < authorities; at += 1) {
      entries.push({ hash, person: nodes[at]!, platform: sections['handle.platforms'][at]! })
    }
  }
  const order = (a: Entry, b: Entry) =>
    a.hash < b.hash ? -1 : a.hash > b.hash ? 1 : a.person - b.person
  return entries.sort(order)
}

/** Columns begin at multiples of eight bytes. */
function bytesOf({ buffer, byteOffset, byteLength }: ArrayBufferView): Buffer {
  return padded(Buffer.from(buffer as ArrayBuffer, byteOffset, byteLength), '\0')
}

function padded(bytes: Buffer, filling: string): Buffer {
  return Buffer.concat([bytes, Buffer.alloc(-bytes.length & 7, filling)])
}
