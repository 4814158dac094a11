import { execFileSync } from 'node:child_process'
import { createHash } from 'node:crypto'
import { rmSync, symlinkSync } from 'node:fs'
import { join } from 'node:path'
import { gzipSync } from 'node:zlib'
import { describe, expect, it } from 'vitest'
import { limits } from '../../../../src/limits.ts'
import { openSource } from '../../../../src/source/uri.ts'
import { connectionsOf, entriesOf, folderOf } from '../../../support/source-folder.ts'

const ann = '{"sdu":"1","name":"Ann","topics":["Rust"]}'
const bob = '{"sdu": "2", "name": "Bob", "topics": [{"topic": "Go", "weight": 2}]}'
const files = {
  'authorities.ndjson': `${ann}\n${bob}\n`,
  'connections.ndjson': '{"from":"1","to":"2"}\n{"to":"1","from":"x:Bob"}\n',
  'topics.ndjson': '{"topic":"Go","aliases":["golang"]}\n',
}

async function readAll(directory: string) {
  const reading = await openSource(directory).read()
  return {
    topics: await entriesOf(reading.topics),
    authorities: await entriesOf(reading.authorities),
    connections: await connectionsOf(reading.connections),
    fingerprint: reading.fingerprint(),
  }
}

function fingerprintOf(directory: string): Promise<string> {
  return openSource(directory).fingerprint()
}

function sha256(text: string): string {
  return createHash('sha256').update(text).digest('hex')
}

describe('a source folder', () => {
  it('is read as records with their positions', async () => {
    const { topics, authorities, connections } = await readAll(folderOf(files))
    expect(authorities.map(({ position, value }) => [position, value?.name])).toEqual([
      ['authorities.ndjson:1', 'Ann'],
      ['authorities.ndjson:2', 'Bob'],
    ])
    expect(authorities[1]).toMatchObject({ raw: bob })
    expect(connections).toEqual([
      { from: '1', to: '2', weight: 1, kind: 'follows' },
      { from: 'twitter:bob', to: '1', weight: 1, kind: 'follows' },
    ])
    expect(topics.map(({ value }) => value)).toEqual([{ topic: 'Go', aliases: ['golang'] }])
  })

  it('reads the same, fingerprint included, from gzipped files', async () => {
    const gzipped = Object.entries(files).map(([name, text]) => [`${name}.gz`, gzipSync(text)])
    const directory = folderOf(Object.fromEntries(gzipped))
    expect(await readAll(directory)).toEqual(await readAll(folderOf(files)))
    expect(await fingerprintOf(directory)).toBe(await fingerprintOf(folderOf(files)))
  })

  it('reads a gzip of several members whole', async () => {
    const members = Buffer.concat([gzipSync(`${ann}\n`), gzipSync(bob)])
    const { authorities } = await readAll(folderOf({ 'authorities.ndjson.gz': members }))
    expect(authorities.map(({ value }) => value?.name)).toEqual(['Ann', 'Bob'])
  })
})

describe('a line that holds no record', () => {
  it('is a reject with its position, field and reason, and the rest is read', async () => {
    const directory = folderOf({
      'authorities.ndjson': Buffer.concat([
        Buffer.from(`${ann}\r\n{"sdu":"3","name":"Cy","topics":[]}\n[]\n\n{"sdu":\n`),
        Buffer.from([0xff, 0x0a]),
        Buffer.from(`${' '.repeat(limits.lineBytesMax)}{}\n${bob}`),
      ]),
    })
    const { authorities } = await readAll(directory)
    const rejects = authorities.flatMap((each) => (each.value === undefined ? [each] : []))
    const at = (line: number) => `authorities.ndjson:${line}`
    expect(rejects.map(({ position, field, reason }) => [position, field, reason])).toEqual([
      [at(2), 'topics', 'must name at least one topic'],
      [at(3), 'record', 'must be an object'],
      [at(5), 'line', 'is not JSON'],
      [at(6), 'line', 'is not UTF-8'],
      [at(7), 'line', 'is too long'],
    ])
    expect(rejects[0]).toMatchObject({ raw: '{"sdu":"3","name":"Cy","topics":[]}' })
    expect(authorities.map(({ position }) => position)).toEqual([1, 2, 3, 5, 6, 7, 8].map(at))
  })
})

describe('a source that cannot be read', () => {
  it('is refused by the name of a gzip that is cut anywhere, or damaged', async () => {
    const whole = gzipSync(`${ann}\n${bob}\n`)
    const damaged = Buffer.from(whole).fill(0, whole.length - 6, whole.length - 5)
    const cut = Array.from(whole, (_, length) => whole.subarray(0, length))
    for (const bytes of [...cut, damaged]) {
      const directory = folderOf({ 'authorities.ndjson.gz': bytes })
      await expect(readAll(directory), `of ${bytes.length} bytes`).rejects.toMatchObject({
        code: 'source-unreadable',
        message: expect.stringContaining('authorities.ndjson.gz cannot be read'),
      })
    }
  })
})

