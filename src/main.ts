#!/usr/bin/env node
/**
 * The command line: argv → one command. The only reader of argv, of the environment and of
 * signals, and the only caller of `process.exit`.
 */
import { parseArgs } from 'node:util'
import { accountCommands } from './commands/account.ts'
import type { Command } from './commands/command.ts'
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
import {
  defaultText,
  flagOf,
  type Setting,
  type SettingName,
  settings,
  valuesOf,
  variableOf,
} from './settings.ts'

const commands: Readonly<Record<string, Command>> = {
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

// A reader that stops reading (`… | head`) is not a failure.
process.stdout.on('error', (error: NodeJS.ErrnoException) => {
  if (error.code !== 'EPIPE') throw error
})

const terminal = {
  print: (line: string) => void process.stdout.write(`${line}\n`),
  report: (line: string) => void process.stderr.write(`${line}\n`),
  interactive: process.stderr.isTTY === true,
}

/**
 * Resolves with the first SIGINT or SIGTERM. From then on nobody listens, so a second one has the
 * system end the process at once, however busy it is; `process.exit` would first end the threads,
 * which Node.js cannot do while they have open sockets.
 */
function interruption(): Promise<void> {
  const signals = ['SIGINT', 'SIGTERM'] as const
  return new Promise((resolve) => {
    const onSignal = () => {
      for (const signal of signals) process.off(signal, onSignal)
      resolve()
    }
    for (const signal of signals) process.on(signal, onSignal)
  })
}

async function main(words: readonly string[]): Promise<void> {
  const [name, command] = findCommand(words)
  const rest = words.slice(name.split(' ').length)
  const names = command.settings
  const { values: flags, positionals } = parse(name, rest, names)
  if (flags.help === true) return terminal.print(helpOf(name, command).join('\n'))
  checkOperands(name, command, positionals)
  const values = valuesOf(names, flags, process.env)
  await command.run({
    operands: positionals,
    values,
    terminal,
    clock: Date.now,
    interrupted: interruption,
    onHangup: (listener) => void process.on('SIGHUP', listener),
  })
}

function findCommand(words: readonly string[]): [string, Command] {
  for (const length of [2, 1]) {
    const name = words.slice(0, length).join(' ')
    if (Object.hasOwn(commands, name)) return [name, commands[name]!]
  }
  if (words.length === 0 || words[0] === '--help' || words[0] === 'help') {
    terminal.print(overview().join('\n'))
    process.exit(0)
  }
  const given = words.slice(0, 2).join(' ')
  throw new Refusal('wrong-usage', `no command '${given}'; see authority-index --help`)
}

function parse(name: string, words: readonly string[], names: readonly SettingName[]) {
  const options: Record<string, { type: 'string' | 'boolean' }> = { help: { type: 'boolean' } }
  for (const setting of names) {
    const { placeholder }: Setting<unknown> = settings[setting]
    options[flagOf(setting).slice(2)] = { type: placeholder === undefined ? 'boolean' : 'string' }
  }
  try {
    return parseArgs({ args: [...words], options, allowPositionals: true, strict: true })
  } catch (error) {
    const message = (error as Error).message.split(/\.\s/)[0]
    throw new Refusal('wrong-usage', `${message}; see authority-index ${name} --help`)
  }
}

function checkOperands(name: string, command: Command, given: readonly string[]): void {
  const expected = command.operands.split(' ').filter((operand) => operand !== '')
  const required = expected.filter((operand) => !operand.startsWith('['))
  if (given.length >= required.length && given.length <= expected.length) return
  throw new Refusal('wrong-usage', `usage: ${usageOf(name, command)}`)
}

function usageOf(name: string, command: Command): string {
  return ['authority-index', name, command.operands].filter((word) => word !== '').join(' ')
}

function overview(): string[] {
  const lines = Object.entries(commands).map(([name, command]) => {
    const usage = `${name} ${command.operands}`
    return `  ${usage.padEnd(26)}${command.help}`
  })
  return ['authority-index COMMAND [--help]', '', ...lines]
}

function helpOf(name: string, command: Command): string[] {
  const lines = command.settings.map((setting) => {
    const { placeholder, help }: Setting<unknown> = settings[setting]
    const flag = `${flagOf(setting)} ${placeholder ?? ''}`
    const otherwise = defaultText(setting) === '' ? '' : ` (${defaultText(setting)})`
    return `  ${flag.padEnd(28)}${help}${otherwise}; ${variableOf(setting)}`
  })
  return [usageOf(name, command), command.help, '', ...lines]
}

try {
  await main(process.argv.slice(2))
} catch (error) {
  if (!(error instanceof Refusal)) throw error
  terminal.report(error.message)
  process.exitCode = refusals[error.code].exitCode
}
