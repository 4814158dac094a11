/**
 * Differences of a snapshot from the one before that are larger than a source can cause in a day.
 * Facts that went or came with a person are counted with the person.
 */
import { type GateName, type Gates, gateName, gates } from '../../settings/gates.ts'
import { claimChanges, kindChanges, peersGone } from './claim-changes.ts'
import { type Pair, shareOf } from './pair.ts'
import { groupGone, islanders, peopleTwice } from './people-changes.ts'
import { followersRescaled, profileChanges } from './profile-changes.ts'
import { scoreChanges } from './score-changes.ts'
import {
  aliasesGone,
  coreTopicsChanged,
  membersChanged,
  namesTaken,
  topicsGone,
  topicsNew,
} from './topic-changes.ts'

/** The amount is a number of people, or a share of what existed before. */
type Change = readonly [what: string, how: string, amount: number, limit: GateName]

export interface Comparison {
  readonly pair: Pair
  readonly nowMs: number
}

/** Each that exceeds its limit, in a sentence. Takes seconds for a million people. */
export function changeProblems(comparison: Comparison, limits: Gates): string[] {
  const names = namesTaken(comparison.pair)
  const changes = changesOf(comparison, limits)
    .filter(([, , amount, gate]) => amount > limits[gate])
    .map(([what, how, amount, gate]) => {
      const most = `${amountOf(limits[gate], gate)} at most (--gate ${gateName(gate)})`
      return `${what}: ${amountOf(amount, gate)} ${how}, ${most}`
    })
  return names === undefined ? changes : [...changes, names]
}

function amountOf(value: number, gate: GateName): string {
  return gates[gate].placeholder === 'N' ? String(value) : percent(value)
}

function percent(value: number): string {
  return `${(value * 100).toFixed(1)} %`
}

function changesOf({ pair, nowMs }: Comparison, limits: Gates): Change[] {
  const people = pair.successors.length
  const gone = shareOf(people - pair.stayed, people)
  const added = shareOf(pair.predecessors.length - pair.stayed, people)
  const { changed, faulty, filled } = profileChanges(pair, nowMs)
  const claims = claimChanges(pair)
  const scores = scoreChanges(pair)
  const kinds = kindChanges(pair)
  const topic = membersChanged(pair)
  const group = groupGone(pair, limits.authoritiesChangeMax)
  const twice = peopleTwice(pair, limits.sameNameMax)
  return [
    ['authorities', 'gone', gone, 'authoritiesChangeMax'],
    ['authorities', 'new', added, 'authoritiesChangeMax'],
    [`people with the word ${group.word}`, 'gone', group.share, 'authoritiesChangeMax'],
    ['names', 'changed', changed('name'), 'namesChangeMax'],
    ['one name', 'more carry it', filled('name'), 'sameNameMax'],
    ['one bio', 'more have it', filled('bio'), 'sameValueMax'],
    ['one country', 'more have it', filled('country'), 'sameValueMax'],
    ['one list of topics', 'more have it', filled('topics'), 'sameValueMax'],
    ['one website', 'more have it', filled('website'), 'sameValueMax'],
    ['people', 'new by the name of another', twice, 'sameNameMax'],
    ['texts', 'spoiled', faulty('spoiled'), 'textFaultsMax'],
    ['texts', 'a placeholder now', faulty('placeholder'), 'textFaultsMax'],
    ['records', 'of a date in the future', faulty('future'), 'textFaultsMax'],
    ['bios', 'changed', changed('bio'), 'profilesChangeMax'],
    ['countries', 'changed', changed('country'), 'profilesChangeMax'],
    ['websites', 'changed', changed('website'), 'profilesChangeMax'],
    ['countries', 'gone', faulty('country gone'), 'textFaultsMax'],
    ['lists of topics', 'changed', changed('topics'), 'profilesChangeMax'],
    ['followers', 'gone', changed('followers'), 'profilesChangeMax'],
    ['followers', 'ten times as many or a tenth', followersRescaled(pair), 'scoresChangeMax'],
    ['handles', 'gone', claims.gone, 'handlesChangeMax'],
    ['handles', 'new', claims.new, 'handlesChangeMax'],
    ['peers', 'gone', peersGone(pair), 'connectionsChangeMax'],
    ['handles of connections', 'gone', claims.unownedGone, 'connectionsChangeMax'],
    ['endorsements of one kind', 'gone', kinds.gone, 'connectionsChangeMax'],
    ['endorsements of one kind', 'more of all', kinds.grown, 'connectionsChangeMax'],
    [`members of ${topic.label}`, 'changed', topic.share, 'topicMembersChangeMax'],
    ['topics', 'gone', topicsGone(pair), 'topicsChangeMax'],
    ['topics', 'new', topicsNew(pair), 'topicsChangeMax'],
    ['aliases', 'gone', aliasesGone(pair), 'topicsChangeMax'],
    ['core topics', 'changed', coreTopicsChanged(pair), 'coreTopicsChangeMax'],
    ['scores', 'shifted', scores.shifted, 'scoresChangeMax'],
    ['people by score', 'moved', scores.moved, 'scoresChangeMax'],
    ['new people', 'connected with new ones only', islanders(pair), 'newcomersApartMax'],
  ]
}
