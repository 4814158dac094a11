/**
 * The default snapshot as it goes with a program: `example`, beside its modules, where `serve` finds it
 * in a folder without snapshots.
 */
import { copyFileSync, mkdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'

const snapshots = join(import.meta.dirname, '..', 'snapshots')

/** Copies the announced snapshot, with where its records come from, into the directory of a program. */
export function copyExample(program: string): void {
  const example = join(program, 'example')
  const announced = `${readFileSync(join(snapshots, 'CURRENT'), 'utf8').trim()}.msgpack`
  mkdirSync(example, { recursive: true })
  for (const file of ['CURRENT', announced, join('source', 'NOTICE.md')]) {
    copyFileSync(join(snapshots, file), join(example, file.replace(/^source./, '')))
  }
}
