/**
 * The settings of a sync, apart from the work: the command line reads them for its help, and loads nothing else of it.
 */

/** The settings of what is announced in object storage. */
export const publishSettings = ['publish', 'transferRate', 'fetchGrace'] as const

/** The settings that limit change; each is a share of what there was before. */
export const changeSettings = [
  'authoritiesChangeMax',
  'newcomersApartMax',
  'namesChangeMax',
  'sameNameMax',
  'sameValueMax',
  'textFaultsMax',
  'profilesChangeMax',
  'handlesChangeMax',
  'connectionsChangeMax',
  'topicsChangeMax',
  'topicMembersChangeMax',
  'coreTopicsChangeMax',
  'firstThreeLeaveMax',
  'firstTenChangeMax',
  'answersChangeMax',
  'ordersChangeMax',
  'termsChangeMax',
  'scoresChangeMax',
] as const

/** The settings of a sync. */
export const syncSettings = [
  'source',
  'map',
  'snapshots',
  'removalKey',
  'keep',
  'history',
  ...publishSettings,
  'rejectShareMax',
  'fileRejectShareMax',
  'leftOutShareMax',
  'danglingShareMax',
  ...changeSettings,
  'lookalikes',
  'acceptHandle',
  'trust',
  'vetted',
  'sourceShareMax',
  'createdAt',
  'force',
] as const
