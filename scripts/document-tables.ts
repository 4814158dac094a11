/**
 * What the documents take from the code: their tables, and the answers to their examples. A test
 * compares them, so that a setting, a problem or a metric cannot be added without its words.
 *
 *     npx tsx scripts/document-tables.ts            names the documents that say something else
 *     npx tsx scripts/document-tables.ts --write    writes them; new rows wait for their words
 */
import { spawnSync } from 'node:child_process'
import { readdirSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { pathToFileURL } from 'node:url'
import { z } from 'zod'
import { openApiDocument } from '../src/api/describe/openapi.ts'
import type { Json } from '../src/api/describe/openapi-schemas.ts'
import type { Source } from '../src/mcp/answer-source.ts'
import { problems, refusals } from '../src/problems.ts'
import {
  defaultText,
  flagOf,
  limits,
  type Setting,
  type SettingName,
  settings,
} from '../src/settings.ts'
import {
  authoritySchema,
  connectionKinds,
  connectionSchema,
  topicSchema,
} from '../src/source/schema.ts'
import { logEvents } from '../src/telemetry/log.ts'
import { createSharedMetrics, readMetrics, ThreadMetrics } from '../src/telemetry/metrics.ts'
import { metricsText } from '../src/telemetry/metrics-text.ts'
import { withAnswers } from './document-answers.ts'
import { licencesTable } from './licences.ts'
import { type MadeTable, type MadeTables, withTables } from './markdown-table.ts'
import { toolsOver } from './mcp-tools.ts'

const root = join(import.meta.dirname, '..')

/** The documents, by their paths in the repository. */
export function documentNames(): string[] {
  const guides = readdirSync(join(root, 'docs')).filter((name) => name.endsWith('.md'))
  return ['README.md', ...guides.sort().map((name) => `docs/${name}`)]
}

/** The text of a document. */
export function readDocument(name: string): string {
  return readFileSync(join(root, name), 'utf8')
}

/** Every table there is, by its name. */
export async function documentTables(): Promise<MadeTables> {
  const document = openApiDocument(defaultPrices)
  return {
    commands: commandsTable(),
    settings: settingsTable(),
    guards: guardsTable(),
    limits: {
      columns: ['limit', 'value', 'of what'],
      rows: named(limits, (value) => [value.toLocaleString('en')]),
    },
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
    operations: operationsTable(document),
    parameters: parametersTable(document),
    'response-headers': headersTable(document),
    'summary-fields': fieldsTable(componentOf(document, 'Match')),
    'profile-fields': fieldsTable(componentOf(document, 'Profile')),
    'mcp-tools': await toolsTable(),
    authorities: recordTable(authoritySchema),
    connections: recordTable(connectionSchema),
    topics: recordTable(topicSchema),
    'connection-kinds': {
      columns: ['kind', 'what it says', 'who endorses whom'],
      rows: connectionKinds.map((kind) => [code(kind)]),
    },
    licences: licencesTable(),
  }
}

const defaultPrices = {
  search: settings.priceSearch.defaultValue,
  detail: settings.priceDetail.defaultValue,
  peers: settings.pricePeers.defaultValue,
  match: settings.priceMatch.defaultValue,
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

/** What the program prints, from its source. */
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

/** The settings that limit what clients may do. */
function guardsTable(): MadeTable {
  const names = ['rateLimit', 'rateBurst', 'failedKeyLimit', 'connectionsMax'] as const
  const columns = ['setting', 'default', 'what is limited', 'above it']
  return { columns, rows: names.map(flagAndDefault) }
}

const metricShape = /^# HELP (\S+) (.*)\n# TYPE \S+ (\S+)$(?=\n\S*?(?:\{(.*)\})? )/gm

/** The metrics of a service that has answered one request, so that all labels are told. */
function metricsTable(): MadeTable {
  const shared = createSharedMetrics(1)
  new ThreadMetrics(shared, 0).answered('search', 200, 0)
  const surroundings = { prices: defaultPrices, nowMs: 0, residentBytes: 0 }
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

interface Operation {
  readonly summary: string
  readonly description?: string
  readonly security?: readonly unknown[]
  readonly parameters?: readonly { name: string; in: string; description: string }[]
}

/** Every operation of the document by method and path, those that only add a slash left out. */
function operationsOf(document: Json): [path: string, method: string, operation: Operation][] {
  const paths = document.paths as Readonly<Record<string, Readonly<Record<string, Operation>>>>
  return Object.entries(paths)
    .filter(([path]) => !path.endsWith('/'))
    .flatMap(([path, item]) =>
      Object.entries(item).map(([method, operation]): [string, string, Operation] => [
        path,
        method.toUpperCase(),
        operation,
      ]),
    )
}

function operationsTable(document: Json): MadeTable {
  const rows = operationsOf(document).map(([path, method, { summary, description, security }]) => [
    code(`${method} ${path}`),
    security === undefined ? 'yes' : 'no',
    description === undefined ? `${summary}.` : `${summary}. ${description}`,
  ])
  return { columns: ['request', 'key', 'what it answers'], rows }
}

/** Parameters that say the same are the spellings of one. */
function parametersTable(document: Json): MadeTable {
  const found = new Map<string, { names: Set<string>; paths: Set<string> }>()
  for (const [path, , { parameters = [] }] of operationsOf(document)) {
    for (const { name, in: place, description } of parameters) {
      if (place !== 'query') continue
      const entry = found.get(description) ?? { names: new Set(), paths: new Set() }
      found.set(description, entry)
      entry.names.add(code(name))
      entry.paths.add(path.split('/').at(-1)!)
    }
  }
  const rows = [...found].map(([description, { names, paths }]) => [
    [...names].join(', '),
    [...paths].join(', '),
    description,
  ])
  return { columns: ['parameter', 'of', 'what it is'], rows }
}

function componentsOf(document: Json, kind: string): Readonly<Record<string, Json>> {
  return (document.components as Record<string, Readonly<Record<string, Json>>>)[kind]!
}

function componentOf(document: Json, name: string): Json {
  return componentsOf(document, 'schemas')[name]!
}

function headersTable(document: Json): MadeTable {
  const headers = Object.entries(componentsOf(document, 'headers'))
  const rows = headers.map(([name, { description }]) => [code(name), String(description)])
  return { columns: ['header', 'what it says', 'on which answers'], rows }
}

function fieldsTable({ properties }: Json): MadeTable {
  const fields = Object.entries(properties as Readonly<Record<string, Json>>)
  const rows = fields.map(([name, { type }]) => [code(name), [type].flat().join(' or ')])
  return { columns: ['field', 'type', 'what it is'], rows }
}

/** What a tool may be called with, whichever it is. */
const anyArguments = { query: 'rust', limit: 1, sdus: ['1'], handles: ['name'] }

/** The tools, and the path that each asks: told by calling it. */
async function toolsTable(): Promise<MadeTable> {
  const paths: string[] = []
  const tools = toolsOver({
    ask: async (path) => {
      paths.push(path)
      return { status: 503, json: {} }
    },
    topics: async () => undefined,
  })
  for (const { call } of tools) await call(anyArguments)
  const rows = tools.map(({ name, takes }, tool) => [
    code(name),
    code(paths[tool]!),
    takes.map(code).join(', '),
  ])
  return { columns: ['tool', 'asks', 'takes'], rows }
}

/** The fields of a source record, as it may be written. */
function recordTable(schema: z.ZodType): MadeTable {
  const { properties, required = [] } = z.toJSONSchema(schema, { io: 'input' })
  const rows = Object.keys(properties!).map((name) => [
    code(name),
    required.includes(name) ? 'yes' : 'no',
  ])
  return { columns: ['field', 'needed', 'what it is'], rows }
}

/** The program without a server, which needs no key. */
const source: Source = {
  ask: async (path, query) => {
    const json = JSON.parse(runMain(['get', `${path}?${query}`]))
    return { status: json.status ?? 200, json }
  },
  topics: async () => undefined,
}

async function main(write: boolean): Promise<void> {
  const tables = await documentTables()
  for (const name of documentNames()) {
    const written = readDocument(name)
    const made = await withAnswers(withTables(written, tables), source)
    if (made === written) continue
    console.log(`${name} ${write ? 'is written' : 'does not say what the code says'}`)
    if (write) writeFileSync(join(root, name), made)
    else process.exitCode = 1
  }
}

if (process.argv[1] !== undefined && import.meta.url === pathToFileURL(process.argv[1]).href) {
  await main(process.argv.includes('--write'))
}
