/** What an attack is: how the service is started for it, and what is done to the service. */

import type { Children } from '../processes/children.ts'
import type { Surroundings, Victim } from './victim.ts'

/** How much an attack does: enough to see that the service stands it, or as it is meant. */
export type AttackSize = 'tiny' | 'full'

/** Where an attack happens. */
export interface Place {
  /** Of the ledger; it exists, and is empty. */
  readonly data: string
  /** For files of the attack. */
  readonly directory: string
}

/** The service, and who is beside it. */
export interface Scene extends Place {
  readonly service: Victim
  readonly size: AttackSize
  readonly children: Children
  /** Of anything that an attack opens: called when it is over, the last one first. */
  readonly afterwards: (end: () => unknown) => void
}

/** What an attack has seen. */
export interface Seen {
  /** In words, for the table. */
  readonly seen: string
  /** Queries that the attack may have been charged for; none where absent. */
  readonly boughtMax?: number
}

/** One way to be abused, or one accident. */
export interface Attack {
  /** What is done, for the table. */
  readonly name: string
  /** Why it cannot be done here; undefined when it can. */
  readonly lack?: () => string | undefined
  /** Gets the place ready, and says how the service is started there. */
  readonly prepare?: (place: Place) => Surroundings
  /** What a client with manners may meet meanwhile beside answers of 200. */
  readonly allows?: 'nothing' | 'refusals' | 'cut connections'
  /** Returns when it is over. @throws Error when the service does what it must not. */
  readonly run: (scene: Scene) => Promise<Seen>
}
