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
  textsCacheBytes: integer(
    'BYTES',
    { min: 1_048_576, max: 1_099_511_627_776 },
    268_435_456,
    'bytes of other texts that all threads together have in memory with --texts disk',
  ),
} as const
