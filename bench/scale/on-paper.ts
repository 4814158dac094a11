/**
 * What 10 million, 100 million and a billion people would take, on paper: memory, disk, network, sync and money,
 * computed from `slopes.ts` by straight lines. `docs/scale.md` holds the tables; a test compares them.
 *
 *     npx tsx bench/scale/on-paper.ts          prints them
 */
import { pathToFileURL } from 'node:url'
import { table } from '../shared/report.ts'
import { type Slope, slopes, syncPhases } from './slopes.ts'

/** Where the people are: all in the memory of a node, or their texts on its disk. */
type Way = 'in memory' | 'texts on disk'

interface Assumptions {
  readonly nodes: number
  /** Full syncs a day. */
  readonly syncsADay: number
}

const assumed: Assumptions = {
  nodes: 3,
  syncsADay: 1,
}

/** Bytes and seconds of one size, one way. */
interface Plan {
  readonly people: number
  readonly way: Way
  /** Of a node, while it serves, and while it swaps. */
  readonly memoryBytes: number
  readonly peakBytes: number
  /** Of a node: the snapshot it serves and the next. */
  readonly diskBytes: number
  /** To each node, for a sync. */
  readonly networkBytes: number
  readonly syncCpuSeconds: number
  readonly syncPeakBytes: number
  readonly usdAMonth: number
}

const hoursAMonth = 730
const daysAMonth = hoursAMonth / 24
const gib = 1024 ** 3
const secondsAnHour = 3_600

/** What a number of people takes. */
function planOf(people: number, way: Way, all: Assumptions = assumed): Plan {
  const { file, memory, memoryDisk, process, swap, gzip, syncCpu, syncMemory, gibHour } = slopes
  const bytesAPerson = (way === 'texts on disk' ? memoryDisk : memory).value
  const memoryBytes = process.value + people * bytesAPerson
  const peakBytes = process.value + people * bytesAPerson * swap.value
  const syncCpuSeconds = (people * syncCpu.value) / 1e6
  const syncPeakBytes = people * syncMemory.value
  const syncHours = (syncCpuSeconds / secondsAnHour) * all.syncsADay * daysAMonth
  const gibHours = ((all.nodes * peakBytes) / gib) * hoursAMonth + (syncPeakBytes / gib) * syncHours
  return {
    ...{ people, way, memoryBytes, peakBytes, syncCpuSeconds, syncPeakBytes },
    diskBytes: snapshotsKept * people * file.value,
    networkBytes: people * file.value * gzip.value,
    usdAMonth: gibHours * gibHour.value,
  }
}

/** The one that is served and the one that comes. */
const snapshotsKept = 2

const sizes = [10_000_000, 100_000_000, 1_000_000_000]
const ways: readonly Way[] = ['in memory', 'texts on disk']
const gigabytes = (bytes: number) => rounded(bytes / 1e9)

/** All plans, the smallest first. */
function plans(): Plan[] {
  return sizes.flatMap((people) => ways.map((way) => planOf(people, way)))
}

/** The table of plans, as cells. */
export function planTable() {
  const columns = {
    people: ({ people, way }: Plan) => `${people.toLocaleString('en')}, ${way}`,
    'a node GB': (plan: Plan) => gigabytes(plan.memoryBytes),
    'while it swaps': (plan: Plan) => gigabytes(plan.peakBytes),
    'its disk GB': (plan: Plan) => gigabytes(plan.diskBytes),
    'network GB': (plan: Plan) => gigabytes(plan.networkBytes),
    'sync CPU h': (plan: Plan) => rounded(plan.syncCpuSeconds / secondsAnHour),
    'sync GB': (plan: Plan) => gigabytes(plan.syncPeakBytes),
    'USD a month': (plan: Plan) => rounded(plan.usdAMonth),
  }
  return cellsOf(plans(), columns)
}

/** The table of phases of a sync, as cells; the last row is their sum. */
export function phaseTable() {
  const sum = slopes.syncCpu.value
  const rows = [...Object.entries(syncPhases), ['all', sum] as const]
  const hours = sizes.map((people) => {
    const cellOf = ([, each]: readonly [string, number]) =>
      rounded((each * people) / 1e6 / secondsAnHour)
    return [`CPU h at ${people.toLocaleString('en')}`, cellOf] as const
  })
  return cellsOf(rows, {
    phase: ([name]) => name,
    'µs a person': ([, each]) => each.toLocaleString('en', { maximumFractionDigits: 1 }),
    share: ([, each]) => (each / sum).toFixed(2),
    ...Object.fromEntries(hours),
  })
}

/** The table of slopes, as cells. */
export function slopeTable() {
  const columns = {
    slope: ([name]: [string, Slope]) => `\`${name}\``,
    value: ([, { value }]: [string, Slope]) =>
      value.toLocaleString('en', { maximumFractionDigits: 4 }),
    'of what': ([, { unit }]: [string, Slope]) => unit,
    from: ([, { from }]: [string, Slope]) => from,
  }
  return cellsOf(Object.entries<Slope>(slopes), columns)
}

function cellsOf<Row>(rows: readonly Row[], columns: Record<string, (row: Row) => string>) {
  return {
    columns: Object.keys(columns),
    rows: rows.map((row) => Object.values(columns).map((cellOf) => cellOf(row))),
  }
}

/** Two digits that mean something, and no more. */
function rounded(value: number): string {
  return Number(value.toPrecision(2)).toLocaleString('en', { maximumFractionDigits: 2 })
}

if (import.meta.url === pathToFileURL(process.argv[1] ?? '').href) {
  for (const { columns, rows } of [slopeTable(), planTable(), phaseTable()]) {
    const titled = columns.map((title, index) => [title, (row: string[]) => row[index]!] as const)
    console.log(`${table(rows, Object.fromEntries(titled)).join('\n')}\n`)
  }
}
