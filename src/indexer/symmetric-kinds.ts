/** The kinds of connections that endorse both ends. */
import { type ConnectionKind, connectionKinds } from '../connection-kinds.ts'

const symmetry: Readonly<Record<ConnectionKind, boolean>> = {
  follows: false,
  mentions: false,
  co_membership: true,
  coauthor: true,
  collaborates: true,
}

export const areSymmetric: readonly boolean[] = connectionKinds.map((kind) => symmetry[kind])
