/** The settings of what a service keeps in memory of a snapshot. */
import { choice, integer } from './kinds.ts'

/** A part of the table in `../settings.ts`. */
export const memorySettings = {
  texts: choice(
    'PLACE',
    ['memory', 'disk'],
    'memory',
    'where the texts of people are while they are served',
  ),
  textsFirst: integer(
    'N',
    { min: 0, max: 0xffff_ffff },
    10_000,
    'people, by authority score, whose texts are in memory with --texts disk',
  ),
} as const
