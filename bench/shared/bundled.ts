/**
 * A module as the built service runs it: bundled. `tsx` names every function that is made, which takes the same
 * code 10 to 25 % more time, and more memory.
 *
 * Invariant: what is measured is the source that the bench was started from.
 */
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { pathToFileURL } from 'node:url'
import { build } from 'esbuild'

/** Tables of words are read where they lie. */
const tables = pathToFileURL(join(import.meta.dirname, '../../src/text/tables/table-text.ts')).href

/** Bundles a module with all that it imports, and imports it; some tenths of a second. @param source its path. */
export async function bundled<M>(source: string): Promise<M> {
  const directory = mkdtempSync(join(tmpdir(), 'bundled-'))
  const outfile = join(directory, 'bundled.mjs')
  try {
    await build({
      entryPoints: [source],
      outfile,
      bundle: true,
      platform: 'node',
      format: 'esm',
      target: 'node20',
      logLevel: 'error',
      define: { 'import.meta.url': JSON.stringify(tables) },
      banner: {
        js: `import { createRequire } from 'node:module'; const require = createRequire(${JSON.stringify(import.meta.url)});`,
      },
    })
    return await import(pathToFileURL(outfile).href)
  } finally {
    rmSync(directory, { recursive: true, force: true })
  }
}
