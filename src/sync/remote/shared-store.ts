/**
 * The object storage of a snapshot directory: nothing is announced in the directory that did not
 * win there, and what others have announced there is here before anything is compared.
 */
import { setTimeout as sleep } from 'node:timers/promises'
import { openBucket } from '../../objects/object-address.ts'
import { Pace } from '../../objects/patience.ts'
import type { RetryPolicy } from '../../objects/read-with-resume.ts'
import { Refusal } from '../../problems.ts'
import type { Values } from '../../settings.ts'
import { announce } from '../../snapshot/store/directory.ts'
import { orStoreRefused } from '../../snapshot/store/system-errors.ts'
import type { Progress } from '../progress.ts'
import type { publishSettings } from '../sync-settings.ts'
import { mirroredNumber, noteMirrored } from './download.ts'
import { listedAnnouncement } from './last-announcement.ts'
import { isUnreadable, Mirror } from './mirror.ts'
import { Publisher } from './publisher.ts'
import { putSyncStatus } from './sync-status.ts'

interface SharedOptions extends Values<(typeof publishSettings)[number] | 'snapshots' | 'keep'> {
  /** What was announced there need not be readable. */
  readonly force?: boolean
  readonly clock: () => number
  readonly progress: Progress
}

/** @param report called with one line for every interruption. */
export function steadinessOf(
  transferRate: number,
  clock: () => number,
  report: (line: string) => void,
): RetryPolicy {
  const pace = new Pace(transferRate, clock, sleep)
  return { sleep, random: Math.random, pace, report }
}

export type SharedStore = Awaited<ReturnType<typeof openShared>>

/**
 * The process works in the directory alone.
 * @throws Refusal `wrong-usage`, `storage-refused`.
 */
export async function openShared(options: SharedOptions) {
  const { publish, snapshots: directory, keep, transferRate, fetchGrace, clock, progress } = options
  const objects = await openBucket(publish)
  const steadiness = steadinessOf(transferRate, clock, progress.note)
  const common = { store: objects, directory, keep, steadiness, clock }
  const publisher = new Publisher({ ...common, graceMs: fetchGrace })
  const mirror = new Mirror({
    ...common,
    activateAfterMs: 0,
    // The announcer holds the directory already.
    holding: (_, work) => orStoreRefused(directory, work),
    findLast: (known) => listedAnnouncement(objects, known, steadiness),
    onChange: ({ share }) => share !== undefined && progress.update(share),
  })
  const announceBehind = async (id: string, behind: number | undefined): Promise<boolean> => {
    progress.phase(`announcing in ${objects.name}`)
    const { number, isNew } = await publisher.announce(id, progress.update, behind)
    announce(directory, id)
    noteMirrored(directory, objects.name, number)
    return isNew
  }
  return {
    address: objects.name,
    get number() {
      return mirroredNumber(directory, objects.name)
    },
    /** Behind the announcement that the directory has. */
    announce: async (id: string): Promise<void> => {
      await announceBehind(id, mirroredNumber(directory, objects.name))
    },
    /** Behind the last announcement. @returns whether the storage had not announced it yet. */
    push: (id: string) => announceBehind(id, undefined),
    prove: () => publisher.prove(),
    /** A failure is noted and ends nothing. */
    reportSync: async (): Promise<void> => {
      try {
        await putSyncStatus(objects, directory)
      } catch (error) {
        if (!(error instanceof Refusal)) throw error
        progress.note(`${error.message}; services do not learn how this sync ended`)
      }
    },
    catchUp: async (): Promise<void> => {
      progress.phase(`looking what ${objects.name} has`)
      try {
        await mirror.look()
      } catch (error) {
        if (options.force !== true || !isUnreadable(error)) throw error
        progress.note(`${error.message}; going on behind it`)
        noteMirrored(directory, objects.name, mirror.state.announced)
      }
    },
  }
}
