/** All attacks and accidents that a service stands. */
import type { Attack } from './attack.ts'
import { accidents } from './attacks/accidents.ts'
import { bodyAttacks } from './attacks/bodies.ts'
import { headAttacks } from './attacks/heads.ts'
import { unreadAttacks } from './attacks/unread.ts'

export const attacks: readonly Attack[] = [
  ...unreadAttacks,
  ...headAttacks,
  ...bodyAttacks,
  ...accidents,
]
