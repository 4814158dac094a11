/** What only many swaps show. */
import { join } from 'node:path'
import { expect, it } from 'vitest'
import { announce, publish } from '../../../src/snapshot/store/directory.ts'
import { temporaryDirectory } from '../../support/built.ts'
import { operate, peopleNamed, until } from '../../support/operated.ts'
import { residentBytes } from '../../support/processes/proc.ts'

it('memory stays level, 100 swaps over', async () => {
  const directory = join(temporaryDirectory(), 'snapshots')
  const ids = ['First', 'Second'].map((word) => {
    const snapshot = peopleNamed(word, 4_000)
    publish(directory, snapshot)
    return snapshot.header.id
  }) as [string, string]
  announce(directory, ids[0])
  const service = await operate(directory, ['--threads', '1'])
  const resident: number[] = []
  for (let swap = 1; swap <= 100; swap += 1) {
    const id = ids[swap % 2]!
    announce(directory, id)
    await until(async () => (await service.readiness()).snapshot_id === id)
    resident.push(residentBytes(service.child.pid!).now)
  }
  // The heap and the compiled code of the first swaps stay: memory is level from then on. Half a
  // megabyte lost at each swap would be 40 megabytes more after eighty. The least of ten, because
  // the thread that loads comes and goes with some megabytes of its own.
  const onceWarm = Math.min(...resident.slice(10, 20))
  expect(Math.min(...resident.slice(-10))).toBeLessThan(onceWarm + 80 * 2 ** 19)
})
