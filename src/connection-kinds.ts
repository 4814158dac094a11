/** The kinds of connections, as records write, snapshots keep and answers show them. */

/** The kinds; `follows` and `mentions` are directed, the others hold both ways. */
export const connectionKinds = [
  'follows',
  'mentions',
  'co_membership',
  'coauthor',
  'collaborates',
] as const

export type ConnectionKind = (typeof connectionKinds)[number]

export function kindNumberOf(kind: ConnectionKind): number {
  return connectionKinds.indexOf(kind)
}
