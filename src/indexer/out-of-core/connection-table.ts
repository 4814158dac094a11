/**
 * Connections in DuckDB while they are read, and their graph in files afterwards: two statements sort them, one for
 * endorsements and one for neighbours, and spill what their memory does not hold. A weight is never summed in SQL: sums
 * are made here, in the order of the source.
 */
import type { ScratchDatabase, TableFiller } from '../../duckdb/scratch-database.ts'
import type { Collector } from '../collector.ts'
import { ConnectionColumns } from '../connection-columns.ts'
import { type Graph, pairWeightMaxOf, vettedEnds } from '../indexer.ts'
import { areSymmetric } from '../symmetric-kinds.ts'
import type { ByteFile } from './file-columns.ts'
import { EndorsementWriter, type GraphFacts, NeighbourWriter } from './graph-files.ts'

/** Connections that are in memory before they go to the table. */
const connectionsAtOnce = 65_536

const symmetricKinds = areSymmetric.flatMap((isSymmetric, kind) => (isSymmetric ? [kind] : []))

/**
 * Each connection twice, once in either direction, of one scan: DuckDB 1.5 keeps what it sorted of one branch of a union
 * in memory while it sorts the next, and runs out of its memory where the two are about as large as that.
 */
const bothWays = 'connections CROSS JOIN (VALUES (0), (1)) AS directions (reverse)'
const from = 'if(reverse = 1, target, source)'
const to = 'if(reverse = 1, source, target)'
/**
 * The place is part of every order, although rows of neighbours need none: DuckDB 1.5 spills a sort by two numbers of 32
 * bits too late, and runs out of its memory.
 */
const place = 'connections.rowid * 2 + reverse'

/** Rows that are sorted by node and place. */
interface SortedRows {
  /** The expression of the node, the first column. */
  readonly node: string
  /** Further columns. */
  readonly columns: string
  readonly where: string
}

/** @param isVetted a condition on the end that a connection is from, if not every end speaks for the other. */
function endorsementRows(isVetted: string): SortedRows {
  const isGiven = `(reverse = 0 OR (kind IN (${symmetricKinds.join(', ')}) AND ${isVetted}))`
  return { node: to, columns: `${from}, weight, kind`, where: isGiven }
}

function neighbourRows(authorities: number): SortedRows {
  return { node: from, columns: to, where: `${to} < ${authorities}` }
}

/**
 * Bytes of DuckDB's memory for each row that one statement sorts. DuckDB 1.5 merges what it spilled, and runs out of
 * memory where that is too much: of 900 MB with 1,000,000,000 rows, not with 400,000,000.
 */
const memoryARow = 4
/** Parts of the nodes whose rows are counted, to find parts of them that one statement sorts. */
const countedParts = 4_096

/** The facts of a collector that decide on the rows. */
type Believed = Pick<Collector, 'nodes' | 'authorities' | 'beliefs' | 'vetted'>

/** A graph in files, and what gives their room back. */
export interface FiledGraph extends Graph {
  readonly close: () => void
}

export class ConnectionTable {
  /** The columns that a collector is to be given; they hold the newest connections only. */
  readonly columns: ConnectionColumns
  readonly #database: ScratchDatabase
  readonly #filler: TableFiller
  readonly #rowsMax: number
  #areSingle = true
  #length = 0

  private constructor(database: ScratchDatabase, filler: TableFiller, rowsMax: number) {
    this.#database = database
    this.#filler = filler
    this.#rowsMax = rowsMax
    const take = (columns: ConnectionColumns) => this.#take(columns)
    this.columns = new ConnectionColumns({ lengthMax: connectionsAtOnce, take })
  }

  /**
   * Creates the table.
   * @param rowsMax rows that one statement sorts: as many as the memory of the database is for, unless given.
   * @throws Refusal `store-refused`.
   */
  static async create(
    database: ScratchDatabase,
    rowsMax = database.memoryBytes / memoryARow,
  ): Promise<ConnectionTable> {
    const filler = await database.table('connections', {
      ...{ source: 'UINTEGER', target: 'UINTEGER', weight: 'DOUBLE', kind: 'UTINYINT' },
    })
    return new ConnectionTable(database, filler, rowsMax)
  }

