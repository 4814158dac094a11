/** Connections that are sorted with less memory than they take. */
import { join } from 'node:path'
import { expect, it } from 'vitest'
import { ScratchDatabase } from '../../../../src/duckdb/scratch-database.ts'
import { ConnectionTable } from '../../../../src/indexer/out-of-core/connection-table.ts'
import { uint8Column } from '../../../../src/memory/columns.ts'
import { UnnamedFile } from '../../../../src/process/unnamed-file.ts'
import { temporaryDirectory } from '../../../support/built.ts'
import { Random } from '../../../support/random.ts'

const people = 20_000
/** One direction of so many fits the memory, and both do not. */
const connections = 600_000
const memoryBytes = 32 << 20
const believed = {
  ...{ nodes: people, authorities: people, vetted: undefined },
  beliefs: { trust: [], vetted: [], sourceShareMax: 1 },
}

it('sorts connections that take about as much as its memory, none lost', async () => {
  const directory = temporaryDirectory()
  const database = await ScratchDatabase.open({ directory: join(directory, 'sort'), memoryBytes })
  try {
    const table = await ConnectionTable.create(database)
    const random = new Random(1, 1)
    for (let index = 0; index < connections; index += 1) {
      const from = random.below(people)
      table.columns.push(
        from,
        (from + 1 + random.below(people - 1)) % people,
        1,
        index % 5,
        undefined,
      )
    }
    const newFile = () => new UnnamedFile(directory, 'graph')
    const graph = await table.graph(believed, newFile, () => {})
    expect(graph.neighbours().starts.at(-1)).toBe(2 * connections)
    // Three kinds of five endorse both ways.
    expect(graph.endorsements().starts.at(-1)).toBe(connections * 1.6)
    graph.close()
  } finally {
    database.close()
  }
})

/** All rows of a graph of random connections, one node in three of which everybody knows, a few at a time or at once. */
async function sorted(rowsMax: number | undefined) {
  const directory = temporaryDirectory()
  const database = await ScratchDatabase.open({ directory: join(directory, 'sort'), memoryBytes })
  const vetted = uint8Column()
  for (let node = 0; node < 900; node += 1) vetted.push(node % 3 === 0 ? 1 : 0)
  const progress: number[] = []
  try {
    const table = await ConnectionTable.create(database, rowsMax)
    const random = new Random(2, 1)
    for (let index = 0; index < 20_000; index += 1) {
      const end = () => (random.below(3) === 0 ? 700 : random.below(1_000))
      table.columns.push(end(), end(), random.below(100) / 7, random.below(5), undefined)
    }
    const collector = { ...believed, ...{ nodes: 1_000, authorities: 900, vetted } }
    const newFile = () => new UnnamedFile(directory, 'graph')
    const graph = await table.graph(collector, newFile, (done) => progress.push(done))
    const [endorsements, neighbours] = [graph.endorsements(), graph.neighbours()]
    const given = endorsements.read!(0, endorsements.starts.at(-1)!)
    const near = neighbours.read!(0, neighbours.starts.at(-1)!)
    const columns = [endorsements.starts, given.nodes, given.weights, given.kinds]
    const all = [...columns, neighbours.starts, near.nodes].map((column) => Array.from(column))
    graph.close()
    return { all, progress }
  } finally {
    database.close()
  }
}

it('sorts the rows of a few nodes at a time to the same graph, however few one statement may sort', async () => {
  const { all } = await sorted(undefined)
  expect(all[1]!.length).toBeGreaterThan(20_000)
  for (const rowsMax of [300, 1_000, 9_000, 30_000]) {
    const { all: parts, progress } = await sorted(rowsMax)
    expect(parts).toEqual(all)
    expect(progress).toEqual(progress.toSorted((a, b) => a - b))
  }
})
