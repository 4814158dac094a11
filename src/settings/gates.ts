/** The gates: how much a sync may reject and change until it publishes nothing. One setting names those that are moved. */
import { byName, integer, type Setting, share } from './kinds.ts'

export const gates = {
  rejectShareMax: share('SHARE', 0.01, 'share of rejected records above which a sync fails'),
  fileRejectShareMax: share('SHARE', 0.05, 'the same for each file, of any size'),
  leftOutShareMax: share('SHARE', 0.25, 'fields left out for each record; not of a first sync'),
  danglingShareMax: share('SHARE', 0.5, 'share of connections with an end that no record has'),
  authoritiesChangeMax: share('SHARE', 0.2, 'share of the people who may go, and who may be new'),
  newcomersApartMax: integer(
    'N',
    { min: 0, max: 1_000_000_000 },
    20,
    'new people who may be connected with new people only',
  ),
  namesChangeMax: share('SHARE', 0.1, 'share of people whose name may change'),
  sameNameMax: share('SHARE', 0.02, 'share of people who may newly share one name'),
  sameValueMax: share('SHARE', 0.2, 'share of people who may newly share one bio, country, …'),
  textFaultsMax: share('SHARE', 0.01, 'share of people whose texts or dates may become faulty'),
  profilesChangeMax: share('SHARE', 0.5, 'share of bios, countries, … that may change or go'),
  handlesChangeMax: share('SHARE', 0.2, 'share of handles that may go, come or change owners'),
  connectionsChangeMax: share('SHARE', 0.3, 'share of peers who may go'),
  topicsChangeMax: share('SHARE', 0.2, 'share of topics and aliases that may go, or be new'),
  topicMembersChangeMax: share('SHARE', 0.4, 'share of the members of one topic who may change'),
  coreTopicsChangeMax: share('SHARE', 0.2, 'share of people whose core topic may be another'),
  scoresChangeMax: share('SHARE', 0.2, 'how far the distribution of scores may shift'),
} as const satisfies Readonly<Record<string, Setting<number>>>

export type GateName = keyof typeof gates

export type Gates = Readonly<Record<GateName, number>>

/** The name of a gate as it is typed: `rejectShareMax` is `reject-share-max`. */
export function gateName(name: GateName): string {
  return name.replace(/[A-Z]/g, (letter) => `-${letter.toLowerCase()}`)
}

export const gateSettings = {
  gate: byName<GateName>(
    'NAME=LIMIT',
    gates,
    gateName,
    'another limit of a gate of the sync, as handles-change-max=0.5; separated by commas, or once each',
  ),
}
