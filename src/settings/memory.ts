/** The settings of what a service keeps in memory of a snapshot. */
import { choice } from './kinds.ts'

export const memorySettings = {
  texts: choice(
    'PLACE',
    ['memory', 'disk'],
    'memory',
    'where the texts of people are while they are served',
  ),
} as const
