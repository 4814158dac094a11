/** All attacks and accidents that a service stands. */
import type { Attack } from './attack.ts'
import { accidents } from './attacks/accidents.ts'
import { bodyAttacks } from './attacks/bodies.ts'
import { headAttacks } from './attacks/heads.ts'
import { unreadAttacks } from './attacks/unread.ts'

/** All of them, each with a name of its own. */
export const attacks: readonly Attack[] = [
  ...unreadAttacks,
  ...headAttacks,
  ...bodyAttacks,
  ...accidents,
]