  #take({ from, to, weights, kinds }: ConnectionColumns): void {
    const heavy = weights.view()
    this.#areSingle &&= heavy.every((weight) => Math.fround(weight) === weight)
    this.#filler.append([from.view(), to.view(), heavy, kinds.view()], from.length)
    this.#length += from.length
  }

  /**
   * Sorts the connections into files; none can be added any more.
   * @param collector has the columns, and all records.
   * @param newFile makes an empty file.
   * @param onProgress gets the share that is done.
   * @throws Refusal `store-refused`, `build-limit`.
   */
  async graph(
    collector: Believed,
    newFile: () => ByteFile,
    onProgress: (done: number) => void,
  ): Promise<FiledGraph> {
    this.columns.drain()
    this.#filler.end()
    const { nodes, authorities } = collector
    const pairWeightMax = pairWeightMaxOf(collector)
    const facts = { nodes, areSingle: this.#areSingle, pairWeightMax, newFile }
    const halfOf = (start: number) => (done: number) => onProgress(start + done / 2)
    const isVetted = await this.#vetted(vettedEnds(collector))
    const endorsed = await this.#endorsements(facts, isVetted, halfOf(0))
    try {
      const near = await this.#neighbours(facts, authorities, halfOf(0.5))
      return {
        endorsements: () => endorsed.endorsements,
        neighbours: () => near.neighbours,
        close: () => {
          endorsed.close()
          near.close()
        },
      }
    } catch (error) {
      endorsed.close()
      throw error
    }
  }

  /** The condition that an end is vetted, on a table of those that are. */
  async #vetted(vetted: Uint8Array | undefined): Promise<string> {
    if (vetted === undefined) return 'true'
    const filler = await this.#database.table('vetted', { node: 'UINTEGER' })
    const nodes = Uint32Array.from(vetted.keys()).filter((node) => vetted[node] === 1)
    filler.append([nodes], nodes.length)
    filler.end()
    return 'source IN (SELECT node FROM vetted)'
  }

  /** The rows in their order, of a few nodes at a time where there are too many for one statement. */
  async *#sorted(rows: SortedRows, nodes: number, onProgress: (done: number) => void) {
    const parts = await this.#partsOf(rows, nodes)
    for (const [index, part] of parts.entries()) {
      const statement = `SELECT ${rows.node}, ${rows.columns} FROM ${bothWays}
        WHERE ${rows.where} AND ${part} ORDER BY 1, ${place}`
      yield* this.#database.numbers(statement, (done) => onProgress((index + done) / parts.length))
    }
  }

  /** Conditions on nodes, ascending: each of as many rows as one statement sorts, or of few nodes. */
  async #partsOf({ node, where }: SortedRows, nodes: number): Promise<string[]> {
    const rowsMax = this.#rowsMax
    if (2 * this.#length <= rowsMax) return ['true']
    const width = Math.ceil(nodes / countedParts)
    const counted = `SELECT (${node} // ${width})::UINTEGER, count(*)::DOUBLE FROM ${bothWays}
      WHERE ${where} GROUP BY 1 ORDER BY 1`
    const starts = [0]
    let held = 0
    for await (const { length, at } of this.#database.numbers(counted, () => {})) {
      for (let row = 0; row < length; row += 1) {
        const count = at(1, row)
        if (held > 0 && held + count > rowsMax) {
          starts.push(at(0, row) * width)
          held = 0
        }
        held += count
      }
    }
    const ends = [...starts.slice(1), nodes]
    return starts.map((start, part) => `${node} >= ${start} AND ${node} < ${ends[part]}`)
  }

  async #endorsements(facts: GraphFacts, isVetted: string, onProgress: (done: number) => void) {
    const writer = new EndorsementWriter(facts)
    const rows = this.#sorted(endorsementRows(isVetted), facts.nodes, onProgress)
    for await (const { length, at } of rows) {
      for (let row = 0; row < length; row += 1) {
        writer.add(at(0, row), at(1, row), at(2, row), at(3, row))
      }
    }
    return writer.end()
  }

  async #neighbours(facts: GraphFacts, authorities: number, onProgress: (done: number) => void) {
    const writer = new NeighbourWriter(facts)
    const rows = this.#sorted(neighbourRows(authorities), facts.nodes, onProgress)
    for await (const { length, at } of rows) {
      for (let row = 0; row < length; row += 1) writer.add(at(0, row), at(1, row))
    }
    return writer.end()
  }
}
