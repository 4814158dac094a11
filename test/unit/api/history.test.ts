/** Snapshots, changes and histories over HTTP's API: who pages through them has a copy that is right. */
import { readFileSync, truncateSync, writeFileSync } from 'node:fs'
import fc from 'fast-check'
import { afterAll, describe, expect, it } from 'vitest'
import { activate } from '../../../src/api/active-snapshot.ts'
import { announcedIn } from '../../../src/api/announced.ts'
import { changeEntries, readChain } from '../../../src/snapshot/changes/change-directory.ts'
import { loadStored } from '../../../src/snapshot/store/directory.ts'
import { type Announced, announceAll, dayMs } from '../../support/announced.ts'
import { ask, newApi, type Reply } from '../../support/api-client.ts'
import { temporaryDirectory } from '../../support/built.ts'
import { authority, type Records, social, topic } from '../../support/records.ts'

type Json = Record<string, unknown>

const apiOf = (directory: string) => newApi(announcedIn(directory))

function pagesOf(get: (target: string) => Reply, target: string): { items: Json[]; pages: number } {
  const items: Json[] = []
  let cursor = ''
  for (let pages = 1; ; pages += 1) {
    const { status, json } = get(`${target}${cursor}`)
    expect(status).toBe(200)
    items.push(...json.results)
    if (json.next_cursor === undefined) return { items, pages }
    cursor = `&cursor=${json.next_cursor}`
  }
}

const ann = authority({
  sdu: '1',
  name: 'Ann',
  socials: [social('github', 'ann')],
  authorityScore: 10,
})
const bob = authority({ sdu: '2', name: 'Bob', authorityScore: 20 })

/** Four snapshots: Ann overtakes Bob, Cy comes, Bob goes. */
const story: Partial<Records>[] = [
  { authorities: [ann, bob] },
  { authorities: [{ ...ann, authorityScore: 30.5 }, bob] },
  {
    authorities: [
      { ...ann, authorityScore: 30.5 },
      bob,
      authority({ sdu: '3', topics: [topic('Go')] }),
    ],
  },
  { authorities: [{ ...ann, authorityScore: 40 }, authority({ sdu: '3', topics: [topic('Go')] })] },
]

function tell(directory: string): readonly string[] {
  return announceAll(directory, story).map(({ id }) => id)
}

/** For tests that change no file. */
const told = temporaryDirectory(afterAll)
const ids = tell(told)
const toldApi = apiOf(told)
const get = (target: string) => ask(toldApi, target)

describe('the list of snapshots', () => {
  it('has the last announced first, each with its parent, and says how much is in it', () => {
    const { results } = get('/api/v1/snapshots').json
    expect(results.map(({ id }) => id)).toEqual([...ids].reverse())
    expect(results.map(({ parent }) => parent)).toEqual([...[...ids].reverse().slice(1), null])
    expect(results[0]).toMatchObject({ authorities: 2, topics: 2 })
    expect(results.every(({ digest, id }) => String(digest).startsWith(String(id)))).toBe(true)
  })
})

describe('the page of a snapshot', () => {
  it('says how to cite it, and how steady the orders are', () => {
    const [page] = get(`/api/v1/snapshots/${ids[1]}`).json.results
    expect(page).toMatchObject({ people_changed: 2, stability: { kendall_tau: { topics: 0 } } })
    const {
      text,
      bibtex,
      csl_json: csl,
    } = page!.citation as {
      readonly text: string
      readonly bibtex: string
      readonly csl_json: Json
    }
    expect(text).toContain(`snapshot ${ids[1]}, 1970-01-03 (2 authorities`)
    // No character of BibTeX means something there.
    const [, key, fields = ''] = /^@misc\{([a-z0-9-]+),\n([\s\S]+)\n\}$/.exec(bibtex) ?? []
    expect(key).toBe(csl.id)
    const lines = fields.split(',\n').map((line) => /^ {2}(\w+) = (.+)$/.exec(line)!.slice(1))
    expect(lines.map(([name]) => name)).toEqual(['title', 'year', 'month', 'note'])
    const values = Object.fromEntries(lines)
    expect(values.title).toBe(`{{Authority Index, snapshot ${ids[1]}}}`)
    // Without braces it is a name that BibTeX itself knows.
    expect([values.year, values.month]).toEqual(['{1970}', 'jan'])
    expect(values.note).toMatch(/^\{[\w ,;-]+\}$/)
    expect(Object.keys(csl)).toEqual(['id', 'type', 'title', 'version', 'issued', 'note'])
    expect(csl).toMatchObject({ type: 'dataset', title: 'Authority Index', version: ids[1] })
    expect(csl.issued).toEqual({ 'date-parts': [[1970, 1, 3]] })
  })

  it('cites without a date where none is known: where no changes are, it is alone in the list', () => {
    const api = newApi(activate(loadStored(told, ids[3]!)))
    const { results } = ask(api, '/api/v1/snapshots').json
    expect(results).toMatchObject([{ id: ids[3], parent: null, published_at: null }])
    const [page] = ask(api, `/api/v1/snapshots/${ids[3]}`).json.results
    const { text, bibtex, csl_json: csl } = page!.citation as Json
    expect(text).toContain(`snapshot ${ids[3]} (2 authorities`)
    expect(bibtex).not.toMatch(/year|month|undefined/)
    expect(csl).not.toHaveProperty('issued')
  })

  it('of an id that nobody knows is a 404', () => {
    const { status, json } = get(`/api/v1/snapshots/${'0'.repeat(32)}`)
    expect([status, json.type]).toEqual([404, 'urn:authority-index:problem:no-such-snapshot'])
  })
})

