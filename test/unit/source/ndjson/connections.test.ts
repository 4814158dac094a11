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
import { connectionsOf, entriesOf, folderOf } from '../../../support/source-folder.ts'

/** As built: a thread does not take TypeScript on every Node. */
const built: { readonly openSource: typeof openSource } = await import(
  join(import.meta.dirname, '..', '..', '..', '..', 'dist', 'uri.js')
)

const authorities = '{"sdu":"1","name":"Ann","topics":["Rust"]}'

function folderWith(connections: string | Uint8Array, name = 'connections.ndjson'): string {
  return folderOf({ 'authorities.ndjson': authorities, [name]: connections })
}

/** What the connections of a folder are read as. */
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
const sdu = fc.bigInt(0n, 10n ** 32n - 1n).map(String)
const plain = fc
  .record({
    from: sdu,
    to: sdu,
    weight: fc.constantFrom(1, 2.5, 1e-7, 12_345),
    kind: fc.constantFrom(...connectionKinds),
  })
  .map((record) => JSON.stringify(record))
const line = fc.oneof(
  { weight: 6, arbitrary: plain },
  plain.map((text) => text.replaceAll(':', ' :  ')),
  sdu.map((from) => `{"from":"${from}","to":"x:somebody"}`),
  fc.constantFrom('', '{}', '{"from":"1"}', 'no JSON', '{"from":"1","to":"ann"}', '\ufffd'),
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
      { numRuns: 200 },
    )
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
