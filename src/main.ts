#!/usr/bin/env node
/**
 * The command line: argv → one command. The only reader of argv, of the environment and of
 * signals, and the only caller of `process.exit`.
 */
import type { AnyRun, CommandRuns, Terminal } from './commands/command.ts'
import { readCommandLine } from './commands/line/command-line.ts'
import {
  type CommandName,
  commandTable,
  type DescribedCommand,
  type FirstWord,
} from './commands/line/command-table.ts'
import { Refusal, refusals } from './problems.ts'
import { goOnWithFittingNode } from './process/fitting-node.ts'
import { isMissing } from './process/missing.ts'
import { Output } from './process/output.ts'
import { credentialsIn } from './process/systemd.ts'
import { settingValuesOf } from './settings.ts'
import { nativePackages, programVersion } from './version.ts'

/** Loaders of the commands, by their first words. Only the typed command is loaded, so that it starts at once. */
const groups: { readonly [W in FirstWord]: () => Promise<CommandRuns<W>> } = {
  serve: async () => ({ serve: (await import('./commands/serve.ts')).serveCommand }),
  sync: async () => ({ sync: (await import('./commands/sync.ts')).syncCommand }),
  forget: async () => ({ forget: (await import('./commands/forget.ts')).forgetCommand }),
  snapshot: async () => (await import('./commands/snapshot.ts')).snapshotCommands,
  changes: async () => (await import('./commands/export-tables.ts')).changesCommands,
  account: async () => (await import('./commands/administration.ts')).accountCommands,
  key: async () => (await import('./commands/administration.ts')).keyCommands,
  ledger: async () => (await import('./commands/ledger.ts')).ledgerCommands,
  admin: async () => ({ admin: (await import('./commands/administration.ts')).adminCommand }),
  get: async () => ({ get: (await import('./commands/get.ts')).getCommand }),
  mcp: async () => ({ mcp: (await import('./commands/mcp.ts')).mcpCommand }),
  health: async () => ({ health: (await import('./commands/health.ts')).healthCommand }),
}

async function runOf(name: CommandName): Promise<AnyRun> {
  const [first = ''] = name.split(' ')
  const group: Readonly<Record<string, AnyRun>> = await groups[first as FirstWord]()
  return group[name]!
}

function isLacking(error: unknown): boolean {
  if (!isMissing(error)) return false
  const [, missing] = /^Cannot find (?:package|module) '(.+?)'/.exec(error.message) ?? []
  return nativePackages.some((spec) => spec.startsWith(`${missing}@`))
}

/** The npm package holds no native module: one program may need only the library. */
function lacking(name: CommandName): Refusal {
  const words = `npm install ${nativePackages.join(' ')}`
  return new Refusal('not-installed', `${name} needs packages beside this one: ${words}`)
}

const output = new Output(process.stdout)
// There is nowhere left to report that stderr cannot be written.
process.stderr.on('error', () => {})

// Without a listener Node opens its inspector on SIGUSR1, and SIGUSR2 ends the process.
for (const signal of ['SIGUSR1', 'SIGUSR2'] as const) process.on(signal, () => {})

const terminal: Terminal = {
  print: (line: string) => output.print(line),
  printed: () => output.taken(),
  discards: output.discards,
  isSeen: process.stdout.isTTY === true,
  report: (line: string) => void process.stderr.write(`${line}\n`),
  interactive: process.stderr.isTTY === true,
}

async function loggingTerminal(): Promise<Terminal> {
  const { newLog } = await import('./telemetry/log.ts')
  const { StandardError } = await import('./telemetry/standard-error.ts')
  const log = newLog('info', Date.now, new StandardError(Date.now))
  return { ...terminal, report: (line, event = 'sync') => log(event, line) }
}

/**
 * Resolves with the first SIGINT, SIGTERM or SIGQUIT. From then on no handler is left, so at a second one the
 * system ends the process at once, however busy it is; `process.exit` would first end the threads,
 * which Node.js cannot do while they have open sockets.
 */
function interruption(): Promise<void> {
  const signals = ['SIGINT', 'SIGTERM', 'SIGQUIT'] as const
  return new Promise((resolve) => {
    const onSignal = () => {
      for (const signal of signals) process.off(signal, onSignal)
      resolve()
    }
    for (const signal of signals) process.on(signal, onSignal)
  })
}

async function main(words: readonly string[]): Promise<void> {
  const typed = readCommandLine(words)
  if (typed.kind === 'help') return terminal.print(typed.lines.join('\n'))
  if (typed.kind === 'version') return terminal.print(`authority-index ${programVersion}`)
  const { name, operands, flags } = typed
  const command: DescribedCommand = commandTable[name]
  const variables = { ...credentialsIn(process.env.CREDENTIALS_DIRECTORY), ...process.env }
  const values = settingValuesOf(command.settings, flags, variables)
  const isLogged = command.logs === true && !terminal.interactive
  const reporting = isLogged ? await loggingTerminal() : terminal
  const run = await runOf(name)
  const running = async () =>
    run({
      operands,
      values,
      terminal: reporting,
      clock: Date.now,
      interrupted: interruption,
      onHangup: (listener) => void process.on('SIGHUP', listener),
      surroundings: {
        userId: process.getuid?.() ?? 0,
        notifySocket: process.env.NOTIFY_SOCKET,
        setVariable: (name, value) => {
          process.env[name] = value
        },
        goOnWithFittingNode: (ended) => goOnWithFittingNode(process, terminal.report, ended),
      },
    })
  await running().catch((thrown: unknown) => {
    const error = isLacking(thrown) ? lacking(name) : thrown
    // A wrong command line is reported to the person who typed it, not to the log.
    if (!(error instanceof Refusal) || error.code === 'wrong-usage') throw error
    refuse(error, reporting)
  })
}

function refuse({ code, message }: Refusal, { report }: Terminal): void {
  report(message, 'sync-failed')
  process.exitCode = refusals[code].exitCode
}

try {
  await main(process.argv.slice(2))
  await output.taken(true)
} catch (error) {
  if (!(error instanceof Refusal)) throw error
  refuse(error, terminal)
}
