/** What is kept between runs: whole, the user's own, made once, wherever there is a place. */
import { chmodSync, existsSync, mkdirSync, readdirSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, it } from 'vitest'
import { type CachedTool, cacheDirectoriesOf, keep } from '../../../src/process/cached-tool.ts'
import { temporaryDirectory } from '../../support/built.ts'

const userId = process.getuid!()

function newKeepsake(fill: (directory: string) => Promise<void> | void = () => {}) {
  let fills = 0
  const keepsake: CachedTool = {
    name: 'kept',
    isWhole: (directory) => readFileSync(join(directory, 'file'), 'utf8') === 'whole',
    fill: async (directory) => {
      fills += 1
      await fill(directory)
      writeFileSync(join(directory, 'file'), 'whole')
    },
  }
  return { keepsake, fills: () => fills }
}

describe('the places of a cache', () => {
  const places = (cacheHome?: string) =>
    cacheDirectoriesOf({ env: { XDG_CACHE_HOME: cacheHome }, getuid: () => 7 }, '/home/me', '/tmp')
  const others = ['/home/me/.cache/authority-index', '/tmp/authority-index-7']

  it('are what the environment says, the home, the temporary directory', () => {
    expect(places('/cache')).toEqual(['/cache/authority-index', ...others])
  })

  it.each([undefined, '', 'relative'])('are not %j, which is no absolute path', (cacheHome) => {
    expect(places(cacheHome)).toEqual(others)
  })
})

describe('a directory that is kept', () => {
  it('is filled once, and nothing is left beside it', async () => {
    const place = join(temporaryDirectory(), 'new')
    const { keepsake, fills } = newKeepsake()
    const directory = join(place, 'kept')
    expect(await keep(keepsake, [place], userId)).toBe(directory)
    expect(await keep(keepsake, [place], userId)).toBe(directory)
    expect([fills(), readdirSync(place)]).toEqual([1, ['kept']])
  })

  it('is one whoever makes it first, and is whole for everybody', async () => {
    const place = temporaryDirectory()
    const { keepsake } = newKeepsake()
    const made = await Promise.all(Array.from({ length: 8 }, () => keep(keepsake, [place], userId)))
    expect(new Set(made)).toEqual(new Set([join(place, 'kept')]))
    expect(keepsake.isWhole(made[0]!)).toBe(true)
    expect(readdirSync(place)).toEqual(['kept'])
  })

  it('is made again where it is damaged', async () => {
    const place = temporaryDirectory()
    const { keepsake, fills } = newKeepsake()
    writeFileSync(join(await keep(keepsake, [place], userId), 'file'), 'damaged')
    expect(keepsake.isWhole(await keep(keepsake, [place], userId))).toBe(true)
    expect([fills(), readdirSync(place)]).toEqual([2, ['kept']])
  })

  it('is not where others can write, but in the next place', async () => {
    const [open, next] = [temporaryDirectory(), temporaryDirectory()]
    const { keepsake } = newKeepsake()
    await keep(keepsake, [open], userId)
    chmodSync(open, 0o777)
    expect(await keep(keepsake, [open, next], userId)).toBe(join(next, 'kept'))
  })

  it('is there all the same on Windows, whose processes have no number of their user', async () => {
    const place = temporaryDirectory()
    chmodSync(place, 0o777)
    expect(await keep(newKeepsake().keepsake, [place], undefined)).toBe(join(place, 'kept'))
  })

  it('is in the next place where one cannot be written', async () => {
    const place = temporaryDirectory()
    const { keepsake } = newKeepsake()
    expect(await keep(keepsake, ['/dev/null/nowhere', place], userId)).toBe(join(place, 'kept'))
  })

  it('is nowhere without a place, and the refusal says why of each', async () => {
    const places = ['/dev/null/one', '/dev/null/two']
    await expect(keep(newKeepsake().keepsake, places, userId)).rejects.toMatchObject({
      code: 'no-cache',
      message: expect.stringMatching(/set XDG_CACHE_HOME: .*null.*; .*null[^\n]*$/),
    })
  })

  it('is not there when what fills it fails, and no other place is tried', async () => {
    const [place, next] = [temporaryDirectory(), join(temporaryDirectory(), 'next')]
    const failing = newKeepsake(() => Promise.reject(new Error('no network')))
    await expect(keep(failing.keepsake, [place, next], userId)).rejects.toThrow('no network')
    expect([readdirSync(place), existsSync(next), failing.fills()]).toEqual([[], false, 1])
  })

  it('is tried in the next place when the disk of the first is full', async () => {
    const [place, next] = [temporaryDirectory(), temporaryDirectory()]
    const { keepsake } = newKeepsake((directory) => {
      if (directory.startsWith(place)) mkdirSync('/dev/null/full')
    })
    expect(await keep(keepsake, [place, next], userId)).toBe(join(next, 'kept'))
  })
})
