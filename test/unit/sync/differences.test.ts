/** Parent and changes are the child: of any two snapshots, and what each change is called. */

import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { activate } from '../../../src/api/active-snapshot.ts'
import { allTexts } from '../../../src/memory/text-table.ts'
import type { Change, PersonChanges } from '../../../src/snapshot/changes/change.ts'
import type { Snapshot } from '../../../src/snapshot/file.ts'
import { Identities } from '../../../src/snapshot/people/identities.ts'
import { Differences } from '../../../src/sync/changes/differences.ts'
import { pairOf } from '../../../src/sync/changes/pair.ts'
import { ask, newApi } from '../../support/api-client.ts'
import { collected, snapshotOf } from '../../support/built.ts'
import {
  authority,
  connection,
  type Records,
  smallSources,
  social,
  topic,
} from '../../support/records.ts'

type Json = Record<string, unknown>

/** What is served, by plain objects: profiles and handles by SDU, rankings by label. */
interface Copy {
  readonly people: Record<string, { profile: Json; handles: string[] }>
  readonly ranks: Record<string, Record<string, number>>
}

/** Read by asking the API and by plain loops, not as the product compares. */
function copyOf(snapshot: Snapshot): Copy {
  const api = newApi(activate(snapshot))
  const { sections, header } = snapshot
  const textsOf = (text: Uint8Array, starts: Uint32Array) => allTexts({ text, starts })
  const identities = new Identities(snapshot)
  const sdus = Array.from({ length: header.counts.authorities }, (_, ordinal) =>
    identities.sduOf(ordinal),
  )
  const platforms = textsOf(sections['platform.text'], sections['platform.starts'])
  const people: Copy['people'] = {}
  for (const sdu of sdus) {
    const [profile] = ask(api, `/api/v1/detail?sdu=${sdu}`).json.results
    people[sdu] = { profile: profile!, handles: [] }
  }
  textsOf(sections['handle.text'], sections['handle.starts']).forEach((key, handle) => {
    const [start, end] = [handle, handle + 1].map((at) => sections['handle.node-starts'][at]!)
    for (let at = start!; at < end!; at += 1) {
      const node = sections['handle.nodes'][at]!
      if (node >= header.counts.authorities) continue
      const platform = platforms[sections['handle.platforms'][at]!]
      people[sdus[node]!]!.handles.push(`${platform}:${key}`)
    }
  })
  const ranks: Copy['ranks'] = {}
  textsOf(sections['topic.labels'], sections['topic.label-starts']).forEach((label, number) => {
    const starts = sections['topic.member-starts']
    const members = sections['topic.members'].subarray(starts[number], starts[number + 1])
    ranks[label] = Object.fromEntries(
      Array.from(members.subarray(0, 50), (ordinal, index) => [sdus[ordinal]!, index + 1]),
    )
  })
  return tidy({ people, ranks })
}

/** Handles sorted, each once; topics without a change left out. */
function tidy({ people, ranks }: Copy): Copy {
  for (const person of Object.values(people)) person.handles = [...new Set(person.handles)].sort()
  const kept = Object.entries(ranks).filter(([, first]) => Object.keys(first).length > 0)
  return { people, ranks: Object.fromEntries(kept) }
}

function applied(copy: Copy, people: readonly PersonChanges[]): Copy {
  const { people: known, ranks } = structuredClone(copy)
  for (const { sdu, changes } of people) {
    for (const change of changes) applyOne(known, ranks, sdu, change)
  }
  return tidy({ people: known, ranks })
}

function applyOne(people: Copy['people'], ranks: Copy['ranks'], sdu: string, change: Change) {
  const { type, before, after } = change
  if (type === 'added') people[sdu] = { profile: after as Json, handles: [] }
  if (type === 'removed' || type === 'merged') {
    expect(people[sdu]!.handles).toEqual([])
    delete people[sdu]
  }
  if (type === 'rank') {
    ranks[change.topic!] ??= {}
    expect(ranks[change.topic!]![sdu] ?? null).toBe(before)
    if (after === null) delete ranks[change.topic!]![sdu]
    else ranks[change.topic!]![sdu] = after as number
  }
  const person = people[sdu]
  if (person === undefined) return
  if (type === 'score') {
    expect(person.profile.authority_score).toBe((before as number) / 100)
    person.profile.authority_score = (after as number) / 100
  }
  if (type === 'profile') {
    expect(person.profile).toMatchObject(before as Json)
    for (const field of Object.keys(before as Json)) delete person.profile[field]
    Object.assign(person.profile, after)
  }
  if (type === 'handle' && after !== null) person.handles.push(after as string)
  if (type === 'handle' && after === null) {
    expect(person.handles).toContain(before)
    person.handles = person.handles.filter((handle) => handle !== before)
  }
}

function differencesOf(before: Snapshot, next: Snapshot): PersonChanges[] {
  return [...new Differences(pairOf(before, next)).people()]
}

const hasSomebody = (records: Records) => collected(records).collector.authorities > 0

/** Two sources of which the second is often the first with some records changed. */
const twoSources = fc
  .tuple(smallSources, smallSources, fc.double({ min: 0, max: 1, noNaN: true }))
  .map(([one, other, share]): [Records, Records] => {
    const kept = one.authorities.filter((_, index) => (index * 0.37) % 1 < share)
    const sdus = new Set(kept.map(({ sdu }) => sdu))
    const others = other.authorities.filter(({ sdu }) => !sdus.has(sdu))
    return [one, { ...other, authorities: [...kept, ...others] }]
  })
  .filter(([one, other]) => hasSomebody(one) && hasSomebody(other))

