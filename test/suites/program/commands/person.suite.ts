/** `admin showPerson`: all that a directory of snapshots holds of one person, as an operator hands it over. */
import { join } from 'node:path'
import { expect, it } from 'vitest'
import { announceAll } from '../../../support/announced.ts'
import { temporaryDirectory } from '../../../support/built.ts'
import { run } from '../../../support/program.ts'
import { authority, connection, social, topic } from '../../../support/records.ts'

const ann = authority({
  ...{ sdu: '1', name: 'Ann', bio: 'Ann writes.', countryName: 'France' },
  topics: [topic('Rust'), topic('Go')],
  socials: [social('github', 'ann', 7)],
  identifiers: [{ scheme: 'wikidata', value: 'Q7259' }],
  attributes: [{ key: 'party', value: 'Greens' }],
  ...{ source: 'https://example.com/ann', licence: 'CC0', website: 'https://ann.example.com' },
})
const others = ['2', '3'].map((sdu) => authority({ sdu, topics: [topic('Rust')] }))
const connections = [connection('2', '1'), connection('1', '3', { kind: 'mentions' })]

/** More snapshots than one page of a history reads files of changes. */
const days = 140

async function shown(directory: string, sdu: string) {
  const { exitCode, stdout, stderr } = await run([
    'admin',
    'showPerson',
    `sdu=${sdu}`,
    '--json',
    '--snapshots',
    directory,
  ])
  expect([exitCode, stderr]).toEqual([0, ''])
  return JSON.parse(stdout)
}

it('prints the record, the evidence of every rank, the whole history, changes, corrections and removals', async () => {
  const directory = temporaryDirectory()
  const at = ['--snapshots', directory, '--data', join(directory, 'ledger')]
  const told = announceAll(
    directory,
    Array.from({ length: days }, (_, day) => ({
      authorities: [{ ...ann, authorityScore: 10 + (day % 80) }, ...others],
      connections,
    })),
  )
  await run(['account', 'create', 'a', '--data', join(directory, 'ledger')])
  const correct = (sdu: string, bio: string) => {
    const words = [`sdu=${sdu}`, `set={"bio":"${bio}"}`, 'source=a letter']
    return run(['admin', 'addCorrection', ...words, ...at])
  }
  const corrected = await correct('1', 'Right.')
  expect([corrected.exitCode, corrected.stderr]).toEqual([0, ''])
  await correct('2', 'Another.')
  const removal = ['sdu=9', 'reason=asked on 1 May', 'force=true']
  const removed = await run(['admin', 'addRemoval', ...removal, ...at])
  expect([removed.exitCode, removed.stderr]).toEqual([0, ''])

  const held = await shown(directory, '1')
  expect(held).toMatchObject({
    sdu: '1',
    snapshot_id: told.at(-1)!.id,
    record: {
      ...{ sdu: '1', name: 'Ann', bio: 'Ann writes.', country: 'France', topics: ['Rust', 'Go'] },
      socials: { github: { handle: 'ann', followers: 7 } },
      ...{ website: 'https://ann.example.com', authority_score: 10 + ((days - 1) % 80) },
    },
    handles: expect.arrayContaining(['github:ann', 'wikidata:q7259']),
    attributes: ['party:Greens'],
    peers: expect.arrayContaining(['2', '3']),
    corrections: [{ sdu: '1', set: { bio: 'Right.' }, source: 'a letter', undone: null }],
    removals: [],
  })
  expect(held.evidence.map((each: { topic: string | null }) => each.topic)).toEqual(
    expect.arrayContaining([null, 'Rust', 'Go']),
  )
  expect(held.evidence[0].sources).toMatchObject([{ source: 'https://example.com/ann' }])
  const { endorsers } = held.evidence.find(
    (each: { topic: string | null }) => each.topic === 'Rust',
  )
  expect(endorsers).toMatchObject([{ sdu: '2', kind: 'follows' }])
  const snapshots = held.history.map((each: { snapshot_id: string }) => each.snapshot_id)
  expect(snapshots).toEqual(told.map(({ id }) => id).reverse())

  expect(held.changes).toHaveLength(days - 1)
  const last = { type: 'score', before: 10 + ((days - 2) % 80), after: 10 + ((days - 1) % 80) }
  expect(held.changes[0]).toMatchObject({ ...last, snapshot_id: told.at(-1)!.id })

  const gone = await shown(directory, '9')
  expect(gone).toMatchObject({ record: null, evidence: [], history: [], changes: [] })
  expect(gone.removals).toMatchObject([{ reason: 'asked on 1 May', undone: null }])
})

it('refuses what is no SDU, and a directory without a snapshot', async () => {
  const directory = temporaryDirectory()
  const none = await run(['admin', 'showPerson', 'sdu=ann', '--snapshots', directory])
  expect([none.exitCode, none.stderr]).toEqual([2, 'sdu: is 1 to 32 digits\n'])
  const empty = await run(['admin', 'showPerson', 'sdu=1', '--snapshots', directory])
  expect([empty.exitCode, empty.stderr]).toEqual([1, `${directory} has no snapshot\n`])
})
