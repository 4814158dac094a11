/** What an attack is: how the service is started for it, and what is done to the service. */
import type { Socket } from 'node:net'
import type { Children } from '../processes/children.ts'
import type { Surroundings, Victim } from './victim.ts'

export type AttackSize = 'tiny' | 'full'

interface Place {
  /** Of the ledger; it exists, and is empty. */
  readonly data: string
  readonly directory: string
}

export interface Scene extends Place {
  readonly service: Victim
  readonly size: AttackSize
  readonly children: Children
  /** What the attack has opened: destroyed when it is over. */
  readonly sockets: Socket[]
}

export interface Attack {
  readonly name: string
  /** Why it cannot be done here; undefined when it can. */
  readonly lack?: () => string | undefined
  readonly prepare?: (place: Place) => Surroundings
  /** Whether connections of a client with manners may be cut meanwhile. */
  readonly allowsCuts?: true
  /** Queries that it may be charged for; none where absent. */
  readonly boughtMax?: (size: AttackSize) => number
  /** @throws Error when the service does what it must not. */
  readonly run: (scene: Scene) => Promise<void>
}
