/**
 * The example: a snapshot that a built program brings along, for a first start in a folder without snapshots.
 * It stands in only for the default directory, and only while that does not exist: an operator who names a
 * directory never gets other people than those in it.
 */
import { existsSync } from 'node:fs'
import { fileURLToPath } from 'node:url'
import { settings } from '../../settings.ts'

/** Beside the modules of the program; `scripts/bundle.ts` puts it there. */
export const builtExample = fileURLToPath(new URL('./example', import.meta.url))

/** The directory of the example where it stands in for a directory of snapshots, else undefined. */
export function exampleFor(directory: string, example = builtExample): string | undefined {
  const isFirst = directory === settings.snapshots.defaultValue && !existsSync(directory)
  return isFirst && existsSync(example) ? example : undefined
}

/** The line for every start that answers from the example. */
export function exampleNotice(directory: string): string {
  const hint = 'publish your own with: authority-index sync --source DIR'
  return `${directory}: no such directory yet, so answers come from the example records; ${hint}`
}

/** The directory to answer from; reports where that is the example. */
export function snapshotsOrExample(directory: string, report: (line: string) => void): string {
  const example = exampleFor(directory)
  if (example !== undefined) report(exampleNotice(directory))
  return example ?? directory
}
