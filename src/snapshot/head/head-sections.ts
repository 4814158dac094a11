/**
 * The sections that only a head has: a snapshot of the first people by authority score, whose other people stand in a
 * tail (`src/tail/`). Its other sections agree with each other as those of any snapshot do, so that ranks there are
 * places among its own people; these sections say the ranks among all.
 */

/** The names of the sections, behind those of every snapshot; all of them are columns of 32-bit numbers. */
export const headNames = [
  // By ordinal: the rank in the core topic among all its members.
  'head.core-ranks',
  // By position in `topic.members`: the rank among all members.
  'head.member-ranks',
  // The names of the tail, as `src/memory/sets/bloom.ts` keeps texts.
  'head.names-behind',
] as const

/** Numbers of the whole snapshot that a head was cut off; a snapshot that is no head has none of them. */
export type HeadCounts = {
  /** Its people. */
  readonly people?: number
  /** The first 32 bits of its id: so the id of a head stands for its tail, too. */
  readonly whole?: number
}

/** One of them. */
export type HeadName = (typeof headNames)[number]

/** Whether a section is one of a head. */
export function isHeadName(name: string): name is HeadName {
  return name.startsWith('head.')
}
