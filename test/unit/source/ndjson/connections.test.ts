/** Connections as columns, in place and on a thread, against reading each line as a text. */
import { deepStrictEqual } from 'node:assert/strict'
import { join } from 'node:path'
import { gzipSync } from 'node:zlib'
import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { connectionKinds } from '../../../../src/connection-kinds.ts'
import { recordOfLine } from '../../../../src/source/ndjson/lines.ts'
import { connectionOf } from '../../../../src/source/ndjson/records.ts'
import { openSource } from '../../../../src/source/uri.ts'
import { codePoint } from '../../../support/code-points.ts'
import { connectionsOf, entriesOf, folderOf } from '../../../support/source-folder.ts'

/** As built: a thread does not take TypeScript on every Node. */
const built: { readonly openSource: typeof openSource } = await import(
  join(import.meta.dirname, '..', '..', '..', '..', 'dist', 'uri.js')
)

const authorities = '{"sdu":"1","name":"Ann","topics":["Rust"]}'

function folderWith(connections: string | Uint8Array, name = 'connections.ndjson'): string {
  return folderOf({ 'authorities.ndjson': authorities, [name]: connections })
}

async function readAll(directory: string, onThreads: boolean) {
  const open = onThreads ? built.openSource : openSource
  const reading = await open(directory).read({ onThreads })
  try {
    const connections = await connectionsOf(reading.connections)
    await entriesOf(reading.authorities)
    return { connections, fingerprint: reading.fingerprint() }
  } finally {
    reading.close()
  }
}

const connectionIn = (line: string) => connectionOf(recordOfLine(1, line))

/** Lines of every sort: plain, spelled otherwise, with handles, faulty, blank. */
const sdu = fc.stringMatching(/^\d{1,32}$/)
const anything = fc.oneof(
  fc.constantFrom<unknown>(null, true, '', ' ', 'x', [], {}, 0, -0, 101, '0'),
  fc.string({ unit: codePoint, minLength: 1, maxLength: 12 }),
  fc.jsonValue(),
)
const weight = fc.oneof(
  fc.nat().map((hundredths) => hundredths / 100),
  fc.constantFrom(0, -1, 1, 0.5, 1e21, 5e-324, 1e-9, 9e-10, 1e9, 1_000_000_001, 0.000001),
  fc.double({ noNaN: true }),
)
const field = <T>(usual: fc.Arbitrary<T>) =>
  fc.oneof({ arbitrary: usual, weight: 12 }, { arbitrary: anything, weight: 1 })
const end = fc.oneof(
  { arbitrary: sdu, weight: 9 },
  fc.constantFrom('x:ann', 'GitHub:Bob', '', '王', 'https://x.com/ann', 'https://x.com/home'),
)
const connection = fc.record(
  {
    from: field(end),
    to: field(end),
    weight: field(weight),
    kind: field(fc.constantFrom(...connectionKinds)),
  },
  { requiredKeys: ['from', 'to'] },
)
const spelled = fc.tuple(connection, fc.nat(2)).map(([json, spelling]) => {
  if (spelling === 0) return JSON.stringify(json)
  if (spelling === 1) return JSON.stringify(json, null, 1).replaceAll(/\n */g, ' ')
  return JSON.stringify(Object.fromEntries(Object.entries(json).reverse()))
})
const line = fc.oneof(
  { weight: 4, arbitrary: spelled },
  fc.constantFrom('', '{}', '{"from":"1"}', 'no JSON', '\ufffd', '{"from":"1","to":"2"} '),
  fc.constantFrom('{"from":"1","to":"2"', '{"from":"1",,"to":"2"}'),
  fc.constantFrom('01', '1.', '0.0').map((each) => `{"from":"1","to":"2","weight":${each}}`),
)

describe('connections', () => {
  it('are those that their lines hold, whatever stands between them', async () => {
    await fc.assert(
      fc.asyncProperty(
        fc.array(line, { maxLength: 40 }),
        fc.constantFrom('\n', '\r\n'),
        async (lines, end) => {
          const expected = lines.filter((each) => each !== '').map(connectionIn)
          const { connections } = await readAll(folderWith(lines.join(end)), false)
          expect(connections).toEqual(expected)
        },
      ),
      { numRuns: 300 },
    )
  })

  it('are columns as JavaScript and Python write them, and one by one otherwise', async () => {
    const value = { from: '1', to: '02', weight: 2.5, kind: 'coauthor' }
    const spaced = '{"from": "1", "to": "02", "weight": 2.5, "kind": "coauthor"}'
    const lines = [spaced, JSON.stringify(value), '{"from":"1","to":"2"}', '{"to":"1","from":"2"}']
    const reading = await openSource(folderWith(lines.join('\n'))).read()
    for await (const { from, others } of reading.connections) {
      expect([from.length, others.length]).toEqual([3, 1])
    }
  })

  it('are the same in more than one batch, from a thread, and from a gzip', async () => {
    const lines = Array.from({ length: 70_000 }, (_, index) => {
      if (index % 9 === 0) return `{"from":"${index % 77}","to":"x:h${index}"}`
      if (index % 1_000 === 1) return 'no JSON'
      return `{"from":"${index % 5_003}","to":"${index}","weight":${index % 7 || 0.5}}`
    })
    const text = `${lines.join('\n')}\n`
    const directory = folderWith(text)
    const inPlace = await readAll(directory, false)
    expect(inPlace.connections).toEqual(lines.map(connectionIn))
    deepStrictEqual(await readAll(directory, true), inPlace)
    const gzipped = folderWith(gzipSync(text), 'connections.ndjson.gz')
    deepStrictEqual(await readAll(gzipped, true), inPlace)
  })

  it('may be none', async () => {
    for (const onThreads of [false, true]) {
      const directory = folderOf({ 'authorities.ndjson': authorities })
      expect((await readAll(directory, onThreads)).connections).toEqual([])
      expect((await readAll(folderWith('\n\n'), onThreads)).connections).toEqual([])
    }
  })

  it('are shown once more by the numbers of their lines, with what is wrong with them', async () => {
    const lines = ['{"from":"1","to":"2"}', '', '{"from":"1","to":"ann"}', '{"from":"3","to":"1"}']
    const reading = await openSource(folderWith(lines.join('\n'))).read()
    expect(await entriesOf(reading.connectionsAt(Uint32Array.of(3, 4)))).toEqual([
      {
        position: 'connections.ndjson:3',
        raw: lines[2],
        value: undefined,
        field: 'to',
        reason: 'must be an SDU, platform:handle or the address of a profile',
      },
      {
        position: 'connections.ndjson:4',
        raw: lines[3],
        value: { from: '3', to: '1', weight: 1, kind: 'follows' },
      },
    ])
  })
})

describe('connections that cannot be read', () => {
  it.each([false, true])('are refused by name (on a thread: %s)', async (onThreads) => {
    const whole = gzipSync('{"from":"1","to":"2"}\n'.repeat(1_000))
    const cut = whole.subarray(0, whole.length - 9)
    const reading = readAll(folderWith(cut, 'connections.ndjson.gz'), onThreads)
    await expect(reading).rejects.toMatchObject({
      code: 'source-unreadable',
      message: expect.stringContaining('connections.ndjson.gz cannot be read'),
    })
  })

  it('fail when their thread ends before its time, instead of waiting for it', async () => {
    const directory = folderWith('{"from":"1","to":"2"}\n'.repeat(500_000))
    const reading = await built.openSource(directory).read({ onThreads: true })
    reading.close()
    await expect(connectionsOf(reading.connections)).rejects.toThrow(
      'the thread that reads connections ended with code',
    )
  })
})
