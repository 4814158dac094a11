/** Who is forgotten is nowhere: no byte of any file and no answer, and nothing brings them back. */
import { copyFileSync, readdirSync, readFileSync, renameSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, it } from 'vitest'
import { changeEntries } from '../../../../src/snapshot/changes/change-directory.ts'
import { peopleOf, readChangeFile } from '../../../../src/snapshot/changes/change-file.ts'
import { pathOf } from '../../../../src/snapshot/store/directory.ts'
import { Removals } from '../../../../src/snapshot/store/removals.ts'
import { readPointer } from '../../../../src/snapshot/store/states.ts'
import { temporaryDirectory } from '../../../support/built.ts'
import { type Operated, operate, until } from '../../../support/operated.ts'
import { asked, type Ended, run, toolCall } from '../../../support/program.ts'

const sdu = '98765432109876543'
const handles = ['zebquark', 'quarkzeb']
const orcid = '0000-0002-1825-0097'
const wikidata = 'q4242424242'
/** What must be nowhere, in whatever case. */
const traces = ['zebulon', 'quarkington', sdu, ...handles, orcid, wikidata]

const forgotten = {
  sdu,
  name: 'Zebulon Quarkington',
  bio: 'Zebulon tends lighthouses.',
  topics: ['Rust'],
  socials: {
    github: { handle: 'ZebQuark' },
    mastodon: { handle: 'quarkzeb', verified: false },
  },
  identifiers: { orcid, wikidata: wikidata.toUpperCase() },
}

const others = Array.from({ length: 60 }, (_, index) => ({
  sdu: String(index + 1),
  name: `Person Number${index + 1}`,
  topics: ['Rust', `Topic ${index % 5}`],
  socials: { github: { handle: `person${index + 1}` } },
}))

const connections = [
  ...others.map((person, index) => ({ from: person.sdu, to: String(((index * 7) % 60) + 1) })),
  ...others.map((person, index) => ({ from: person.sdu, to: `github:friend${index}` })),
  ...others.slice(0, 9).map((person) => ({ from: person.sdu, to: sdu })),
  ...others.slice(9, 18).map((person) => ({ from: 'github:zebquark', to: person.sdu })),
  ...others.slice(18, 21).map((person) => ({ from: person.sdu, to: 'mastodon:@QuarkZeb' })),
  ...others.slice(21, 24).map((person) => ({ from: person.sdu, to: `orcid:${orcid}` })),
  { from: '25', to: `https://www.wikidata.org/wiki/${wikidata.toUpperCase()}` },
  { from: sdu, to: '404' },
  { from: '405', to: 'github:zebquark' },
]

function writeLines(directory: string, name: string, records: readonly unknown[]): void {
  const lines = records.map((record) =>
    typeof record === 'string' ? record : JSON.stringify(record),
  )
  writeFileSync(join(directory, name), lines.join('\n'))
}

/** A source with the one who will be forgotten, twice, of which one is no record. */
function newSource(): string {
  const source = temporaryDirectory()
  const broken = JSON.stringify({ ...forgotten, topics: [] })
  writeLines(source, 'authorities.ndjson', [...others, broken, forgotten, forgotten])
  writeLines(source, 'connections.ndjson', connections)
  return source
}

const lenient = ['--gate', 'reject-share-max=0.1', '--json']
const wordsOf = (source: string, snapshots: string) => [
  ...['--source', source, '--snapshots', snapshots, ...lenient],
]

function sync(source: string, snapshots: string, ...more: string[]): Promise<Ended> {
  return run(['sync', ...wordsOf(source, snapshots), ...more])
}

function forget(source: string, snapshots: string): Promise<Ended> {
  return run(['forget', sdu, '--reason', 'asked for it', ...wordsOf(source, snapshots)])
}

/** What the files of changes tell of the forgotten, each time that they do. */
function toldOf(directory: string): unknown[] {
  return changeEntries(directory)
    .flatMap(({ path }) => [...peopleOf(readChangeFile(path))])
    .filter((person) => person.sdu === sdu)
    .map(({ changes }) => changes)
}

