/** What package.json says of every published package: the facts of the repository's own, of which it is a copy. */
import { readFileSync } from 'node:fs'
import { join } from 'node:path'

const root = join(import.meta.dirname, '..', '..')

/** The version of all packages, which are published together. */
export function repositoryVersion(): string {
  return JSON.parse(readFileSync(join(root, 'package.json'), 'utf8')).version
}

/** The beginning of a package.json. */
export function manifestOf(name: string, description: string): Record<string, unknown> {
  const { version, license, engines } = JSON.parse(readFileSync(join(root, 'package.json'), 'utf8'))
  return { name, version, description, license, engines }
}
