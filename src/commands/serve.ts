/** The `serve` command: the service, until a signal ends it. */
import { type ExplorerReach, reachOf } from '../explorer/reach.ts'
import { checkedTlsFiles } from '../http/tls.ts'
import { headBytesVariable, loadWireLibrary } from '../http/wire-library.ts'
import { formatUsd } from '../money.ts'
import { oauthOf } from '../oauth/options.ts'
import { Refusal } from '../problems.ts'
import { openRights } from '../process/private-directory.ts'
import { notifier } from '../process/systemd.ts'
import { type FirstKey, keepFirstKey, unshownKey } from '../service/ledger/first-key.ts'
import { type Service, startService } from '../service/service.ts'
import { exampleDirectory, exampleNotice, isExampleFor } from '../snapshot/store/example.ts'
import { type Log, newLog } from '../telemetry/log.ts'
import { StandardError } from '../telemetry/standard-error.ts'
import { type CommandRun, printAnswer, type Terminal } from './command.ts'

export const serveCommand: CommandRun<'serve'> = async (call) => {
  const { values, terminal, clock, interrupted, onHangup, surroundings } = call
  const ended = interrupted()
  oauthOf(values)
  surroundings.setVariable(headBytesVariable, String(values.headBytesMax))
  const wire = await loadWireLibrary()
  if (wire === undefined) return surroundings.goOnWithFittingNode(ended)
  const log = newLog(values.logLevel, clock, new StandardError(clock))
  const tls = checkedTlsFiles(values.tlsCert, values.tlsKey)
  const explorerReach = reachOf(values.explorer as ExplorerReach | null, values.host)
  // A mirror fills an empty directory.
  const hasExample = values.follow === '' && isExampleFor(values.snapshots)
  const example = hasExample ? await exampleDirectory() : undefined
  const more = { explorerReach, clock, log, tls, wire: wire.build, ended }
  const publicUrl = values.publicUrl ?? values.oauth
  const service = await startService({ ...values, ...more, publicUrl, example })
  const host = values.host.includes(':') ? `[${values.host}]` : values.host
  const address = `${tls === undefined ? 'http' : 'https'}://${host}:${service.port}`
  onHangup(service.look)
  const notify = notifier(surroundings.notifySocket, (line) => log('service-manager', line))
  void service.ready.then(() => notify('READY=1', `serving on ${address}`))
  try {
    const firstKey = keepFirstKey(service.firstKey, terminal.isSeen, values.data)
    const page = explorerAddress(explorerReach, address, firstKey, service.linkCode)
    const started = { service, address, explorer: page, explorerReach, firstKey }
    printAnswer(call, jsonOf(started), () => linesOf(started, values.openingCredit))
    if (example !== undefined) terminal.report(exampleNotice(values.snapshots))
    for (const path of [values.data, values.tlsKey, values.oauthSecret]) {
      const rights = openRights(path, surroundings.userId)
      if (rights !== undefined) log('data-rights', rights)
    }
    await settleFirstKey(service, firstKey, terminal, log)
    await Promise.race([ended, service.failed])
  } finally {
    await Promise.all([notify('STOPPING=1', 'writing the last charges'), service.close()])
  }
}

interface Started {
  readonly service: Service
  readonly address: string
  /** Undefined if it is not served. */
  readonly explorer: string | undefined
  readonly explorerReach: ExplorerReach
  readonly firstKey: FirstKey | undefined
}

const explorerNotices: Readonly<Record<ExplorerReach, string>> = {
  on: 'explorer: for every browser that reaches this address',
  local:
    'explorer: for browsers of this computer, not through a proxy; --explorer on serves it to all',
  off: 'explorer: off; --explorer on serves it, --explorer local to browsers of this computer',
}

/**
 * On a terminal the address of the explorer ends with a code, behind `#`, which a browser never sends; the page
 * exchanges the code for the first key.
 */
function explorerAddress(
  reach: ExplorerReach,
  address: string,
  firstKey: FirstKey | undefined,
  linkCode: Service['linkCode'],
): string | undefined {
  if (reach === 'off') return undefined
  // A container is reached at the port that it publishes, which is mostly the same.
  const opened = address.replace(/\/\/(0\.0\.0\.0|\[::\])(?=:|$)/, '//127.0.0.1')
  const isShown = firstKey !== undefined && firstKey.file === undefined
  return `${opened}/${isShown ? `#code=${linkCode(firstKey.text)}` : ''}`
}

function jsonOf({ service, address, explorer, firstKey }: Started) {
  const { port, opsPort, admin, threads, snapshotId } = service
  const key =
    firstKey && (firstKey.file === undefined ? { key: firstKey.text } : { keyFile: firstKey.file })
  const apart = { ...(opsPort && { opsPort }), ...(admin && { admin }) }
  const more = { ...apart, threads, snapshotId, ...(explorer && { explorer }) }
  return { address, port, ...more, ...key }
}

/**
 * A key that was not shown is made again by the next start. A service without a new key serves even if its lines cannot
 * be printed.
 * @throws Refusal `output-failed`.
 */
async function settleFirstKey(
  service: Service,
  firstKey: FirstKey | undefined,
  terminal: Terminal,
  log: Log,
): Promise<void> {
  const failure = await terminal.printed().catch((error: Error) => error)
  if (failure !== undefined) {
    const isLost = firstKey !== undefined && firstKey.file === undefined
    if (isLost) throw new Refusal('output-failed', `${failure.message}; ${unshownKey}`)
    log('output', failure.message)
  }
  if (firstKey === undefined) return
  await service.firstKeyShown()
  if (firstKey.file !== undefined) {
    log('first-key', `the key of the account 'default' is in ${firstKey.file}; ${keyFileAdvice}`)
  }
}

const keyFileAdvice = 'read it, then remove the file'

function linesOf(
  { service, address, explorer, explorerReach, firstKey }: Started,
  openingMicroUsd: number,
): string[] {
  const { threads, snapshotId } = service
  const lines: string[] = []
  if (firstKey !== undefined) {
    const { text, file } = firstKey
    const made = `made the account 'default' with ${formatUsd(openingMicroUsd)} USD`
    lines.push(
      `${made}; its key${file === undefined ? `, shown only now: ${text}` : ` is in ${file}`}`,
    )
    if (file === undefined) {
      const header = `-H 'Authorization: Bearer ${text}'`
      lines.push(`try: curl ${header} '${address}/api/v1/index?query=rust&limit=3'`)
    }
  }
  if (explorer !== undefined) lines.push(`open: ${explorer}`)
  if (explorer?.includes('#code=')) lines.push('the code in it works once, within ten minutes')
  lines.push(explorerNotices[explorerReach])
  lines.push(`serving snapshot ${snapshotId} on ${address} with ${threads} threads`)
  return lines
}
