/** A small repository with all files that have a version, and one commit; removed with the test. */
import { execFileSync } from 'node:child_process'
import { cpSync, mkdirSync, writeFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { versionsIn } from '../../../../scripts/release/version.ts'
import { temporaryDirectory } from '../../../support/built.ts'

/** This repository. */
export const root = join(import.meta.dirname, '..', '..', '..', '..')
/** When tests release. */
export const day = '2026-12-01'
/** What a small repository has as its changelog. */
export const changelog =
  '# Changelog\n\n## Unreleased\n\n- A line.\n\n## 0.1.0, 2026-11-21\n\n- The first.\n'

/** Runs git and returns what it printed. */
export function git(directory: string, ...words: string[]): string {
  const identity = ['-c', 'user.name=somebody', '-c', 'user.email=somebody@localhost']
  const options = { cwd: directory, encoding: 'utf8' } as const
  return execFileSync('git', [...identity, ...words], options).trim()
}

/** Makes one. */
export function newCheckout(text = changelog): string {
  const checkout = temporaryDirectory()
  for (const { path } of versionsIn(root)) {
    mkdirSync(dirname(join(checkout, path)), { recursive: true })
    cpSync(join(root, path), join(checkout, path))
  }
  writeFileSync(join(checkout, 'CHANGELOG.md'), text)
  git(checkout, 'init', '--quiet')
  git(checkout, 'config', 'user.name', 'somebody')
  git(checkout, 'config', 'user.email', 'somebody@localhost')
  git(checkout, 'add', '.')
  git(checkout, 'commit', '--quiet', '--message=First')
  return checkout
}
