/**
 * Builds the version before, once for a run of these suites, from the history of this checkout: the last tag, or the
 * commit that stands for the first version. `AUTHORITY_INDEX_BEFORE` names a built checkout in its place. What was
 * built is removed after the run. Where there is neither, the suites are skipped, and this says so.
 */
import { type ExecFileSyncOptions, execFileSync, spawnSync } from 'node:child_process'
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'

const root = join(import.meta.dirname, '..', '..', '..')

/** Version 0.1.0, which has no tag: the last commit before the library. */
const firstVersion = 'b1af998'

/** The commit of the version before; undefined where the checkout has no history. */
function commitBefore(): string | undefined {
  const git = (...words: string[]) => {
    const { status, stdout } = spawnSync('git', words, { cwd: root, encoding: 'utf8' })
    return status === 0 ? stdout.trim() : undefined
  }
  const tag = git('describe', '--tags', '--abbrev=0', '--match', 'v*', 'HEAD^')
  return git('rev-parse', '--verify', '--quiet', `${tag ?? firstVersion}^{commit}`)
}

/** Builds a commit in a directory of its own. Takes minutes. */
function build(commit: string): string {
  const directory = mkdtempSync(join(tmpdir(), 'version-before-'))
  const input = execFileSync('git', ['archive', commit], { cwd: root, maxBuffer: 2 ** 30 })
  execFileSync('tar', ['-x', '-C', directory], { input })
  const options: ExecFileSyncOptions = { cwd: directory, stdio: ['ignore', 'ignore', 'inherit'] }
  const quietly = ['--no-audit', '--no-fund', '--prefer-offline', '--silent']
  execFileSync('npm', ['ci', ...quietly], options)
  execFileSync('npm', ['run', '--silent', 'build'], options)
  return directory
}

/** Called by Vitest before a run; returns what it calls after it. */
export default function setUp(): (() => void) | undefined {
  if (process.env.AUTHORITY_INDEX_BEFORE !== undefined) return undefined
  const commit = commitBefore()
  if (commit === undefined) {
    console.error('skipped: no history of the version before, and no AUTHORITY_INDEX_BEFORE')
    return undefined
  }
  const directory = build(commit)
  process.env.AUTHORITY_INDEX_BEFORE = directory
  return () => rmSync(directory, { recursive: true })
}