describe('changes', () => {
  it('since a snapshot are those of all that came behind it, in their order', () => {
    const { items } = pagesOf(get, `/api/v1/changes?since=${ids[1]}`)
    expect(items.map(({ type, sdu }) => [sdu, type])).toEqual(
      expect.arrayContaining([
        ['3', 'added'],
        ['3', 'rank'],
        ['1', 'score'],
        ['2', 'removed'],
      ]),
    )
    expect(items).toContainEqual({ type: 'score', sdu: '1', topic: null, before: 30.5, after: 40 })
    expect(pagesOf(get, `/api/v1/changes?since=${ids[3]}`).items).toEqual([])
  })

  it('of some people, a topic or some types are those among all', () => {
    const { items: all } = pagesOf(get, `/api/v1/changes?since=${ids[0]}`)
    const some = (query: string) => pagesOf(get, `/api/v1/changes?since=${ids[0]}&${query}`).items
    expect(some('sdus=2,3')).toEqual(all.filter(({ sdu }) => sdu !== '1'))
    expect(some('types=score,rank')).toEqual(
      all.filter(({ type }) => type === 'score' || type === 'rank'),
    )
    expect(some('topic=rust')).toEqual(all.filter(({ topic: about }) => about === 'Rust'))
    expect(some('sdu=4711')).toEqual([])
  })

  it('of many people are told whole over several pages, each person once', () => {
    const directory = temporaryDirectory()
    const crowd = (score: number) => ({
      authorities: Array.from({ length: 1_500 }, (_, index) =>
        authority({
          sdu: String(index),
          topics: [topic(`T${index}`)],
          authorityScore: score,
          bio: 'b'.repeat(200),
        }),
      ),
    })
    const [first] = announceAll(directory, [crowd(1), crowd(2)])
    const api = apiOf(directory)
    const { items, pages } = pagesOf(
      (target) => ask(api, target),
      `/api/v1/changes?since=${first!.id}`,
    )
    expect(pages).toBeGreaterThan(1)
    expect(new Set(items.map(({ sdu }) => sdu)).size).toBe(1_500)
    expect(items.length).toBe(1_500)
  })
})

describe('behind a file that is damaged', () => {
  it('changes go back to the snapshot that it led to, the list and a history begin with it', () => {
    const directory = temporaryDirectory()
    const ids = tell(directory)
    const { path } = changeEntries(directory)[1]!
    writeFileSync(path, readFileSync(path).subarray(0, -1))
    const api = apiOf(directory)
    const get = (target: string) => ask(api, target)
    expect(get(`/api/v1/changes?since=${ids[1]}`).status).toBe(200)
    const { status, json } = get(`/api/v1/changes?since=${ids[0]}`)
    expect([status, json.oldest]).toEqual([410, ids[1]])
    expect(get('/api/v1/snapshots').json.results.map(({ id }) => id)).toEqual([ids[3], ids[2]])
    expect(get(`/api/v1/snapshots/${ids[0]}`).status).toBe(404)
    const { results } = get('/api/v1/history?sdu=1').json
    expect(results.map(({ snapshot_id: id, at }) => [id, at === null])).toEqual([
      [ids[3], false],
      [ids[1], true],
    ])
  })
})

describe('a file that is cut off while it is served', () => {
  it('ends a page where it begins, as one that is gone does', () => {
    const directory = temporaryDirectory()
    const ids = tell(directory)
    const api = apiOf(directory)
    const { path } = changeEntries(directory)[2]!
    const bytes = readFileSync(path)
    const since = (id: string) => `/api/v1/changes?since=${id}`
    const itemsOf = (target: string) => pagesOf((each) => ask(api, each), target).items
    const whole = itemsOf(since(ids[0]!))
    const behind = itemsOf(since(ids[1]!))
    truncateSync(path, 4_096)
    const first = ask(api, since(ids[0]!))
    expect([first.status, first.json.results]).toEqual([200, whole.slice(0, -behind.length)])
    const rest = `${since(ids[0]!)}&cursor=${first.json.next_cursor}`
    expect(ask(api, rest).json).toMatchObject({ results: [], next_cursor: first.json.next_cursor })
    writeFileSync(path, bytes)
    expect(itemsOf(rest)).toEqual(behind)
  })
})

