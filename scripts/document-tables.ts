/**
 * What the documents take from the code and from the record of the benches: tables, figures, and the answers to their examples. A test
 * compares them, so that a setting, a problem or a metric cannot be added without its words.
 *
 *     npx tsx scripts/document-tables.ts            names the documents that say something else
 *     npx tsx scripts/document-tables.ts --write    writes them; new rows wait for their words
 */
import { spawnSync } from 'node:child_process'
import { readdirSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { pathToFileURL } from 'node:url'
import type * as z from 'zod'
import { adminOperations, adminRoot } from '../src/admin/operations.ts'
import { itemSchemas } from '../src/api/operations/items.ts'
import { headerTexts } from '../src/api/pipeline/response-headers.ts'
import { type Field, membersOf, parametersOf } from '../src/api/schemas/inputs.ts'
import { jsonSchemaOf } from '../src/api/schemas/json-schema.ts'
import { toolInputSchema } from '../src/api/schemas/tool-inputs.ts'
import { wireBuilds } from '../src/http/wire-library.ts'
import type { AnswerSource } from '../src/mcp/answer-source.ts'
import { formatUsd } from '../src/money.ts'
import type { Operation } from '../src/operation.ts'
import {
  defaultPrices,
  type OperationName,
  operations,
  type RouteName,
  routeNames,
  toolNames,
} from '../src/operations.ts'
import { adminProblems, problems, refusals } from '../src/problems.ts'
import { type GateName, gateName, gates } from '../src/settings/gates.ts'
import type { Setting } from '../src/settings/kinds.ts'
import { defaultText, flagOf, type SettingName, settings } from '../src/settings.ts'
import { readPointer } from '../src/snapshot/store/states.ts'
import { neededFields, type SourceFileName } from '../src/source/source-files.ts'
import { fieldNamesOf } from '../src/source/table-fields.ts'
import { logEvents } from '../src/telemetry/log.ts'
import { createSharedMetrics, readMetrics, ThreadMetrics } from '../src/telemetry/metrics.ts'
import { metricsText } from '../src/telemetry/metrics-text.ts'
import { withAnswers } from './document-answers.ts'
import { type MadeTable, type MadeTables, withFigures, withTables } from './markdown-table.ts'
import { recordedFigures, recordedTables } from './recorded-tables.ts'

const root = join(import.meta.dirname, '..')

export function documentNames(): string[] {
  const files = readdirSync(join(root, 'docs'), { recursive: true, encoding: 'utf8' })
  const guides = files.filter((name) => name.endsWith('.md'))
  return ['README.md', ...guides.sort().map((name) => `docs/${name}`)]
}

export function readDocument(name: string): string {
  return readFileSync(join(root, name), 'utf8')
}

export function documentTables(): MadeTables {
  return {
    commands: commandsTable(),
    settings: settingsTable(),
    gates: gatesTable(),
    refusals: {
      columns: ['refusal', 'exit code', 'when'],
      rows: named(refusals, ({ exitCode }) => [String(exitCode)]),
    },
    problems: {
      columns: ['problem', 'status', 'title', 'when'],
      rows: named(problems, ({ status, title }) => [String(status), title]),
    },
    'log-events': {
      columns: ['event', 'level', 'when'],
      rows: named(logEvents, (level) => [level]),
    },
    metrics: metricsTable(),
    operations: operationsTable(),
    'admin-operations': {
      columns: ['operation', 'request', 'scope', 'what it does'],
      rows: Object.entries(adminOperations).map(([name, row]) => {
        const over = row.localOnly
          ? ['', 'on the machine only']
          : [code(`${row.method} ${adminRoot}${row.path}`), row.scope]
        return [code(name), ...over, `${row.summary}. ${row.text}`]
      }),
    },
    'admin-problems': {
      columns: ['problem', 'status', 'title'],
      rows: named(adminProblems, ({ status, title }) => [String(status), title]),
    },
    prices: pricesTable(),
    parameters: parametersTable(),
    members: membersTable(),
    'response-headers': {
      columns: ['header', 'what it says', 'on which answers'],
      rows: named(headerTexts, (text) => [text]),
    },
    'summary-fields': fieldsTable(itemSchemas.match),
    'profile-fields': fieldsTable(itemSchemas.profile),
    'source-fields': fieldsTable(itemSchemas.source),
    'snapshot-fields': fieldsTable(itemSchemas.snapshotPage),
    'change-fields': fieldsTable(itemSchemas.change),
    'moment-fields': fieldsTable(itemSchemas.moment),
    'suggestion-fields': fieldsTable(itemSchemas.suggestion),
    'topic-fields': fieldsTable(itemSchemas.topic),
    'mcp-tools': toolsTable(),
    authorities: recordTable('authorities.ndjson'),
    connections: recordTable('connections.ndjson'),
    topics: recordTable('topics.ndjson'),
    corrections: recordTable('corrections.ndjson'),
    ...recordedTables(),
  }
}

function code(text: string): string {
  return text === '' ? '' : `\`${text}\``
}

/** The rows of a table of the code: a name, and what is said of it there. */
function named<T>(
  table: Readonly<Record<string, T>>,
  factsOf: (value: T) => readonly string[],
): string[][] {
  return Object.entries(table).map(([name, value]) => [code(name), ...factsOf(value)])
}

/** What `--help` lists: a usage of 26 characters, then what the command does. */
function commandsTable(): MadeTable {
  const rows = runMain(['--help'])
    .split('\n')
    .filter((line) => line.startsWith('  '))
    .map((line) => [code(line.slice(2, 28).trim()), line.slice(28)])
  return { columns: ['command', 'what it does'], rows }
}

function runMain(words: readonly string[]): string {
  const main = ['--import', 'tsx', join(root, 'src', 'main.ts'), ...words]
  const { stdout, stderr } = spawnSync(process.execPath, main, { cwd: root, encoding: 'utf8' })
  if (stdout === '') throw new Error(`${words.join(' ')} printed nothing: ${stderr}`)
  return stdout
}

function settingsTable(): MadeTable {
  const rows = (Object.keys(settings) as SettingName[]).map((name) => [
    ...flagAndDefault(name),
    settings[name].help,
  ])
  return { columns: ['setting', 'default', 'what it is'], rows }
}

function flagAndDefault(name: SettingName): string[] {
  const { placeholder }: Setting<unknown> = settings[name]
  const flag = placeholder === undefined ? flagOf(name) : `${flagOf(name)} ${placeholder}`
  return [code(flag), code(defaultText(name))]
}

function gatesTable(): MadeTable {
  const rows = (Object.keys(gates) as GateName[]).map((name) => {
    const { placeholder, defaultValue }: Setting<number> = gates[name]
    return [code(`--gate ${gateName(name)}=${placeholder}`), code(String(defaultValue))]
  })
  return { columns: ['setting', 'default', 'what it holds back'], rows }
}

const metricShape = /^# HELP (\S+) (.*)\n# TYPE \S+ (\S+)$(?=\n\S*?(?:\{(.*)\})? )/gm

/** The metrics of a service after one request, so that every label has a value. */
function metricsTable(): MadeTable {
  const shared = createSharedMetrics(1)
  new ThreadMetrics(shared, 0).answered('search', 200, 0)
  const wire = wireBuilds[0]!
  const surroundings = { prices: defaultPrices, residentBytes: 0, wire }
  const text = metricsText(readMetrics(shared), surroundings)
  const rows = [...text.matchAll(metricShape)].map(
    ([, name = '', help = '', type = '', labels]) => {
      const names = [...(labels ?? '').matchAll(/(\w+)=/g)].map(([, label]) => label)
      const shown = names.filter((label) => label !== 'le').join()
      return [code(shown === '' ? name : `${name}{${shown}}`), type, help]
    },
  )
  return { columns: ['metric', 'type', 'what it is'], rows }
}

function operationsTable(): MadeTable {
  const rows = (Object.keys(operations) as OperationName[]).map((name) => {
    const { methods, paths, scope, summary, text }: Operation = operations[name]
    const isOpen = scope === 'open'
    const asked = methods.filter((method) => method !== 'HEAD').join(', ')
    return [code(`${asked} ${paths[0]}`), isOpen ? 'no' : 'yes', `${summary}. ${text}`]
  })
  return { columns: ['request', 'key', 'what it answers'], rows }
}

function pricesTable(): MadeTable {
  const rows = routeNames.map((route) => {
    const [first] = [...parametersOf(route), ...membersOf(route)].map(({ name }) => name)
    const isEach = operations[route].price.each === 'value'
    const each = isEach ? `each of its ${first}` : 'a request'
    return [route, formatUsd(defaultPrices[route]), each, code(`--price ${route}=USD`)]
  })
  return { columns: ['query', 'USD', 'for', 'setting'], rows }
}

/** The fields of all inputs by their words, and the routes that take each, with whether they need it. */
function takersOf(fieldsOf: (route: RouteName) => readonly Field[]) {
  const takers = new Map<string, { field: Field; routes: Map<RouteName, boolean> }>()
  for (const route of routeNames) {
    for (const field of fieldsOf(route)) {
      const known = takers.get(field.text) ?? { field, routes: new Map() }
      takers.set(field.text, known)
      known.routes.set(route, field.isRequired)
    }
  }
  return [...takers.values()]
}

function parametersTable(): MadeTable {
  const rows = takersOf(parametersOf).map(({ field: { spellings, text }, routes }) => [
    spellings.map(code).join(', '),
    [...routes.keys()].join(', '),
    neededBy(routes),
    text,
  ])
  return { columns: ['parameter', 'of', 'needed', 'what it is'], rows }
}

/** Whether a request needs a parameter, and where that is not so. */
function neededBy(routes: ReadonlyMap<RouteName, boolean>): string {
  const optionalOf = [...routes].filter(([, isRequired]) => !isRequired).map(([route]) => route)
  if (optionalOf.length === routes.size) return 'no'
  return optionalOf.length === 0 ? 'yes' : `yes, not by ${optionalOf.join(', ')}`
}

function membersTable(): MadeTable {
  const rows = takersOf(membersOf).map(({ field: { name, text }, routes }) => [
    code(name),
    [...routes.keys()].join(', '),
    [...routes.values()].includes(true) ? 'yes' : 'no',
    text,
  ])
  return { columns: ['member', 'of', 'needed', 'what it is'], rows }
}

function toolsTable(): MadeTable {
  const takenBy = (schema: z.ZodType) =>
    Object.keys(jsonSchemaOf(schema).properties as object)
      .map(code)
      .join(', ')
  const rows = toolNames.map((route) => {
    const { tool, paths } = operations[route]
    return [code(tool.name), code(paths[0]), takenBy(toolInputSchema(route))]
  })
  return { columns: ['tool', 'asks', 'takes'], rows }
}

function fieldsTable(schema: z.ZodType): MadeTable {
  const fields = jsonSchemaOf(schema).properties as Readonly<Record<string, FieldSchema>>
  return {
    columns: ['field', 'type', 'what it is'],
    rows: named(fields, (field) => [typeOf(field)]),
  }
}

interface FieldSchema {
  readonly type?: string | readonly string[]
  readonly anyOf?: readonly FieldSchema[]
}

function typeOf({ type = '', anyOf }: FieldSchema): string {
  const types = anyOf === undefined ? [type].flat() : anyOf.map(typeOf)
  return [...new Set(types)].join(' or ')
}

function recordTable(file: SourceFileName): MadeTable {
  const rows = fieldNamesOf(file).map((name) => [
    code(name),
    neededFields[file].includes(name) ? 'yes' : 'no',
  ])
  return { columns: ['field', 'needed', 'what it is'], rows }
}

/** The program without a server, which needs no key. */
const ask: AnswerSource['ask'] = async ({ path, query = '' }) => {
  const json = JSON.parse(runMain(['get', `${path}?${query}`]))
  return { status: json.status ?? 200, json }
}

/** What a service says first: that it serves the default snapshot. */
function withSnapshotId(text: string): string {
  const id = readPointer(join(root, 'snapshots'), 'CURRENT')
  return text.replace(/(?<=serving snapshot )[0-9a-f]{32}/, id ?? '')
}

async function main(write: boolean): Promise<void> {
  const tables = documentTables()
  const figures = recordedFigures()
  for (const name of documentNames()) {
    const written = readDocument(name)
    const known = withFigures(withTables(written, tables), figures)
    const made = withSnapshotId(await withAnswers(known, ask))
    if (made === written) continue
    console.log(`${name} ${write ? 'is written' : 'does not say what the code says'}`)
    if (write) writeFileSync(join(root, name), made)
    else process.exitCode = 1
  }
}

if (process.argv[1] !== undefined && import.meta.url === pathToFileURL(process.argv[1]).href) {
  await main(process.argv.includes('--write'))
}
