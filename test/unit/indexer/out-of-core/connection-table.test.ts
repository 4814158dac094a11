/** Connections that are sorted with less memory than they take. */
import { join } from 'node:path'
import { expect, it } from 'vitest'
import { ScratchDatabase } from '../../../../src/duckdb/scratch-database.ts'
import { ConnectionTable } from '../../../../src/indexer/out-of-core/connection-table.ts'
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
