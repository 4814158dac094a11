/**
 * Every setting of the product. A setting has one row: flag, environment variable, default, unit and help text are
 * made from it, as are `--help` and the table of settings in the documents.
 */
import { adminScopes } from './admin-scopes.ts'
import { limits } from './limits.ts'
import {
  balanceMicroUsdMax,
  capPeriods,
  formatUsd,
  lowMicroUsdDefault,
  openingMicroUsdDefault,
  topUpMicroUsdMax,
} from './money.ts'
import { byRoute, operations, type RouteName } from './operations.ts'
import { Refusal } from './problems.ts'
import { agentSettings } from './settings/agents.ts'
import { gateSettings } from './settings/gates.ts'
import {
  address,
  amount,
  bucket,
  byName,
  choice,
  database,
  duration,
  durationUnitsMs,
  flag,
  handles,
  integer,
  limit,
  listenPlace,
  mailOrWeb,
  networks,
  optional,
  origins,
  price,
  type Setting,
  share,
  storage,
  text,
  texts,
  time,
  words,
} from './settings/kinds.ts'

const logLevels = ['debug', 'info', 'warn', 'error', 'silent'] as const

export type LogLevel = (typeof logLevels)[number]

/** The table. A key is the name in camel case: `sourceShareMax` is `--source-share-max`. */
export const settings = {
  host: text('HOST', '127.0.0.1', 'address to listen on'),
  port: integer('PORT', { min: 0, max: 65_535 }, 8080, 'port to listen on; 0 takes a free one'),
  opsPort: optional(
    integer(
      'PORT',
      { min: 0, max: 65_535 },
      0,
      'port for /metrics and the details of /readyz; without it, they are on --port; 0 takes a free one',
    ),
  ),
  admin: listenPlace(
    'ADDRESS',
    'where the admin API listens, as 127.0.0.1:9090; without it, nowhere',
  ),
  threads: integer('N', { min: 0, max: 256 }, 0, 'serving threads; 0 is one for each core'),
  explorer: optional(
    choice(
      'WHETHER',
      ['on', 'local', 'off'],
      'on',
      'the explorer at / and /docs, for every browser (on), for browsers of this computer and not through a proxy (local), or for none; without it, local where --host is this computer, else off',
    ),
  ),
  snapshots: text('DIR', 'snapshots', 'directory of the snapshots'),
  removalKey: text(
    'FILE',
    '',
    'file of the key that the list of removals is hashed with; without it, the one that the list names, at first SNAPSHOTS.removal-key',
  ),
  data: text('DIR', 'data', 'directory of the ledger'),
  ledger: database('URI', 'PostgreSQL of a ledger that several services share, instead of --data'),
  ledgerWait: duration(60_000, 0, 'how long a start waits for the database of the ledger'),
  account: text('NAME', '', 'account that a key belongs to'),
  firstAccount: choice(
    'WHICH',
    ['default', 'none'],
    'default',
    'account, with a key, that a service makes in an empty ledger',
  ),
  openingCredit: amount(
    { defaultMicroUsd: openingMicroUsdDefault, maxMicroUsd: topUpMicroUsdMax },
    'credit that a new account starts with',
  ),
  lowBalance: amount(
    { defaultMicroUsd: lowMicroUsdDefault, maxMicroUsd: topUpMicroUsdMax },
    'balance below which an account has an event; with 0, none has',
  ),
  reference: text('REF', '', 'unique name of a payment, so that it is credited once'),
  reason: text('TEXT', '', 'why an account is adjusted or a person removed; kept with it'),
  label: text('LABEL', '', 'what a key is for'),
  expires: duration(0, 1_000, 'how long a key lives; without it, until it is revoked'),
  overlap: duration(86_400_000, 0, 'how long the old text of a rotated key stays valid'),
  cap: optional(
    amount(
      { defaultMicroUsd: 0, maxMicroUsd: balanceMicroUsdMax },
      'what a key may spend at most in USD',
    ),
  ),
  capPeriod: choice('PERIOD', capPeriods, 'total', 'how often --cap begins anew, by UTC'),
  scopes: texts(
    'SCOPES',
    `what a key may be used for: operations, mcp, and account to see all of its account; an admin key: ${adminScopes.join(', ')}`,
  ),
  rate: optional(
    integer('N', { min: 1, max: limits.keyRequestsPerSecondMax }, 1, 'requests a second of a key'),
  ),
  address: optional(networks('NETWORKS', 'addresses and networks that a key may be used from')),
  price: byName<RouteName>(
    'ROUTE=USD',
    byRoute((route) =>
      price(operations[route].price.defaultMicroUsd, operations[route].price.help),
    ),
    (route) => route,
    'another price of a query, as search=0.002; separated by commas, or once each',
  ),
  commitWindow: integer(
    'MS',
    { min: 10, max: 10_000 },
    100,
    'milliseconds of charges written together, and the most a crash can lose',
  ),
  warmUpMs: integer(
    'MS',
    { min: 0, max: 60_000 },
    1_000,
    'milliseconds of processor time that each thread practises at most before it answers; 0 is none',
  ),
  logLevel: choice('LEVEL', logLevels, 'info', 'least level that is logged'),
  accessLogSample: share(
    'SHARE',
    0,
    'share of requests that is logged; never with a key or values',
  ),
  rateLimit: limit(0, 'requests a second of an account; 0 is no limit'),
  rateBurst: limit(0, 'requests of an account at once; 0 is those of a second'),
  lookupRateLimit: limit(
    100,
    'free answers (suggestions, topics, snapshots, views of the account) a second of an account; 0 is no limit',
  ),
  failedKeyLimit: limit(60, 'requests without a valid key a minute from an address; 0 is no limit'),
  connectionRateLimit: limit(0, 'connections that an address may open a minute; 0 is no limit'),
  connectionsMax: limit(10_000, 'connections open at once; 0 is no limit'),
  headBytesMax: integer(
    'BYTES',
    { min: 1_024, max: 262_144 },
    16_384,
    'bytes of the request line and headers of a request',
  ),
  unknownParameters: choice(
    'WHAT',
    ['refuse', 'ignore'],
    'refuse',
    'query parameters that a route does not take',
  ),
  contact: mailOrWeb(
    'ADDRESS',
    'mail or web address of who runs the service, for OpenAPI and the pages',
  ),
  privacy: mailOrWeb('ADDRESS', 'the same for questions of listed people'),
  texts: choice(
    'PLACE',
    ['memory', 'disk'],
    'memory',
    'where the texts of people are while they are served',
  ),
  ...agentSettings,
  corsOrigins: origins('ORIGINS', 'web origins whose pages may read answers'),
  trustedProxies: networks(
    'NETWORKS',
    'addresses or networks of proxies whose X-Forwarded-For is believed',
  ),
  tlsCert: text('FILE', '', 'certificate chain (PEM) to serve HTTPS with'),
  tlsKey: text('FILE', '', 'private key (PEM) of the certificate'),
  url: address(
    'URL',
    'a running service: mcp uses it instead of the snapshot, health checks it; of account, key and ledger, its admin API',
  ),
  key: text('KEY', '', 'API key for the service at --url; better given as a variable'),
  adminKey: text('KEY', '', 'admin key for the admin API at --url; better given as a variable'),
  source: text(
    'URI',
    'snapshots/source',
    'source records: a folder, its file:// address, a CSV or Parquet file, s3://bucket/prefix or postgres://…',
  ),
  map: text('FILE', '', 'YAML that says which columns of CSV or Parquet are which fields'),
  pollInterval: integer(
    'S',
    { min: 1, max: 3600 },
    2,
    'seconds between checks for a new snapshot where no file event reports it',
  ),
  publish: bucket('URI', 'object storage to announce in, too, as s3://bucket/prefix'),
  follow: storage(
    'URI',
    'where to fetch snapshots from: s3://bucket/prefix, or the https:// address of the same objects',
  ),
  activateAfter: duration(
    0,
    0,
    'delay between an announcement in object storage and the switch, so that a fleet switches together',
  ),
  transferRate: integer(
    'BYTES',
    { min: 0, max: 100_000_000_000 },
    0,
    'bytes a second from and to object storage; 0 is no limit',
  ),
  fetchGrace: duration(
    86_400_000,
    60_000,
    'how long object storage keeps earlier snapshots, which nodes may still be fetching',
  ),
  keep: integer('N', { min: 1, max: 1000 }, 3, 'snapshots to keep when a new one is published'),
  history: duration(365 * 86_400_000, 3_600_000, 'how long changes are kept and served'),
  ...gateSettings,
  check: flag('read the source, count what is wrong with it, and publish nothing'),
  force: flag('build and announce even an unchanged source, and any change however large'),
  watch: flag('sync again whenever the source changes'),
  interval: integer('S', { min: 0, max: 604_800 }, 0, 'sync again every so many seconds; 0: once'),
  lookalikes: choice(
    'WHAT',
    ['leave-out', 'report', 'off'],
    'leave-out',
    'records whose name imitates another in letters that look the same',
  ),
  acceptHandle: handles(
    'HANDLES',
    'handles that may have another owner, as github:ann, separated by commas',
  ),
  out: text('DIR', 'export', 'directory for the files of an export'),
  format: choice('FORMAT', ['ndjson', 'csv', 'parquet'], 'ndjson', 'form of the files'),
  trust: words(
    'WHAT',
    ['weights', 'topics', 'connections'],
    'what the source is trusted for, separated by commas',
  ),
  vetted: texts(
    'WAYS',
    'values of verified_by whose people are vetted: what others have of their own comes from them, separated by commas',
  ),
  sourceShareMax: share(
    'SHARE',
    1,
    'share of the mass of a person that connections of one source may give; 1: any',
  ),
  createdAt: time('TIME', 'when the records were made, written into the snapshot (ISO 8601)'),
  json: flag('print JSON'),
} as const satisfies Record<string, Setting<unknown>>

