/** Small sources, and syncs of them as processes of their own. */
import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { temporaryDirectory } from './built.ts'
import { type Ended, run } from './program.ts'

/** A source folder of so many authorities; each `bad` line replaces a good one. */
export function sourceOf(
  authorities: number,
  bad: readonly string[] = [],
  name = 'Authority',
): string {
  const directory = temporaryDirectory()
  const lines = Array.from({ length: authorities }, (_, index) =>
    JSON.stringify({ sdu: String(index + 1), name: `${name} ${index + 1}`, topics: ['Rust'] }),
  )
  lines.splice(1, bad.length, ...bad)
  writeFileSync(join(directory, 'authorities.ndjson'), `${lines.join('\n')}\n`)
  return directory
}

export function syncWords(source: string, snapshots: string): string[] {
  return ['sync', '--source', source, '--snapshots', snapshots, '--json']
}

export function sync(source: string, snapshots: string, ...more: string[]): Promise<Ended> {
  return run([...syncWords(source, snapshots), ...more])
}
