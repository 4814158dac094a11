/**
 * Connections of invented people → the rows of their graph → PageRank → every row once, in one of two ways: in the
 * memory of the process, or as `sync --engine duckdb` does it. Records are left out, so that all that is measured is of
 * connections. The name of a phase goes to standard error at its end: the bench looks at the files meanwhile.
 *
 *     node --import tsx bench/graph/way-program.ts WAY PEOPLE CONNECTIONS ENGINE_MEMORY DIRECTORY
 */
import { createHash } from 'node:crypto'
import { join } from 'node:path'
import { ScratchDatabase } from '../../src/duckdb/scratch-database.ts'
import { ConnectionColumns } from '../../src/indexer/connection-columns.ts'
import { ConnectionTable } from '../../src/indexer/out-of-core/connection-table.ts'
import { endorsementsOf, neighboursOf } from '../../src/indexer/ranking/graph.ts'
import { pageRank, priorOf } from '../../src/indexer/ranking/pagerank.ts'
import { areSymmetric } from '../../src/indexer/symmetric-kinds.ts'
import { limits } from '../../src/limits.ts'
import { UnnamedFile } from '../../src/process/unnamed-file.ts'
import { residentBytes } from '../../test/support/processes/proc.ts'
import { Random } from '../../test/support/random.ts'

/** Rounds of PageRank; a sync needs some sixty. */
const rounds = 20

const [way, people = 0, count = 0, memoryBytes = 0, directory = ''] = process.argv
  .slice(2)
  .map((word, index) => (index > 0 && index < 4 ? Number(word) : word)) as [
  string,
  number,
  number,
  number,
  string,
]

const cpuSeconds: Record<string, number> = {}
let before = process.cpuUsage()
function endPhase(name: string): void {
  const { user, system } = process.cpuUsage(before)
  cpuSeconds[name] = (user + system) / 1e6
  process.stderr.write(`${name}\n`)
  before = process.cpuUsage()
}

function fill(columns: ConnectionColumns): void {
  const random = new Random(1, 1)
  for (let index = 0; index < count; index += 1) {
    const from = random.below(people)
    // Some are known to many, as everywhere.
    const to =
      random.below(3) === 0 ? random.below(1 + Math.floor(people / 50)) : random.below(people)
    if (from !== to) columns.push(from, to, 1 + random.below(4), random.below(5), undefined)
  }
}

const believed = {
  ...{ nodes: people, authorities: people, vetted: undefined },
  beliefs: { trust: [], vetted: [], sourceShareMax: 1 },
}

async function onDisk() {
  const database = await ScratchDatabase.open({
    directory: join(directory, 'scratch'),
    memoryBytes,
  })
  const table = await ConnectionTable.create(database)
  fill(table.columns)
  endPhase('intake')
  const newFile = () => new UnnamedFile(directory, 'graph')
  const graph = await table.graph(believed, newFile, () => {})
  database.close()
  return graph
}

function inMemory() {
  const columns = new ConnectionColumns()
  fill(columns)
  endPhase('intake')
  const connections = {
    ...{ nodes: people, from: columns.from.view(), to: columns.to.view() },
    ...{ weights: columns.weights.view(), kinds: columns.kinds.view(), areSymmetric },
    pairWeightMax: limits.pairWeightMax,
  }
  return {
    endorsements: () => endorsementsOf(connections),
    neighbours: () => {
      const rows = neighboursOf(connections)
      columns.clear()
      return rows
    },
    close: () => {},
  }
}

endPhase('start')
const graph = way === 'duckdb' ? await onDisk() : inMemory()
const endorsements = graph.endorsements()
endPhase('rows')
const prior = priorOf(new Float64Array(people).fill(10), people)
const { mass } = pageRank(endorsements, prior, undefined, { changeMin: 0, roundsMax: rounds })
endPhase(`${rounds} rounds`)
let sum = 0
for (const rows of [endorsements, graph.neighbours()]) {
  const random = new Random(2, 1)
  for (let time = 0; time < people; time += 1) {
    const node = random.below(people)
    const [start, end] = [rows.starts[node]!, rows.starts[node + 1]!]
    if (start === end) continue
    const { nodes, first = 0 } = rows.read?.(start, end) ?? rows
    sum += nodes[start - first]!
  }
}
endPhase('reading rows')
graph.close()
const digest = createHash('sha256').update(mass).digest('hex')
console.log(JSON.stringify({ peakBytes: residentBytes(process.pid).peak, cpuSeconds, digest, sum }))