const tombstone = { type: 'removed', topic: null, before: null, after: null }

/**
 * The traces of the forgotten in the files of a directory, and in which. The departure of an SDU stands in
 * files of changes, see `toldOf`.
 */
function tracesIn(directory: string): string[] {
  return readdirSync(directory, { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile())
    .flatMap(({ parentPath, name }) => {
      const bytes = readFileSync(join(parentPath, name)).toString('latin1').toLowerCase()
      return [...traces, encodedTrace]
        .filter((trace) => bytes.includes(trace) && !(trace === sdu && /^\d{8}-/.test(name)))
        .map((trace) => `${name}: ${trace}`)
    })
}

const encodedTrace = Buffer.from(sdu).toString('base64').toLowerCase()

const targets = [
  '/api/v1/index?query=zebulon',
  '/api/v1/index?query=quarkington&limit=50',
  '/api/v1/index?query=lighthouses',
  '/api/v1/index?query=zebquark',
  '/api/v1/index?query=rust&limit=50',
  `/api/v1/index?query=${sdu}`,
  `/api/v1/detail?sdus=${sdu},1,2,3`,
  '/api/v1/match?handles=zebquark,github:zebquark,quarkzeb',
  '/api/v1/peers?handle=zebquark&limit=50',
  '/api/v1/peers?handle=mastodon:quarkzeb&limit=50',
  `/api/v1/peers?handle=orcid:${orcid}&limit=50`,
  `/api/v1/match?handles=orcid:${orcid},wikidata:${wikidata}`,
  `/api/v1/index?query=orcid:${orcid}`,
  '/api/v1/index?query=rust&limit=50&explain=true',
  `/api/v1/detail?sdus=0${sdu}`,
  ...['zeb', 'quark', 'zebulon+q', 'lighthou'].map(
    (typed) => `/api/v1/autocomplete?query=${typed}`,
  ),
  '/api/v1/topics?limit=50',
  '/api/v1/snapshots',
  ...others
    .slice(0, 21)
    .map(({ socials }) => `/api/v1/peers?handle=${socials.github.handle}&limit=50`),
]

/** About earlier snapshots, in which an SDU may stand. */
const targetsAbout = (ids: readonly string[]) => [
  ...ids.flatMap((id) => [
    `/api/v1/changes?since=${id}`,
    `/api/v1/changes?since=${id}&sdus=${sdu}`,
    `/api/v1/changes?since=${id}&topic=rust&types=rank`,
    `/api/v1/snapshots/${id}`,
  ]),
  ...[`/api/v1/history?sdus=${sdu}`, '/api/v1/history?sdus=1,2,3'],
]

/** The items of answers; each is asked for twice, so that what is cached is seen too. */
async function answers({ address, headers }: Operated, asking = targets): Promise<string> {
  const items = []
  for (const target of [...asking, ...asking]) {
    const { status, json } = await asked(`${address}${target}`, { headers })
    expect([target, status]).toEqual([target, 200])
    items.push(JSON.stringify(json.results).toLowerCase())
  }
  return items.join('\n')
}

/** What the search tool says to a word of the bio of the forgotten. */
async function toolAnswer({ address, headers }: Operated): Promise<string> {
  const call = toolCall('search_authorities', { query: 'lighthouses' }, headers)
  return (await asked(`${address}/mcp`, call)).text.toLowerCase()
}

function tracesOf(text: string): string[] {
  return traces.filter((trace) => text.includes(trace))
}

/** A directory with two snapshots that hold the forgotten, the older one pinned. */
async function newSnapshots(source: string): Promise<{ snapshots: string; ids: string[] }> {
  const snapshots = temporaryDirectory()
  const ids = []
  for (const time of ['2026-01-01', '2026-01-02']) {
    const { stdout } = await sync(source, snapshots, '--created-at', `${time}T00:00:00Z`)
    ids.push(JSON.parse(stdout).id)
  }
  const pin = await run(['snapshot', 'pin', ids[0]!, '--snapshots', snapshots])
  expect(pin.exitCode).toBe(0)
  return { snapshots, ids }
}

describe('who is forgotten', () => {
  it('is in no file and in no answer, and no pin brings them back', async () => {
    const source = newSource()
    const { snapshots, ids } = await newSnapshots(source)
    const place = temporaryDirectory()
    const data = join(place, 'data')
    const service = await operate(snapshots, ['--data', data, '--threads', '1'])
    const before = await answers(service)
    expect(tracesOf(before)).toEqual(expect.arrayContaining(['zebulon', 'quarkington', sdu]))
    expect(await toolAnswer(service)).toContain('quarkington')
    expect(tracesIn(snapshots).length).toBeGreaterThan(5)
    const backup = join(place, 'backup')
    copyFileSync(pathOf(snapshots, ids[0]!), backup)

    const { exitCode, stdout, stderr } = await forget(source, snapshots)
    expect([exitCode, stderr.includes(sdu)]).toEqual([0, false])
    const { known, id, removed, elsewhere, named } = JSON.parse(stdout)
    expect([known, [...removed].sort()]).toEqual([true, [...ids].sort()])
    expect([elsewhere, named]).toEqual([[], []])
    await until(async () => (await service.readiness()).snapshot_id === id)

    expect(tracesOf(await answers(service))).toEqual([])
    expect(tracesOf(await toolAnswer(service))).toEqual([])
    expect([tracesIn(snapshots), tracesIn(data)]).toEqual([[], []])
    expect(toldOf(snapshots)).toEqual([[tombstone]])
    expect(readFileSync(join(snapshots, 'REMOVED'), 'utf8')).toContain('asked for it')

    for (const old of ids) {
      expect((await run(['snapshot', 'pin', old, '--snapshots', snapshots])).exitCode).toBe(1)
    }
    copyFileSync(backup, pathOf(snapshots, ids[0]!))
    const pin = await run(['snapshot', 'pin', ids[0]!, '--snapshots', snapshots])
    expect([pin.exitCode, pin.stderr]).toEqual([1, expect.stringContaining('who was removed')])
    expect(readPointer(snapshots, 'PINNED')).toBeUndefined()
    expect((await sync(source, snapshots)).exitCode).toBe(0)
    expect(tracesIn(snapshots)).toEqual([])
  })

  it('is in no answer about the past, but that the SDU went', async () => {
    const source = newSource()
    const snapshots = temporaryDirectory()
    const earlier = { ...forgotten, name: 'Zebulon Quark' }
    writeLines(source, 'authorities.ndjson', [...others, earlier])
    const ids = [JSON.parse((await sync(source, snapshots)).stdout).id]
    writeLines(source, 'authorities.ndjson', [...others, forgotten])
    const second = await sync(source, snapshots)
    expect(second.exitCode, second.stderr).toBe(0)
    ids.push(JSON.parse(second.stdout).id)
    const data = join(temporaryDirectory(), 'data')
    const service = await operate(snapshots, ['--data', data, '--threads', '1'])
    const before = await answers(service, targetsAbout(ids))
    expect(tracesOf(before)).toEqual(['zebulon', 'quarkington', sdu])

    const { stdout } = await forget(source, snapshots)
    const { id } = JSON.parse(stdout)
    await until(async () => (await service.readiness()).snapshot_id === id)
    const after = await answers(service, targetsAbout([...ids, id]))
    expect(tracesOf(after)).toEqual([sdu])
    const entries = after.match(/\{[^{}]*98765432109876543[^{}]*\}/g) ?? []
    const facts = entries.flatMap((entry) => {
      const { sdu: _, type, at, snapshot_id: id, ...others } = JSON.parse(entry)
      expect(type ?? 'removed').toBe('removed')
      return Object.values(others).filter((value) => value !== null)
    })
    expect([entries.length > 0, facts]).toEqual([true, []])
  })

  it('stays out of every later sync, though only connections name them any more', async () => {
    const source = newSource()
    const { snapshots } = await newSnapshots(source)
    await forget(source, snapshots)
    writeLines(source, 'authorities.ndjson', [...others, 'no record', { ...forgotten, sdu: 'x' }])
    const { exitCode, stdout } = await sync(source, snapshots)
    expect([exitCode, JSON.parse(stdout)]).toMatchObject([0, { published: true, authorities: 60 }])
    expect(tracesIn(snapshots)).toEqual([])
    const again = JSON.parse((await sync(source, snapshots)).stdout)
    expect(again.published).toBe(false)
  })

  it('is recorded where there is no source, and out with the next sync', async () => {
    const source = newSource()
    const { snapshots, ids } = await newSnapshots(source)
    renameSync(source, `${source}-away`)
    const { exitCode, stderr } = await forget(source, snapshots)
    expect([exitCode, stderr]).toEqual([1, expect.stringContaining('until a sync succeeds')])
    const left = readdirSync(snapshots).filter((name) => name.endsWith('.msgpack'))
    expect(left).toEqual([`${ids[1]}.msgpack`])
    expect(readPointer(snapshots, 'PINNED')).toBeUndefined()
    renameSync(`${source}-away`, source)
    expect((await sync(source, snapshots)).exitCode).toBe(0)
    expect(tracesIn(snapshots)).toEqual([])
  })

  it('needs no force, but a source that changed too much besides is held back', async () => {
    const source = newSource()
    const { snapshots } = await newSnapshots(source)
    const whole = readFileSync(join(source, 'authorities.ndjson'))
    writeLines(source, 'authorities.ndjson', [...others.slice(0, 45), forgotten])
    const { exitCode, stderr } = await forget(source, snapshots)
    expect([exitCode, stderr]).toEqual([
      1,
      expect.stringMatching(/authorities: .*% gone.*until a sync succeeds/s),
    ])
    writeFileSync(join(source, 'authorities.ndjson'), whole)
    expect((await forget(source, snapshots)).exitCode).toBe(0)
    expect(tracesIn(snapshots)).toEqual([])
  })
})

describe('a snapshot that holds somebody on the list', () => {
  it('is answered from by neither get nor serve', async () => {
    const source = newSource()
    const { snapshots } = await newSnapshots(source)
    new Removals('1'.repeat(64), [])
      .with({ sdu, handles: [] }, { reason: '', at: '' })
      .write(snapshots)
    const refusal = 'holds somebody who was removed'
    const got = await run(['get', `/api/v1/detail?sdu=${sdu}`, '--snapshots', snapshots])
    expect([got.exitCode, got.stdout, got.stderr]).toEqual([
      1,
      '',
      expect.stringContaining(refusal),
    ])
    const data = join(temporaryDirectory(), 'data')
    const served = await run(['serve', '--port', '0', '--snapshots', snapshots, '--data', data])
    expect([served.exitCode, served.stderr]).toEqual([1, expect.stringContaining(refusal)])
  })
})

describe('forget', () => {
  it('ends with 1 for an SDU that nothing knows, and records it when it is forced', async () => {
    const source = newSource()
    const { snapshots } = await newSnapshots(source)
    const order = ['forget', '4040', '--reason', 'x', ...wordsOf(source, snapshots)]
    const { exitCode, stderr } = await run(order)
    expect([exitCode, stderr]).toEqual([1, expect.stringContaining('no snapshot has this SDU')])
    expect(readdirSync(snapshots)).not.toContain('REMOVED')
    const forced = await run([...order, '--force'])
    expect([forced.exitCode, JSON.parse(forced.stdout).known]).toEqual([0, false])
    expect(readdirSync(snapshots)).toContain('REMOVED')
  })
})