describe('the fingerprint of a source folder', () => {
  it('is the SHA-256 of what sha256sum lists', async () => {
    const listing = Object.entries(files).map(([name, text]) => `${sha256(text)}  ${name}\n`)
    const { fingerprint } = await readAll(folderOf(files))
    expect(fingerprint).toBe(sha256(listing.join('')))
    expect(await fingerprintOf(folderOf(files))).toBe(fingerprint)
  })

  it('is another when a byte or a name is', async () => {
    const moved = { 'authorities.ndjson': files['authorities.ndjson'] }
    const fingerprints = await Promise.all(
      [
        moved,
        { ...moved, 'connections.ndjson': '' },
        { ...moved, 'topics.ndjson': '' },
        { 'authorities.ndjson': `${ann}\n${bob}` },
      ].map((each) => fingerprintOf(folderOf(each))),
    )
    expect(new Set(fingerprints).size).toBe(4)
  })

  it('is not to be had before the source is read to its end', async () => {
    const reading = await openSource(folderOf(files)).read()
    await entriesOf(reading.authorities)
    await connectionsOf(reading.connections)
    expect(() => reading.fingerprint()).toThrow('has not been read')
    await entriesOf(reading.topics)
    expect(reading.fingerprint()).toMatch(/^[0-9a-f]{64}$/)
  })
})

describe('progress while reading', () => {
  it.each([
    ['plain', 'authorities.ndjson', (text: string) => Buffer.from(text)],
    ['gzipped', 'authorities.ndjson.gz', (text: string) => gzipSync(text)],
  ])('rises to the whole of the %s file', async (_, name, write) => {
    const bytes = write(`${ann}\n`.repeat(20_000))
    const steps: number[] = []
    const source = openSource(folderOf({ [name]: bytes }))
    const reading = await source.read({ onProgress: (fraction) => steps.push(fraction) })
    await entriesOf(reading.authorities)
    expect(steps.length).toBeGreaterThan(1)
    expect(steps).toEqual([...steps].sort((a, b) => a - b))
    expect(steps.at(-1)).toBe(1)
  })
})

describe('a source folder with something strange in it', () => {
  const refusalOf = (directory: string) =>
    readAll(directory).then(
      () => undefined,
      (error: Error) => error.message,
    )

  it('is refused at once where a file is a pipe or a device', async () => {
    const pipe = folderOf(files)
    rmSync(join(pipe, 'topics.ndjson'))
    execFileSync('mkfifo', [join(pipe, 'topics.ndjson')])
    expect(await refusalOf(pipe)).toMatch(/topics\.ndjson cannot be read: it is a pipe or a device/)
    const device = folderOf({ 'connections.ndjson': '' })
    symlinkSync('/dev/zero', join(device, 'authorities.ndjson'))
    expect(await refusalOf(device)).toMatch(/authorities\.ndjson cannot be read: it is a pipe or a/)
  })

  it('is refused where a link leads nowhere', async () => {
    const directory = folderOf({ 'authorities.ndjson': ann })
    symlinkSync(join(directory, 'gone'), join(directory, 'connections.ndjson'))
    expect(await refusalOf(directory)).toMatch(
      /connections\.ndjson is a link to a file that is not/,
    )
  })

  it.each([
    ['connection.ndjson', 'connections.ndjson'],
    ['Topics.ndjson.gz', 'topics.ndjson'],
    ['corrections.jsonl', 'corrections.ndjson'],
  ])('is refused where %s stands for %s', async (name, meant) => {
    const directory = folderOf({ 'authorities.ndjson': ann, [name]: '' })
    expect(await refusalOf(directory)).toMatch(`${name} is no file of a source: is it ${meant}?`)
  })

  it('may hold other files, and those beside the ones that are meant', async () => {
    const directory = folderOf({
      ...files,
      'connection.ndjson': '',
      'notes.ndjson': '',
      'topics.txt': '',
    })
    expect(await refusalOf(directory)).toBeUndefined()
  })

  it.each([
    ['UTF-16', Buffer.from(`\ufeff${ann}`, 'utf16le'), /looks like UTF-16.*write it in UTF-8/],
    ['UTF-16 without a mark', Buffer.from(ann, 'utf16le'), /looks like UTF-16/],
    ['an array', `[\n${ann},\n${bob}]`, /looks like one JSON array/],
    ['an array on one line', `[${ann}]`, /looks like one JSON array/],
    ['gzip without its ending', gzipSync(ann), /looks like gzip.*\.gz/],
  ])('says what a file looks like that is %s', async (_, content, message) => {
    expect(await refusalOf(folderOf({ 'authorities.ndjson': content }))).toMatch(message)
  })

  it('is read behind a byte order mark of UTF-8', async () => {
    const { authorities } = await readAll(folderOf({ 'authorities.ndjson': `\ufeff${ann}` }))
    expect(authorities.map(({ value }) => value?.name)).toEqual(['Ann'])
  })
})
