/** The words of a command line as a command or a help text. An error is one line, with the most likely correction. */
import { parseArgs } from 'node:util'
import { Refusal } from '../../problems.ts'
import type { Setting } from '../../settings/kinds.ts'
import { defaultText, flagOf, type SettingName, settings, variableOf } from '../../settings.ts'
import { hintAt, nearestOf } from '../../text/nearest.ts'
import { type CommandName, commandTable, type DescribedCommand } from './command-table.ts'

type Commands = Readonly<Record<string, DescribedCommand>>

const commands: Commands = commandTable

type Typed =
  | { readonly kind: 'help'; readonly lines: readonly string[] }
  | { readonly kind: 'version' }
  | {
      readonly kind: 'command'
      readonly name: CommandName
      readonly operands: readonly string[]
      readonly flags: Readonly<Record<string, string | boolean | undefined>>
    }

/** @param words behind the program's name. @throws Refusal `wrong-usage`. */
export function readCommandLine(words: readonly string[]): Typed {
  const found = findCommand(words)
  if (found === undefined) return withoutCommand(words)
  const { name, command } = found
  const { values, positionals: operands } = parse(found, words)
  const flags = Object.fromEntries(
    Object.entries(values).map(([flag, value]) => [
      flag,
      Array.isArray(value) ? value.join(',') : value,
    ]),
  )
  if (flags.help === true) return { kind: 'help', lines: helpOf(name, command) }
  checkOperands(name, command, operands)
  return { kind: 'command', name, operands, flags }
}

interface Named {
  readonly name: CommandName
  readonly command: DescribedCommand
}

function findCommand(words: readonly string[]): Named | undefined {
  for (const length of [2, 1]) {
    const name = words.slice(0, length).join(' ')
    if (isCommand(name)) return { name, command: commandTable[name] }
  }
  return undefined
}

function isCommand(name: string): name is CommandName {
  return Object.hasOwn(commandTable, name)
}

/** The help of everything, or of the commands that begin with a word; the version; or a refusal. */
function withoutCommand(words: readonly string[]): Typed {
  const [first = '--help', second = '--help'] = words
  if (isHelp(first)) return { kind: 'help', lines: overview(commands) }
  if (first === '--version') return { kind: 'version' }
  const group = Object.entries(commands).filter(([name]) => name.startsWith(`${first} `))
  if (group.length > 0 && isHelp(second) && words.length > 1) {
    return { kind: 'help', lines: overview(Object.fromEntries(group)) }
  }
  const given = group.length > 0 ? words.slice(0, 2).join(' ') : first
  const nearest = nearestOf(words.slice(0, 2).join(' '), Object.keys(commands))
  const meant = nearest ?? nearestOf(first, Object.keys(commands))
  const help = `authority-index ${group.length > 0 ? `${first} ` : ''}--help`
  throw new Refusal('wrong-usage', `no command '${given}'${hintAt(meant)}; see ${help}`)
}

function isHelp(word: string): boolean {
  return word === '-h' || word === '--help' || word === 'help'
}

function parse({ name, command }: Named, words: readonly string[]) {
  const options: Record<
    string,
    { type: 'string' | 'boolean'; short?: string; multiple?: boolean }
  > = {
    help: { type: 'boolean', short: 'h' },
  }
  for (const setting of command.settings) {
    const { placeholder, isList = false }: Setting<unknown> = settings[setting]
    const type = placeholder === undefined ? 'boolean' : 'string'
    options[flagOf(setting).slice(2)] = { type, multiple: isList }
  }
  const args = words.slice(name.split(' ').length)
  try {
    return parseArgs({ args, options, allowPositionals: true, strict: true })
  } catch (error) {
    throw new Refusal('wrong-usage', whatIsWrong(error as Error, args, { name, command }))
  }
}

/** An error of Node's parser as a message that names what can be typed instead. */
function whatIsWrong(error: Error, words: readonly string[], { name, command }: Named): string {
  const flags = command.settings.map(flagOf)
  const unknown = words.find((word) => /^-[^-]/.test(word) && word !== '-h')
  if (unknown !== undefined) {
    return `'${unknown}' is no setting; ${usageOf(name, command)}: nothing begins with '-'`
  }
  const misspelled = words
    .map((word) => word.split('=', 1)[0]!)
    .find((word) => word.startsWith('--') && word !== '--help' && !flags.includes(word))
  const see = `see authority-index ${name} --help`
  if (misspelled !== undefined && misspelled !== '--') {
    return `${name} has no setting ${misspelled}${hintAt(nearestOf(misspelled, flags))}; ${see}`
  }
  return `${error.message.split(/\.\s/)[0]}; ${see}`
}

function checkOperands(name: string, command: DescribedCommand, given: readonly string[]): void {
  const expected = command.operands.split(' ').filter((operand) => operand !== '')
  const required = expected.filter((operand) => !operand.startsWith('['))
  const missing = required.slice(given.length)
  const usage = `usage: ${usageOf(name, command)}`
  if (missing.length > 0) {
    throw new Refusal('wrong-usage', `${missing.join(' and ')} missing; ${usage}`)
  }
  if (given.length > expected.length && !command.operands.includes('…')) {
    throw new Refusal('wrong-usage', `'${given[expected.length]}' is too much; ${usage}`)
  }
}

function usageOf(name: string, { operands }: DescribedCommand): string {
  return ['authority-index', name, operands].filter((word) => word !== '').join(' ')
}

function overview(some: Commands): string[] {
  const lines = Object.entries(some).map(([name, command]) => {
    const usage = `${name} ${command.operands}`
    return `  ${usage.padEnd(26)}${command.help}`
  })
  return ['authority-index COMMAND [--help] [--version]', '', ...lines]
}

function helpOf(name: string, command: DescribedCommand): string[] {
  const lines = command.settings.map((setting: SettingName) => {
    const { placeholder, help }: Setting<unknown> = settings[setting]
    const flag = `${flagOf(setting)} ${placeholder ?? ''}`
    const otherwise = defaultText(setting) === '' ? '' : ` (${defaultText(setting)})`
    return `  ${flag.padEnd(28)}${help}${otherwise}; ${variableOf(setting)}`
  })
  return [usageOf(name, command), command.help, '', ...lines]
}