describe('after a roll-back', () => {
  it('by a sync of what was before, the way back is a change like any other', () => {
    const directory = temporaryDirectory()
    const [one, two] = story as [Partial<Records>, Partial<Records>]
    const [first, second] = announceAll(directory, [one, two, one]).map(({ id }) => id)
    const api = apiOf(directory)
    const { results } = ask(api, '/api/v1/snapshots').json
    expect(results.map(({ id, parent }) => [id, parent])).toEqual([
      [first, second],
      [second, first],
      [first, null],
    ])
    const { items } = pagesOf((target) => ask(api, target), `/api/v1/changes?since=${second}`)
    expect(items).toContainEqual({ type: 'score', sdu: '1', topic: null, before: 30.5, after: 10 })
    expect(ask(api, `/api/v1/changes?since=${first}`).json.results).toEqual([])
    const history = ask(api, '/api/v1/history?sdu=1').json.results
    expect(history.map(({ snapshot_id: id, authority_score: score }) => [id, score])).toEqual([
      [first, 10],
      [second, 30.5],
      [first, 10],
    ])
    expect(history[0]!.at).toBe(new Date(3 * dayMs).toISOString())
  })

  it('by a pin all is told as it was then, and who is ahead is a 410', () => {
    const { files: changes } = readChain(told, ids[1]!)
    const pinned = activate(loadStored(told, ids[1]!), { changes })
    const get = (target: string) => ask(newApi(pinned), target)
    expect(get('/api/v1/snapshots').json.results.map(({ id }) => id)).toEqual([ids[1], ids[0]])
    const { results } = get('/api/v1/history?sdu=1,3').json
    expect(results.map(({ authority_score: score }) => score)).toEqual([30.5, 10])
    const ahead = get(`/api/v1/changes?since=${ids[3]}`)
    expect([ahead.status, ahead.json.oldest]).toEqual([410, ids[0]])
    expect(get(`/api/v1/changes?since=${ids[0]}`).json.results.length).toBeGreaterThan(0)
  })
})

/** Sources in which people and scores come and go. */
const sources = fc.array(
  fc.uniqueArray(
    fc.tuple(fc.nat(6), fc.integer({ min: 0, max: 9 }), fc.constantFrom('Rust', 'Go')),
    {
      minLength: 1,
      selector: ([number]) => number,
    },
  ),
  { minLength: 2, maxLength: 5 },
)

it('a history is what each snapshot said of the person, for whatever came and went', () => {
  fc.assert(
    fc.property(sources, fc.constantFrom('', '&topic=go'), (list, about) => {
      const directory = temporaryDirectory()
      const announced = announceAll(
        directory,
        list.map((people) => ({
          authorities: people.map(([number, score, label]) =>
            authority({ sdu: String(number), authorityScore: score, topics: [topic(label)] }),
          ),
        })),
      )
      const api = apiOf(directory)
      const sdus = [0, 1, 2, 3, 4, 5, 6].map(String)
      const { items } = pagesOf(
        (target) => ask(api, target),
        `/api/v1/history?sdus=${sdus}${about}`,
      )
      const seen = items.map(({ sdu, snapshot_id: id, topic, rank, authority_score: score }) => {
        return { sdu, id, topic: (topic as string | null)?.toLowerCase(), rank, score }
      })
      const label = about === '' ? undefined : 'Go'
      expect(seen).toEqual(sdus.flatMap((sdu) => steps(announced, sdu, label).reverse()))
    }),
    { numRuns: 15 },
  )
})

/** The oldest state of somebody who was there, and each that is another than the one before. */
function steps(announced: readonly Announced[], sdu: string, label: string | undefined) {
  const list: object[] = []
  let before = JSON.stringify([undefined, null, null])
  announced.forEach(({ id, rankings, scores }) => {
    const score = scores.get(sdu) ?? null
    const found = [...rankings].find(
      ([each, first]) => (label ?? each) === each && first.includes(sdu),
    )
    const topicNow = score === null ? undefined : (label ?? found?.[0])
    const rank = score === null || found === undefined ? null : found[1].indexOf(sdu) + 1
    const now = JSON.stringify([topicNow, rank, score])
    if (now !== before) list.push({ sdu, id, topic: topicNow?.toLowerCase(), rank, score })
    before = now
  })
  return list
}
