/**
 * The main script of the single file (bundled to CommonJS, as Node wants it there): it unpacks the
 * program and its native addons to a cache directory and runs them from there. The directory is
 * named by the hash of its content.
 */
import { mkdirSync, statSync, writeFileSync } from 'node:fs'
import { createRequire } from 'node:module'
import { dirname, join } from 'node:path'
import { getAsset, getRawAsset } from 'node:sea'
import { brotliDecompressSync } from 'node:zlib'
import { type CachedTool, cacheDirectoriesOf, keep } from '../src/process/cached-tool.ts'

interface Manifest {
  readonly hash: string
  readonly files: readonly { readonly name: string; readonly bytes: number }[]
}

const { hash, files }: Manifest = JSON.parse(getAsset('manifest.json', 'utf8'))

const program: CachedTool = {
  name: hash,
  isWhole: (directory) =>
    files.every(({ name, bytes }) => statSync(join(directory, name)).size === bytes),
  fill: (directory) => {
    for (const { name } of files) {
      const path = join(directory, name)
      mkdirSync(dirname(path), { recursive: true })
      writeFileSync(path, brotliDecompressSync(getRawAsset(name)), { flush: true })
    }
  },
}

async function start(): Promise<void> {
  const userId = process.getuid!()
  const directory = await keep(program, cacheDirectoriesOf(process), userId)
  createRequire(join(directory, 'start.cjs'))('./start.cjs')
}

start().catch((error: Error) => {
  process.stderr.write(`${error.message}\n`)
  process.exit(1)
})
