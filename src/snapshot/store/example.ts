/**
 * The example: a snapshot that a built program brings along, for a first start in a folder without snapshots.
 * It stands in only for the default directory, and only while that does not exist: an operator who names a
 * directory never gets other people than those in it.
 */
import { copyFileSync, existsSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { brotliDecompressSync } from 'node:zlib'
import { cacheDirectoriesOf, keep } from '../../process/cached-tool.ts'
import { settings } from '../../settings.ts'

/** Beside the modules of the program; `scripts/bundle.ts` puts it there, compressed. */
const packed = fileURLToPath(new URL('./example', import.meta.url))

/** Unpacked into a cache directory the first time: 2 MB. @throws Refusal `no-cache`. */
export function exampleDirectory(): Promise<string> {
  const current = join(packed, 'CURRENT')
  const id = readFileSync(current, 'utf8').trim()
  const example = {
    name: `example-${id}`,
    isWhole: (directory: string) => existsSync(join(directory, 'CURRENT')),
    fill: (directory: string) => {
      const snapshot = brotliDecompressSync(readFileSync(join(packed, 'snapshot.br')))
      writeFileSync(join(directory, `${id}.msgpack`), snapshot, { flush: true })
      copyFileSync(current, join(directory, 'CURRENT'))
    },
  }
  return keep(example, cacheDirectoriesOf(process), process.getuid?.())
}

export function isExampleFor(directory: string): boolean {
  const isFirst = directory === settings.snapshots.defaultValue && !existsSync(directory)
  return isFirst && existsSync(packed)
}

export function exampleNotice(directory: string): string {
  const hint = 'publish your own with: authority-index sync --source DIR'
  return `${directory}: no such directory yet, so answers come from the example records; ${hint}`
}

/** The directory to answer from; reports where that is the example. @throws Refusal `no-cache`. */
export async function snapshotsOrExample(
  directory: string,
  report: (line: string) => void,
): Promise<string> {
  if (!isExampleFor(directory)) return directory
  report(exampleNotice(directory))
  return exampleDirectory()
}
