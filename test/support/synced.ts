/** Small sources, and syncs of them as processes of their own. */
import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { temporaryDirectory } from './built.ts'
import { type Ended, run } from './program.ts'

export function lineOf(number: number, name = 'Authority'): string {
  const record = { sdu: String(number), name: `${name} ${number}`, topics: ['Rust'] }
  return `${JSON.stringify(record)}\n`
}

/** Writes a source of so many authorities; each `bad` line replaces a good one. */
export function writeSource(
  directory: string,
  authorities: number,
  bad: readonly string[] = [],
  name?: string,
): void {
  const lines = Array.from({ length: authorities }, (_, index) => lineOf(index + 1, name))
  lines.splice(1, bad.length, ...bad.map((line) => `${line}\n`))
  writeFileSync(join(directory, 'authorities.ndjson'), lines.join(''))
}

/** The folder of such a source. */
export function sourceOf(authorities: number, bad?: readonly string[], name?: string): string {
  const directory = temporaryDirectory()
  writeSource(directory, authorities, bad, name)
  return directory
}

export function syncWords(source: string, snapshots: string): string[] {
  return ['sync', '--source', source, '--snapshots', snapshots, '--json']
}

export function sync(source: string, snapshots: string, ...more: string[]): Promise<Ended> {
  return run([...syncWords(source, snapshots), ...more])
}
