/**
 * Apart from the work: the command line reads them for its help, and loads nothing else of a sync.
 */

export const publishSettings = ['publish', 'transferRate', 'fetchGrace'] as const

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
