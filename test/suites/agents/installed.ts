/** Packages of the npm registry in a temporary directory of a test's own: they are no dependencies of the project. */
import { execFileSync } from 'node:child_process'
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { onTestFinished } from 'vitest'

/** @param packages as `name@version`. Needs the network. */
export function installed(packages: readonly string[]): string {
  const directory = mkdtempSync(join(tmpdir(), 'agents-'))
  onTestFinished(() => rmSync(directory, { recursive: true, force: true }))
  writeFileSync(join(directory, 'package.json'), '{"private":true}')
  const words = ['install', '--no-audit', '--no-fund', '--ignore-scripts', ...packages]
  execFileSync('npm', words, { cwd: directory, stdio: ['ignore', 'ignore', 'pipe'] })
  return directory
}
