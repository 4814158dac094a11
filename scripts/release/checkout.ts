/**
 * The checkout that is released: what forbids it, the clone in which everything is made, and how the commit and the
 * tag come home. Invariant: the checkout changes in the last step alone, when all files of the release are there.
 */
import { execFileSync } from 'node:child_process'
import { readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { breakingIn, dated, hasSection, unreleasedIn } from './changelog.ts'
import { run } from './commands.ts'
import { compareVersions, minorAfter, numbersOf, setVersion, versionsIn } from './version.ts'

/** A version that is to be released. */
export interface Plan {
  /** The checkout. */
  readonly root: string
  readonly version: string
  /** `2026-11-23`. */
  readonly day: string
  /** Seconds since 1970 that stand in files for the time: that of the commit. */
  readonly epoch: number
}

function git(root: string, ...words: string[]): string {
  return execFileSync('git', words, { cwd: root, encoding: 'utf8' }).trim()
}

/**
 * What is to be released.
 * @param wanted the version; undefined for the next minor one.
 * @throws Error that says in one sentence why nothing can be.
 */
export function planOf(root: string, wanted: string | undefined, day: string): Plan {
  const [current] = versionsIn(root)
  const apart = versionsIn(root).find(({ version }) => version !== current!.version)
  if (apart !== undefined) {
    throw new Error(
      `${apart.path} has version ${apart.version}, and package.json has ${current!.version}`,
    )
  }
  const version = wanted ?? minorAfter(current!.version)
  const changelog = readFileSync(join(root, 'CHANGELOG.md'), 'utf8')
  refuseVersion(root, version, current!.version, changelog)
  const changed = git(root, 'status', '--porcelain')
  if (changed !== '') {
    const files = changed.split('\n').length
    throw new Error(
      `the checkout is not clean, ${files} ${files === 1 ? 'file' : 'files'}: commit or remove them first`,
    )
  }
  return { root, version, day, epoch: Number(git(root, 'log', '-1', '--format=%ct')) }
}

function refuseVersion(root: string, version: string, current: string, changelog: string): void {
  if (git(root, 'tag', '--list', `v${version}`) !== '' || hasSection(changelog, version)) {
    throw new Error(`version ${version} exists already`)
  }
  if (compareVersions(version, current) <= 0) {
    throw new Error(`version ${version} does not come after ${current}`)
  }
  const section = unreleasedIn(changelog)
  if (section === '') {
    throw new Error(
      'CHANGELOG.md has nothing under "## Unreleased": a release says what it changes',
    )
  }
  const breaking = breakingIn(section).length
  const isPatch = numbersOf(version)[2] > 0
  if (isPatch && breaking > 0) {
    throw new Error(
      `version ${version} is a patch, and the changelog has ${breaking} breaking changes`,
    )
  }
}

/** Clones the checkout and commits the version there. */
export function cloneWithVersion({ root, version, day }: Plan, clone: string): void {
  run({ directory: root }, 'git', ['clone', '--quiet', '--no-hardlinks', root, clone])
  setVersion(clone, version)
  const path = join(clone, 'CHANGELOG.md')
  writeFileSync(path, dated(readFileSync(path, 'utf8'), version, day))
  const identity = ['name', 'email'].flatMap((each) => [
    '-c',
    `user.${each}=${identityOf(root, each)}`,
  ])
  run({ directory: clone }, 'git', [
    ...identity,
    'commit',
    '--quiet',
    '--all',
    `--message=Version ${version}`,
  ])
}

/** The author of the release commit; a dry run needs none. */
function identityOf(root: string, part: string): string {
  try {
    return git(root, 'config', `user.${part}`)
  } catch {
    return 'release'
  }
}

/** Takes the commit of the version into the checkout and tags it. */
export function bringHome({ root, version }: Plan, clone: string): void {
  run({ directory: root }, 'git', ['fetch', '--quiet', clone, 'HEAD'])
  run({ directory: root }, 'git', ['merge', '--quiet', '--ff-only', 'FETCH_HEAD'])
  run({ directory: root }, 'git', [
    'tag',
    '--annotate',
    `--message=Version ${version}`,
    `v${version}`,
  ])
}
