/**
 * The settings of a sync, apart from the work: the command line reads them for its help, and loads nothing else of it.
 */

/** The settings of what is announced in object storage. */
export const publishSettings = ['publish', 'transferRate', 'fetchGrace'] as const

/** The settings of a sync. */
export const syncSettings = [
  'source',
  'map',
  'snapshots',
  'removalKey',
  'keep',
  'history',
  ...publishSettings,
  'gate',
  'lookalikes',
  'acceptHandle',
  'trust',
  'vetted',
  'sourceShareMax',
  'createdAt',
  'force',
] as const
