/** Files of changes that come and go beside the snapshot that is served. */
import { mkdirSync, rmSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test, vi } from 'vitest'
import { ChangesFollower } from '../../../src/service/changes-follower.ts'
import { temporaryDirectory } from '../../support/built.ts'

/** A directory with two files of changes, and a follower whose first load `meanwhile` comes in between. */
function followerOf(meanwhile: (first: string) => void) {
  const directory = temporaryDirectory()
  mkdirSync(join(directory, 'changes'))
  const paths = [1, 2].map((n) =>
    join(directory, 'changes', `0000000${n}-${String(n).repeat(32)}-0.msgpack`),
  )
  for (const path of paths) writeFileSync(path, 'x')
  const [report, take] = [vi.fn(), vi.fn()]
  let loads = 0
  const load = async () => {
    loads += 1
    if (loads === 1) meanwhile(paths[0]!)
    return { files: [], broken: loads === 1 ? 'no such file of changes' : undefined } as never
  }
  return { follower: new ChangesFollower({ directory, load, take, report }), report, take }
}

test('a file that expires while it is read is no fault: the next look reads those that are left', async () => {
  const { follower, report, take } = followerOf((path) => rmSync(path))
  await follower.look('0'.repeat(32))
  expect([report, take].map(({ mock }) => mock.calls.length)).toEqual([0, 0])
  await follower.look('0'.repeat(32))
  expect([report, take].map(({ mock }) => mock.calls.length)).toEqual([0, 1])
})

test('a file at fault that is there is told of, once, and the others are served', async () => {
  const { follower, report, take } = followerOf(() => {})
  await follower.look('0'.repeat(32))
  await follower.look('0'.repeat(32))
  expect([report, take].map(({ mock }) => mock.calls.length)).toEqual([1, 1])
})
