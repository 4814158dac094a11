/** The `serve` command: the service, until a signal ends it. */
import { checkedTlsFiles } from '../http/tls.ts'
import { headBytesVariable, loadWireLibrary } from '../http/wire-library.ts'
import { openingMicroUsd } from '../ledger/account-records.ts'
import { formatUsd } from '../money.ts'
import { Refusal } from '../problems.ts'
import { openRights } from '../process/private-directory.ts'
import { notifier } from '../process/systemd.ts'
import { type Service, serviceSettings, startService } from '../service/service.ts'
import { pricesOf } from '../settings.ts'
import { exampleFor, exampleNotice } from '../snapshot/store/example.ts'
import { type Log, newLog } from '../telemetry/log.ts'
import { StandardError } from '../telemetry/standard-error.ts'
import { isLoopback } from '../text/network.ts'
import { type Command, command, type Terminal } from './command.ts'
import { goOnWithFittingNode } from './fitting-node.ts'

export const serveCommand: Command = command({
  operands: '',
  settings: [...serviceSettings, 'json'],
  help: 'answer requests',
  run: async ({ values, terminal, clock, interrupted, onHangup, surroundings }) => {
    const ended = interrupted()
    surroundings.setVariable(headBytesVariable, String(values.headBytesMax))
    const wire = await loadWireLibrary()
    if (wire === undefined) return goOnWithFittingNode(surroundings, terminal, ended)
    const prices = pricesOf(values)
    const log = newLog(values.logLevel, clock, new StandardError(clock))
    const tls = checkedTlsFiles(values.tlsCert, values.tlsKey)
    const explorer = values.explorer === null ? isLoopback(values.host) : values.explorer === 'on'
    // A mirror fills an empty directory.
    const example = values.follow === '' ? exampleFor(values.snapshots) : undefined
    const more = { prices, servesExplorer: explorer, clock, log, tls, wire: wire.build, ended }
    const service = await startService({ ...values, ...more, example })
    const host = values.host.includes(':') ? `[${values.host}]` : values.host
    const address = `${tls === undefined ? 'http' : 'https'}://${host}:${service.port}`
    const page = explorer ? explorerAddress(address, service.firstKey) : undefined
    if (values.json) printJson(service, address, page, terminal)
    else printLines(service, address, page, terminal)
    if (example !== undefined) terminal.report(exampleNotice(values.snapshots))
    onHangup(service.look)
    const notify = notifier(surroundings.notifySocket, (line) => log('service-manager', line))
    void service.ready.then(() => notify('READY=1', `serving on ${address}`))
    try {
      const rights = openRights(values.data, surroundings.userId)
      if (rights !== undefined) log('data-rights', rights)
      await settleFirstKey(service, terminal, log)
      await Promise.race([ended, service.failed])
    } finally {
      await Promise.all([notify('STOPPING=1', 'writing the last charges'), service.close()])
    }
  },
})

const unshown = "the key of the account 'default' was not shown; the next start makes another"
const lostKey = `stdout is closed or /dev/null: ${unshown}, or type: authority-index key issue --account default`

/** Where a browser opens it; behind `#` the key, which a browser never sends and no log has. */
function explorerAddress(address: string, firstKey: string | undefined): string {
  return `${address}/${firstKey === undefined ? '' : `#key=${firstKey}`}`
}

function printJson(
  service: Service,
  address: string,
  explorer: string | undefined,
  terminal: Terminal,
): void {
  const { port, opsPort, threads, snapshotId, firstKey: key } = service
  const shown = { ...(explorer && { explorer }), ...(key && { key }) }
  const more = { ...(opsPort && { opsPort }), threads, snapshotId, ...shown }
  terminal.print(JSON.stringify({ address, port, ...more }))
}

/**
 * A key that nobody saw is made again by the next start. Only a start that could not show a new key
 * fails; a service without one serves whatever becomes of its lines.
 * @throws Refusal `output-failed`.
 */
async function settleFirstKey(service: Service, terminal: Terminal, log: Log): Promise<void> {
  const { firstKey } = service
  const failure = await terminal.printed().catch((error: Error) => error)
  if (firstKey === undefined) {
    if (failure !== undefined) log('output', failure.message)
    return
  }
  if (failure !== undefined) throw new Refusal('output-failed', `${failure.message}; ${unshown}`)
  if (terminal.discards) log('output', lostKey)
  else await service.firstKeyShown()
}

function printLines(
  { threads, snapshotId, firstKey }: Service,
  address: string,
  explorer: string | undefined,
  terminal: Terminal,
) {
  if (firstKey !== undefined) {
    const credit = `${formatUsd(openingMicroUsd)} USD`
    terminal.print(
      `made the account 'default' with ${credit}; its key, shown only now: ${firstKey}`,
    )
    const header = `-H 'Authorization: Bearer ${firstKey}'`
    terminal.print(`try: curl ${header} '${address}/api/v1/index?query=rust&limit=3'`)
  }
  if (explorer !== undefined) terminal.print(`open: ${explorer}`)
  terminal.print(`serving snapshot ${snapshotId} on ${address} with ${threads} threads`)
}
