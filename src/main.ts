#!/usr/bin/env node
/**
 * The command line: argv → one command. The only reader of argv, of the environment and of
 * signals, and the only caller of `process.exit`.
 */
import { accountCommands } from './commands/account.ts'
import { type Commands, readCommandLine } from './commands/command-line.ts'
import { surroundingsOf } from './commands/fitting-node.ts'
import { forgetCommand } from './commands/forget.ts'
import { getCommand } from './commands/get.ts'
import { healthCommand } from './commands/health.ts'
import { keyCommands } from './commands/key.ts'
import { ledgerCommands } from './commands/ledger.ts'
import { mcpCommand } from './commands/mcp.ts'
import { serveCommand } from './commands/serve.ts'
import { snapshotCommands } from './commands/snapshot.ts'
import { syncCommand } from './commands/sync.ts'
import { Refusal, refusals } from './problems.ts'
import { Output } from './process/output.ts'
import { valuesOf } from './settings.ts'
import { programVersion } from './version.ts'

const commands: Commands = {
  serve: serveCommand,
  sync: syncCommand,
  forget: forgetCommand,
  ...snapshotCommands,
  ...accountCommands,
  ...keyCommands,
  ...ledgerCommands,
  get: getCommand,
  mcp: mcpCommand,
  health: healthCommand,
}

const output = new Output(process.stdout)
// There is nowhere left to report that stderr cannot be written.
process.stderr.on('error', () => {})

// Without a listener Node opens its inspector on SIGUSR1, and SIGUSR2 ends the process.
for (const signal of ['SIGUSR1', 'SIGUSR2'] as const) process.on(signal, () => {})

// What the SDK of S3 says of the Node it runs on, and of its own later versions, is for nobody here.
process.env.AWS_SDK_JS_NODE_VERSION_SUPPORT_WARNING_DISABLED = 'true'

const terminal = {
  print: (line: string) => output.print(line),
  printed: () => output.taken(),
  discards: output.discards,
  report: (line: string) => void process.stderr.write(`${line}\n`),
  interactive: process.stderr.isTTY === true,
}

/**
 * Resolves with the first SIGINT, SIGTERM or SIGQUIT. From then on nobody listens, so a second one has the
 * system end the process at once, however busy it is; `process.exit` would first end the threads,
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
  const typed = readCommandLine(words, commands)
  if (typed.kind === 'help') return terminal.print(typed.lines.join('\n'))
  if (typed.kind === 'version') return terminal.print(`authority-index ${programVersion}`)
  const { command, operands, flags } = typed
  await command.run({
    operands,
    values: valuesOf(command.settings, flags, process.env),
    terminal,
    clock: Date.now,
    interrupted: interruption,
    onHangup: (listener) => void process.on('SIGHUP', listener),
    surroundings: surroundingsOf(process),
  })
}

try {
  await main(process.argv.slice(2))
  await output.ended()
} catch (error) {
  if (!(error instanceof Refusal)) throw error
  terminal.report(error.message)
  process.exitCode = refusals[error.code].exitCode
}
