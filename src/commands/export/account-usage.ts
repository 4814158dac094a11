/**
 * `account usage`: the sales to an account, summed by key, operation or day; printed, or written as a table.
 * The sums are those of the statement, however they are divided.
 */
import { basename, dirname, extname } from 'node:path'
import type { ExportTable } from '../../export/tables.ts'
import { writeTable } from '../../export/write-table.ts'
import type { KeyUsage } from '../../ledger/administration.ts'
import { formatUsd, usdNumber } from '../../money.ts'
import { Refusal } from '../../problems.ts'
import { withBooks } from '../admin/books.ts'
import type { CommandRun } from '../command.ts'
import { printTable } from '../table.ts'

/** The dimensions by which usage can be divided, in the order of columns. */
type Part = 'day' | 'key' | 'operation'

const partsInOrder: readonly Part[] = ['day', 'key', 'operation']

const textOf: Readonly<Record<Part, (usage: KeyUsage) => string>> = {
  day: ({ day }) => day,
  key: ({ keyId }) => keyId,
  operation: ({ route }) => route,
}

/** A sum: its parts, and the sales. */
interface Sum {
  readonly parts: readonly string[]
  queries: number
  amountMicroUsd: number
}

export const accountUsageCommand: CommandRun<'account usage'> = async ({
  operands: [name = ''],
  values,
  terminal,
  clock,
}) => {
  const { by, from, to, json, table } = values
  const chosen: readonly Part[] = by.length === 0 ? ['day', 'operation'] : by
  const parts = partsInOrder.filter((part) => chosen.includes(part))
  const range = { fromDay: from, toDay: to }
  const usage = await withBooks({ ...values, clock }, (books) => books.usageOf(name, range))
  const sums = sumsOf(usage, parts)
  if (table !== '') {
    const { path, rows } = await writeUsage(table, parts, sums)
    return terminal.print(json ? JSON.stringify({ path, rows }) : `${path}: ${rows} rows`)
  }
  if (json) return terminal.print(JSON.stringify(sums.map((sum) => sumJson(parts, sum))))
  const header = [...parts.map((part) => part.toUpperCase()), 'QUERIES', 'USD']
  const rows = sums.map(({ parts: cells, queries, amountMicroUsd }) => [
    ...cells,
    String(queries),
    formatUsd(amountMicroUsd),
  ])
  printTable(terminal, header, rows)
}

/** The sums by some parts, ordered by them. */
function sumsOf(usage: readonly KeyUsage[], parts: readonly Part[]): Sum[] {
  const sums = new Map<string, Sum>()
  for (const each of usage) {
    const cells = parts.map((part) => textOf[part](each))
    const name = cells.join('\n')
    const sum = sums.get(name) ?? { parts: cells, queries: 0, amountMicroUsd: 0 }
    sum.queries += each.queries
    sum.amountMicroUsd += each.amountMicroUsd
    sums.set(name, sum)
  }
  return [...sums].sort(([one], [other]) => (one < other ? -1 : 1)).map(([, sum]) => sum)
}

function sumJson(parts: readonly Part[], { parts: cells, queries, amountMicroUsd }: Sum) {
  const named = parts.map((part, index) => [part, cells[index]])
  return { ...Object.fromEntries(named), queries, cost_usd: usdNumber(amountMicroUsd) }
}

/** @throws Refusal `wrong-usage` for a file of another kind, `store-refused` when it cannot be written. */
async function writeUsage(file: string, parts: readonly Part[], sums: readonly Sum[]) {
  const ending = extname(file)
  const format = (['csv', 'ndjson'] as const).find((each) => `.${each}` === ending)
  if (format === undefined) {
    throw new Refusal('wrong-usage', '--table takes a file that ends with .csv or .ndjson')
  }
  const table: ExportTable = {
    name: basename(file, ending),
    columns: [
      ...parts.map((name) => ({ name, type: 'text' as const })),
      { name: 'queries', type: 'integer' },
      { name: 'cost_usd', type: 'number' },
    ],
    rowCount: sums.length,
    rows: sums.map(({ parts: cells, queries, amountMicroUsd }) => [
      ...cells,
      queries,
      usdNumber(amountMicroUsd),
    ]),
  }
  try {
    return await writeTable(dirname(file), table, format, () => {})
  } catch (error) {
    throw new Refusal('store-refused', `${file}: ${(error as Error).message}`)
  }
}
