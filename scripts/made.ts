/**
 * Tables that the build makes. A module `….made.ts` exports functions without parameters that give plain values and take
 * long to load or to run: the build runs them, keeps the values as compressed JSON in `made/` beside the program, and replaces the
 * module by one that reads each value when it is first asked for.
 */
import { mkdirSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { pathToFileURL } from 'node:url'
import { brotliCompressSync } from 'node:zlib'
import type { Plugin } from 'esbuild'

const reader = `
import { readFileSync } from 'node:fs'
import { brotliDecompressSync } from 'node:zlib'
function read(name) {
  let value
  const file = new URL('./made/' + name + '.json.br', import.meta.url)
  return () => value ??= JSON.parse(brotliDecompressSync(readFileSync(file)))
}`

export function madeTables(directory: string): Plugin {
  const place = join(directory, 'made')
  return {
    name: 'made',
    setup({ onLoad }) {
      onLoad({ filter: /\.made\.ts$/ }, async ({ path }) => {
        const makers = Object.entries<() => unknown>(await import(pathToFileURL(path).href))
        mkdirSync(place, { recursive: true })
        for (const [name, make] of makers) {
          writeFileSync(join(place, `${name}.json.br`), brotliCompressSync(JSON.stringify(make())))
        }
        const exported = makers.map(([name]) => `export const ${name} = read('${name}')`)
        return { contents: [reader, ...exported].join('\n') }
      })
    },
  }
}
