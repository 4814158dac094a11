/** A command of the table as a function of the typed words. It never reads argv, the environment or `process.exit`. */
import { Refusal } from '../problems.ts'
import type { SettingName, Values } from '../settings.ts'
import type { CommandName, SettingOf } from './line/command-table.ts'

/** The output of a command: results go to `print` (stdout), everything about the work to `report` (stderr). */
export interface Terminal {
  readonly print: (line: string) => void
  readonly report: (line: string, event?: 'sync' | 'sync-failed') => void
  /**
   * Resolves when the system has taken everything that was printed, for a command that otherwise undoes something.
   * @throws Refusal `output-failed`.
   */
  readonly printed: () => Promise<void>
  /** True when stdout is closed or /dev/null: everything printed is lost. */
  readonly discards: boolean
  /** True when stdout is a terminal: printed text is seen once and kept in no log. */
  readonly isSeen: boolean
  /** True when stderr is a terminal, so that a progress bar can be drawn on it. */
  readonly interactive: boolean
}

interface ProcessContext {
  readonly userId: number
  readonly notifySocket: string | undefined
  /** Sets a variable of the process, for code that reads the environment by itself. */
  readonly setVariable: (name: string, value: string) => void
  /** Goes on with a Node that a build of uWebSockets.js fits, unless it is interrupted before. */
  readonly goOnWithFittingNode: (interrupted: Promise<void>) => Promise<void>
}

export interface Call<N extends SettingName> {
  readonly operands: readonly string[]
  readonly values: Values<N>
  readonly terminal: Terminal
  readonly clock: () => number
  /**
   * For a command that runs until it is ended, or that has to tidy up: from this call on, the first SIGINT, SIGTERM or
   * SIGQUIT resolves the promise and a second one ends the process at once.
   */
  readonly interrupted: () => Promise<void>
  /** From this call on, SIGHUP calls the listener. */
  readonly onHangup: (listener: () => void) => void
  readonly surroundings: ProcessContext
}

/** @throws Refusal for every expected failure; `main.ts` prints its message and exits with its code. */
export type CommandRun<N extends CommandName> = (call: Call<SettingOf<N>>) => Promise<void> | void

export type AnyRun = (call: Call<SettingName>) => Promise<void> | void

/** The functions of the commands whose names begin with a word. */
export type CommandRuns<W extends string> = {
  readonly [N in Extract<CommandName, W | `${W} ${string}`>]: CommandRun<N>
}

/** Prints an answer: as JSON where it is asked for, else in lines for people. */
export function printAnswer(
  { values, terminal }: { readonly values: Values<'json'>; readonly terminal: Terminal },
  answer: unknown,
  lines: () => readonly string[],
): void {
  const said = values.json ? [JSON.stringify(answer)] : lines()
  for (const line of said) terminal.print(line)
}

/** @throws Refusal `output-failed` if a text that is shown once would be lost; the message calls it `what`. */
export function refuseToLose(what: string, { discards }: Terminal): void {
  if (!discards) return
  throw new Refusal('output-failed', `stdout is closed or /dev/null, so the ${what} would be lost`)
}
