/**
 * The search as the built service runs it: bundled. `tsx` names every function that is made, which takes the same
 * code 10 to 25 % more time.
 *
 * Invariant: what is measured is the source that the bench was started from.
 */
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { pathToFileURL } from 'node:url'
import { build } from 'esbuild'
import type { activate } from '../../src/api/active-snapshot.ts'

const source = join(import.meta.dirname, '../../src/api/active-snapshot.ts')

/** Bundles what makes a snapshot ready to be asked; some tenths of a second. */
export async function bundledActivate(): Promise<typeof activate> {
  const directory = mkdtempSync(join(tmpdir(), 'search-'))
  const outfile = join(directory, 'active-snapshot.mjs')
  try {
    await build({
      entryPoints: [source],
      outfile,
      bundle: true,
      platform: 'node',
      format: 'esm',
      target: 'node20',
      logLevel: 'error',
      banner: {
        js: `import { createRequire } from 'node:module'; const require = createRequire(${JSON.stringify(import.meta.url)});`,
      },
    })
    const bundle: { activate: typeof activate } = await import(pathToFileURL(outfile).href)
    return bundle.activate
  } finally {
    rmSync(directory, { recursive: true, force: true })
  }
}
