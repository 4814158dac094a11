/**
 * A TypeScript program as one JavaScript file, so that a process or a thread starts it without a loader: `tsx` costs
 * each of them a second thread, and three times the processor time of what it then does.
 *
 * Invariant: the file holds the sources as they are when it is first asked for. Packages are loaded from `node_modules`.
 */
import { mkdirSync, renameSync, writeFileSync } from 'node:fs'
import { join, relative } from 'node:path'
import { pathToFileURL } from 'node:url'
import { buildSync, stop } from 'esbuild'

const root = join(import.meta.dirname, '../../..')
const directory = join(root, 'node_modules', '.cache', 'authority-index-programs')

/** Tables of words are read where they lie; no other module looks for files beside itself. */
const tables = pathToFileURL(join(root, 'src/text/tables/table-text.ts')).href

const made = new Map<string, string>()

/** @param source its modules look for no files but tables of words beside themselves. */
export function compiled(source: string): string {
  const path = made.get(source) ?? compile(source)
  made.set(source, path)
  return path
}

/** Several processes may compile at a time: each moves a whole file into place. */
function compile(source: string): string {
  const { outputFiles } = buildSync({
    entryPoints: [source],
    bundle: true,
    platform: 'node',
    format: 'esm',
    target: 'node20',
    packages: 'external',
    write: false,
    logLevel: 'error',
    define: { 'import.meta.url': JSON.stringify(tables) },
  })
  // Else its service stays as long as this process.
  void stop()
  const { contents } = outputFiles[0]!
  const path = join(directory, `${relative(root, source).replaceAll('/', '-')}.mjs`)
  mkdirSync(directory, { recursive: true })
  writeFileSync(`${path}.${process.pid}`, contents)
  renameSync(`${path}.${process.pid}`, path)
  return path
}
