/** Connections of an earlier reading: taken again piece by piece, they are those that reading all lines gives. */
import { describe, expect, it } from 'vitest'
import { LineSplitter } from '../../../../src/source/ndjson/lines.ts'
import type { ConnectionBatch, KnownConnections } from '../../../../src/source/source.ts'
import { openSource } from '../../../../src/source/uri.ts'
import {
  connectionColumns,
  connectionsIn,
  noConnections,
} from '../../../../src/sync/kept/kept-connections.ts'
import { Random } from '../../../support/random.ts'
import { connectionsOf, folderOf } from '../../../support/source-folder.ts'

const authorities = '{"sdu":"1","name":"Ann","topics":["Rust"]}'

async function batchesOf(lines: readonly string[], known?: KnownConnections) {
  const directory = folderOf({
    'authorities.ndjson': authorities,
    'connections.ndjson': lines.join('\n'),
  })
  const reading = await openSource(directory).read({ known })
  try {
    const batches: ConnectionBatch[] = []
    for await (const batch of reading.connections) batches.push(batch)
    return batches
  } finally {
    reading.close()
  }
}

/** What batches say, wherever they are cut: records and the numbers of their lines. */
async function saidBy(batches: readonly ConnectionBatch[]) {
  async function* each() {
    yield* batches
  }
  const numbers = batches.map((batch) => [...batch.numbers])
  const others = batches.flatMap((batch) => batch.others.map(({ number }) => number))
  return { records: await connectionsOf(each()), numbers: numbers.flat(), others }
}

/** Batches as the next sync finds them in the file. */
function keptOf(batches: readonly ConnectionBatch[]): KnownConnections {
  return connectionsIn(new Map(connectionColumns(batches)))
}

function lineOf(random: Random): string {
  const [from, to] = [random.below(300), random.below(300)]
  const kind = random.below(12)
  if (kind === 0) return `{"from":"${from}","to":"x:h${to}","weight":2}`
  if (kind === 1) return random.pick(['', '  ', '{}', 'no JSON', '{"from":"1","to":"\ufffd"}'])
  if (kind === 2) return `{"from": "${from}", "to": "${to}", "weight": 0.5, "kind": "mentions"}\r`
  return `{"from":"${from}","to":"${to}"}`
}

/** Lines after some have come, gone, changed or moved. */
function changed(random: Random, lines: readonly string[]): string[] {
  const next = [...lines]
  for (let changes = random.below(5); changes > 0; changes -= 1) {
    const at = random.below(next.length)
    const kind = random.below(4)
    if (kind === 0) next.splice(at, random.below(30))
    if (kind === 1) next.splice(at, 0, lineOf(random))
    if (kind === 2) next[at] = lineOf(random)
    if (kind === 3) next.push(...next.splice(at, 40))
  }
  return next
}

describe('known pieces of connections', () => {
  it('give what reading all lines gives, whatever changed, also when they are kept again and again', async () => {
    for (let seed = 1; seed <= 15; seed += 1) {
      const random = new Random(seed, 9)
      let lines = Array.from({ length: random.between(1, 400) }, () => lineOf(random))
      let known = noConnections
      for (let round = 0; round < 4; round += 1) {
        const batches = await batchesOf(lines, known)
        const read = await saidBy(await batchesOf(lines))
        expect(await saidBy(batches), `seed ${seed}, round ${round}`).toEqual(read)
        known = keptOf(batches)
        lines = changed(random, [...lines, lineOf(random)])
      }
    }
  })

  it('are taken without being read, and nothing is read but the pieces that changed', async () => {
    const lines = Array.from({ length: 2_000 }, (_, at) => `{"from":"${at}","to":"${at * 7}"}`)
    const known = keptOf(await batchesOf(lines, noConnections))
    // A weight that no line states shows what was taken.
    const marked = known.batches.map((batch) => ({ ...batch, weights: batch.weights.map(() => 9) }))
    lines[1_000] = '{"from":"5","to":"6"}'
    const again = await batchesOf(lines, { ...known, batches: marked })
    const read = again.flatMap(({ weights }) => [...weights]).filter((weight) => weight !== 9)
    expect(read.length).toBeGreaterThan(0)
    expect(read.length).toBeLessThan(200)
  })

  it('fill more than one batch, each with whole pieces', async () => {
    const lines = Array.from({ length: 66_500 }, (_, at) =>
      at % 13 === 0
        ? `{"from":"${at % 99}","to":"x:h${at}"}`
        : `{"from":"${at % 99}","to":"${at % 71}"}`,
    )
    const first = await batchesOf(lines, noConnections)
    const again = await batchesOf(lines, keptOf(first))
    expect(again.length).toBeGreaterThan(1)
    const [one, two] = [await saidBy(again), await saidBy(await batchesOf(lines))]
    // Compared as texts, because a hundred thousand objects take a second.
    expect(JSON.stringify(one) === JSON.stringify(two)).toBe(true)
  })
})

describe('pieces of lines', () => {
  /** The pieces of a chunk, each with the number of its first line, and the lines of those not taken. */
  function piecesOf(text: string) {
    const pieces: [number, string][] = []
    const ends: number[] = []
    const take = (number: number, bytes: Buffer) => {
      pieces.push([number, bytes.toString()])
      return 0
    }
    const pieceTaker = { take, end: (lines: number) => ends.push(lines) }
    const splitter = new LineSplitter(1_000, () => {}, undefined, pieceTaker)
    splitter.push(Buffer.from(text))
    splitter.end()
    return { pieces, ends }
  }

  it('hold every line but the first and the last of a chunk, once and in order', () => {
    const lines = Array.from({ length: 500 }, (_, at) => (at % 50 === 7 ? '' : `line ${at * 37}`))
    const { pieces, ends } = piecesOf(lines.join('\n'))
    expect(pieces.map(([, text]) => text).join('\n')).toBe(lines.slice(1, -1).join('\n'))
    expect(pieces.map(([, text]) => text.split('\n').length)).toEqual(ends)
    expect(pieces.map(([number]) => lines[number - 1])).toEqual(
      pieces.map(([, text]) => text.split('\n')[0]),
    )
  })

  it('are the same behind a line that came, and never longer than 64 lines', () => {
    const lines = Array.from({ length: 500 }, (_, at) => `line ${at * 37}`)
    const before = new Set(piecesOf(lines.join('\n')).pieces.map(([, text]) => text))
    const after = piecesOf(lines.toSpliced(100, 0, 'another').join('\n')).pieces
    const others = after.filter(([, text]) => !before.has(text))
    expect(others.length).toBeLessThanOrEqual(2)
    const alike = piecesOf('the same\n'.repeat(300)).ends
    expect(Math.max(...alike)).toBe(64)
  })
})