describe('parent and changes', () => {
  it('are the child, of any two snapshots', () => {
    fc.assert(
      fc.property(twoSources, ([one, other]) => {
        const [before, next] = [snapshotOf(one), snapshotOf(other)]
        const people = differencesOf(before, next)
        expect(applied(copyOf(before), people)).toEqual(copyOf(next))
      }),
      { numRuns: 40 },
    )
  })

  it('are nothing where both are the same records in another order', () => {
    fc.assert(
      fc.property(smallSources.filter(hasSomebody), (records) => {
        const unique = [...new Map(records.authorities.map((each) => [each.sdu, each])).values()]
        const one = snapshotOf({ authorities: unique })
        expect(differencesOf(one, snapshotOf({ authorities: unique }))).toEqual([])
      }),
      { numRuns: 30 },
    )
  })
})

describe('a change is told as', () => {
  const ann = authority({
    sdu: '1',
    name: 'Ann',
    topics: [topic('Rust'), topic('Web')],
    socials: [social('github', 'ann', 5)],
    authorityScore: 50,
  })
  const bob = authority({ sdu: '2', name: 'Bob', authorityScore: 40 })

  function told(...after: Partial<Records>['authorities'] & object): Record<string, Change[]> {
    const people = differencesOf(
      snapshotOf({ authorities: [ann, bob] }),
      snapshotOf({ authorities: after }),
    )
    return Object.fromEntries(people.map(({ sdu, changes }) => [sdu, [...changes]]))
  }
  const change = (type: string, before: unknown, after: unknown, about: string | null = null) => ({
    type,
    topic: about,
    before,
    after,
  })

  it('score, in hundredths, and nothing else', () => {
    expect(told({ ...ann, authorityScore: 50.25 }, bob)).toEqual({
      1: [change('score', 5000, 5025)],
    })
  })

  it('profile, with the fields that differ', () => {
    expect(told({ ...ann, bio: 'Writes', website: 'https://a.example' }, bob)).toEqual({
      1: [
        change(
          'profile',
          { bio: '', website: null },
          { bio: 'Writes', website: 'https://a.example' },
        ),
      ],
    })
  })

  it('core topic, with the list of topics and the ranks', () => {
    const { 1: changes } = told({ ...ann, topics: [topic('Web'), topic('Rust')] }, bob)
    expect(changes).toContainEqual(change('core_topic', 'Rust', 'Web'))
    expect(changes).toContainEqual(
      change('profile', { topics: ['Rust', 'Web'] }, { topics: ['Web', 'Rust'] }),
    )
  })

  it('handle, gone and new', () => {
    const { 1: changes } = told({ ...ann, socials: [social('github', 'anna', 5)] }, bob)
    expect(changes).toContainEqual(change('handle', 'github:ann', null))
    expect(changes).toContainEqual(change('handle', null, 'github:anna'))
  })

  it('added, with the profile, the handles and the ranks', () => {
    const cy = authority({
      sdu: '3',
      name: 'Cy',
      socials: [social('github', 'cy')],
      topics: [topic('New')],
    })
    const changes = told(ann, bob, cy)[3]!
    expect(changes.map(({ type }) => type)).toEqual(['added', 'handle', 'rank'])
    expect(changes[0]!.after).toMatchObject({ sdu: '3', name: 'Cy', topics: ['New'] })
    expect(changes[2]).toEqual(change('rank', null, 1, 'New'))
  })

  it('removed, where the handles are nobody’s', () => {
    const changes = told(bob)[1]!
    expect(changes.map(({ type }) => type)).toEqual(['rank', 'rank', 'handle', 'removed'])
    expect(changes.at(-1)).toMatchObject({ before: { name: 'Ann' }, after: null })
  })

  it('merged, where one other person has come to own the handles', () => {
    const heir = { ...bob, socials: [social('github', 'ann', 5)] }
    const last = told(heir)[1]!.at(-1)
    expect(last).toMatchObject({ type: 'merged', before: { name: 'Ann' }, after: '2' })
  })

  it('removed, not merged, where several have come to own them', () => {
    const both = { ...ann, socials: [social('github', 'ann'), social('twitter', 'tann')] }
    const people = differencesOf(
      snapshotOf({ authorities: [both, bob] }),
      snapshotOf({
        authorities: [
          { ...bob, socials: [social('github', 'ann')] },
          authority({ sdu: '3', socials: [social('twitter', 'tann')] }),
        ],
      }),
    )
    const last = people.find(({ sdu }) => sdu === '1')!.changes.at(-1)
    expect(last).toMatchObject({ type: 'removed' })
  })

  it('rank, for each of the first fifty who moved and nobody behind them', () => {
    const crowd = (first: number) =>
      Array.from({ length: 60 }, (_, index) =>
        authority({
          sdu: String(100 + index),
          socials: [social('github', `h${index}`, index === first ? 9_000 : 1_000 - index)],
          authorityScore: 1,
        }),
      )
    const people = differencesOf(
      snapshotOf({ authorities: crowd(0) }),
      snapshotOf({ authorities: crowd(54) }),
    )
    const ranks = people.flatMap(({ changes }) => changes.filter(({ type }) => type === 'rank'))
    expect(ranks.length).toBeLessThanOrEqual(52)
    expect(ranks).toContainEqual(change('rank', null, 1, 'Rust'))
    expect(ranks.filter(({ after }) => after === null).length).toBe(1)
  })
})

describe('connections', () => {
  it('are told by what they change of scores and ranks alone', () => {
    const authorities = ['1', '2', '3'].map((sdu) => authority({ sdu }))
    const people = differencesOf(
      snapshotOf({ authorities }),
      snapshotOf({ authorities, connections: [connection('1', '3')] }),
    )
    const types = new Set(people.flatMap(({ changes }) => changes.map(({ type }) => type)))
    expect([...types].sort()).toEqual(['rank', 'score'])
  })
})
