/** Tables that the build makes: the program reads the values that the source computes. */
import { readdirSync } from 'node:fs'
import { join } from 'node:path'
import { pathToFileURL } from 'node:url'
import { build } from 'esbuild'
import { describe, expect, it } from 'vitest'
import { madeTables } from '../../../scripts/bundle.ts'
import { temporaryDirectory } from '../../support/built.ts'

const source = join(import.meta.dirname, '..', '..', '..', 'src')
const modules = readdirSync(source, { recursive: true, encoding: 'utf8' })
  .filter((name) => name.endsWith('.made.ts'))
  .map((name) => join(source, name))

type Makers = Readonly<Record<string, (...words: never[]) => unknown>>

describe('a module of tables that the build makes', () => {
  it('exports names that no other such module has', async () => {
    const makers = await Promise.all(modules.map((each): Promise<Makers> => import(each)))
    const names = makers.flatMap(Object.keys)
    expect(names.length).toBeGreaterThan(4)
    expect(new Set(names).size).toBe(names.length)
  })

  it.each(modules)('gives built what it gives as source: %s', async (module) => {
    const outdir = temporaryDirectory()
    const { outputFiles } = await build({
      entryPoints: [module],
      outdir,
      bundle: true,
      platform: 'node',
      format: 'esm',
      outExtension: { '.js': '.mjs' },
      plugins: [madeTables(outdir)],
      metafile: true,
    }).then(({ metafile }) => ({ outputFiles: Object.keys(metafile.outputs) }))
    const built: Makers = await import(pathToFileURL(outputFiles[0]!).href)
    const made: Makers = await import(module)
    expect(Object.keys(built).sort()).toEqual(Object.keys(made).sort())
    for (const [name, make] of Object.entries(made)) {
      expect(make.length).toBe(0)
      const value = built[name]!()
      expect(JSON.stringify(value)).toBe(JSON.stringify(make()))
      expect(built[name]!()).toBe(value)
    }
  })
})