export type SettingName = keyof typeof settings

export type Values<N extends SettingName> = {
  readonly [K in N]: (typeof settings)[K] extends Setting<infer T> ? T : never
}

/** `sourceShareMax` → `--source-share-max`. */
export function flagOf(name: SettingName): string {
  return `--${name.replace(/[A-Z]/g, (letter) => `-${letter.toLowerCase()}`)}`
}

/** The default as a person would type it: `0.001`, `24h`; empty without a default. */
export function defaultText(name: SettingName): string {
  const { defaultValue, placeholder }: Setting<unknown> = settings[name]
  if (defaultValue === undefined || typeof defaultValue === 'boolean') return ''
  // Values by name have a table of their own.
  if (typeof defaultValue === 'object' && !Array.isArray(defaultValue)) return ''
  if (placeholder === 'USD') return formatUsd(Number(defaultValue))
  if (placeholder !== 'DURATION') return String(defaultValue)
  if (defaultValue === 0) return ''
  const unit = Number(defaultValue) % durationUnitsMs.h === 0 ? 'h' : 's'
  return `${Number(defaultValue) / durationUnitsMs[unit]}${unit}`
}

/** `sourceShareMax` → `AUTHORITY_INDEX_SOURCE_SHARE_MAX`. */
export function variableOf(name: SettingName): string {
  return `AUTHORITY_INDEX_${name.replace(/[A-Z]/g, (letter) => `_${letter}`).toUpperCase()}`
}

/**
 * The values of the named settings: from the flags, else the environment, else the default.
 * @throws Refusal `wrong-usage` naming the flag or the variable whose text is no such value.
 */
export function settingValuesOf<N extends SettingName>(
  names: readonly N[],
  flags: Readonly<Record<string, string | boolean | undefined>>,
  environment: Readonly<Record<string, string | undefined>>,
): Values<N> {
  const values: Record<string, unknown> = {}
  for (const name of names) {
    const given = flags[flagOf(name).slice(2)]
    const written = given === undefined ? environment[variableOf(name)] : String(given)
    const setting: Setting<unknown> = settings[name]
    const value = written === undefined ? setting.defaultValue : setting.parse(written)
    if (written !== undefined && value === undefined) {
      const where = given === undefined ? variableOf(name) : flagOf(name)
      const not = setting.isSecret ? 'something else' : `'${written}'`
      throw new Refusal('wrong-usage', `${where} takes ${setting.expects}, not ${not}`)
    }
    values[name] = value
  }
  return values as Values<N>
}
