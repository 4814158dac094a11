/** The single file: that it unpacks, and runs what is whole; where to is for `unit/process/cached-tool.test.ts` to say. */
import { spawnSync } from 'node:child_process'
import { chmodSync, copyFileSync, mkdirSync, readdirSync, symlinkSync, truncateSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, it } from 'vitest'
import { temporaryDirectory } from '../../support/built.ts'

const executable = join(import.meta.dirname, '..', '..', '..', 'release', 'authority-index')

/** What it needs to know of its surroundings, all of it below one directory. */
function environment(place: string, changes: Record<string, string> = {}) {
  return { XDG_CACHE_HOME: join(place, 'cache'), HOME: place, TMPDIR: place, ...changes }
}

function help(env: Record<string, string>) {
  const { status, stdout, stderr } = spawnSync(executable, ['--help'], { env, encoding: 'utf8' })
  return { status, isHelp: stdout.startsWith('authority-index COMMAND'), stderr }
}

const fine = { status: 0, isHelp: true, stderr: '' }

describe('the single file', () => {
  it('unpacks once, named by its content, and leaves nothing beside', () => {
    const place = temporaryDirectory()
    expect(help(environment(place))).toEqual(fine)
    expect(help(environment(place))).toEqual(fine)
    const cache = join(place, 'cache', 'authority-index')
    expect(readdirSync(cache)).toEqual([expect.stringMatching(/^[0-9a-f]{32}$/)])
    expect(readdirSync(place)).toEqual(['cache'])
  })

  it('unpacks again over what is damaged', () => {
    const place = temporaryDirectory()
    help(environment(place))
    const cache = join(place, 'cache', 'authority-index')
    truncateSync(join(cache, readdirSync(cache)[0]!, 'main.js'), 10)
    expect(help(environment(place))).toEqual(fine)
  })

  it.runIf(process.getuid?.() === 0)(
    'runs as a user that the system has no entry of (tried as root)',
    () => {
      const place = temporaryDirectory()
      const own = join(place, 'authority-index')
      copyFileSync(executable, own)
      chmodSync(place, 0o777)
      const options = {
        env: { TMPDIR: place },
        uid: 54_321,
        gid: 54_321,
        encoding: 'utf8',
      } as const
      const { status, stderr } = spawnSync(own, ['--version'], options)
      expect([status, stderr]).toEqual([0, ''])
    },
  )

  it('says in one line that it can unpack nowhere', () => {
    const nowhere = '/dev/null/nowhere'
    const { status, stderr } = help({ XDG_CACHE_HOME: nowhere, HOME: nowhere, TMPDIR: nowhere })
    expect(status).toBe(1)
    expect(stderr).toMatch(/^nowhere to unpack to; set XDG_CACHE_HOME: [^\n]+\n$/)
  })

  it('has the SDK of S3 in it, which is loaded for an address of a bucket', () => {
    const place = temporaryDirectory()
    const nobody = { AWS_ENDPOINT_URL: 'http://127.0.0.1:1', AWS_ACCESS_KEY_ID: 'a' }
    const env = environment(place, { ...nobody, AWS_SECRET_ACCESS_KEY: 'b' })
    const words = [
      'snapshot',
      'pull',
      's3://bucket/prefix',
      '--snapshots',
      join(place, 'snapshots'),
    ]
    const { status, stderr } = spawnSync(executable, words, { env, encoding: 'utf8' })
    expect(status).toBe(1)
    expect(stderr).toContain('s3://bucket/prefix/CURRENT: connect ECONNREFUSED 127.0.0.1:1')
  })

  it('is found by any name and from any directory', () => {
    const place = temporaryDirectory()
    mkdirSync(join(place, 'bin'))
    symlinkSync(executable, join(place, 'bin', 'index'))
    const env = environment(place)
    const { status } = spawnSync('./index', ['--help'], { env, cwd: join(place, 'bin') })
    expect(status).toBe(0)
  })
})
