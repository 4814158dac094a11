/**
 * Differences of a snapshot from the one before that are larger than a source can cause in a day: one row for
 * each thing that a source can lose or mix up. Facts that went or came with a person are counted with the person.
 */
import { type GateName, type Gates, gateName } from '../../settings/gates.ts'
import { tableOf } from '../../snapshot/text-tables.ts'
import { claimChanges, peersGone } from './claim-changes.ts'
import { entriesIn, type Pair, shareOf } from './pair.ts'
import { followersRescaled, profileChanges } from './profile-changes.ts'
import { scoreChanges } from './score-changes.ts'
import type { AnswerChanges } from './single/first-answers.ts'
import { leadersLost } from './single/first-three.ts'
import { groupGone } from './single/groups.ts'
import { kindChanges } from './single/kind-changes.ts'
import { islanders, peopleTwice } from './single/newcomers.ts'
import { membersChanged, namesTaken } from './single/topic-members.ts'
import { pairsExchanged } from './stability.ts'
import {
  aliasesGone,
  coreTopicsChanged,
  firstTensChanged,
  topicsGone,
  topicsNew,
} from './topic-changes.ts'

/** A change: its subject, what happened to it, its share of what existed before, and the gate that limits it. */
type Change = readonly [what: string, how: string, share: number, limit: GateName]

/** Two snapshots, and further facts for their comparison. */
export interface Comparison {
  readonly pair: Pair
  /** Changes of the first answers, when both snapshots are asked the same. */
  readonly answers: AnswerChanges
  /** Milliseconds since the epoch. */
  readonly nowMs: number
}

/**
 * Describes each change that exceeds its limit, in a sentence. Takes seconds for a million people.
 */
export function changeProblems(comparison: Comparison, limits: Gates): string[] {
  return [...shareProblems(comparison, limits), ...singleProblems(comparison.pair, limits)]
}

/** Describes changes that one record or one topic can cause, and that a share of all would not show. */
function singleProblems(pair: Pair, limits: Gates): string[] {
  const { newcomersApartMax, firstThreeLeaveMax } = limits
  const most = (limit: 'newcomersApartMax' | 'firstThreeLeaveMax') =>
    `${limits[limit]} at most (--gate ${gateName(limit)})`
  const apart = islanders(pair)
  const leaders = leadersLost(pair)
  const names = namesTaken(pair)
  return [
    ...(apart > newcomersApartMax
      ? [`new people: ${apart} connected with new ones only, ${most('newcomersApartMax')}`]
      : []),
    ...(leaders.count > firstThreeLeaveMax
      ? [
          `first three of ${leaders.label}: ${leaders.count} left its first half, ${most('firstThreeLeaveMax')}`,
        ]
      : []),
    ...(names === undefined ? [] : [names]),
  ]
}

function shareProblems(comparison: Comparison, limits: Gates): string[] {
  return changesOf(comparison, limits)
    .filter(([, , share, limit]) => share > limits[limit])
    .map(([what, how, share, limit]) => {
      const most = `${percent(limits[limit])} at most (--gate ${gateName(limit)})`
      return `${what}: ${percent(share)} ${how}, ${most}`
    })
}

function percent(value: number): string {
  return `${(value * 100).toFixed(1)} %`
}

function changesOf({ pair, answers, nowMs }: Comparison, limits: Gates): Change[] {
  const people = pair.successors.length
  const gone = shareOf(people - pair.stayed, people)
  const added = shareOf(pair.predecessors.length - pair.stayed, people)
  const { changed, faulty, countriesGone, filled } = profileChanges(pair, nowMs)
  const claims = claimChanges(pair)
  const terms = termChanges(pair)
  const scores = scoreChanges(pair)
  const kinds = kindChanges(pair)
  const topic = membersChanged(pair)
  const group = groupGone(pair, limits.authoritiesChangeMax)
  const twice = peopleTwice(pair, limits.sameNameMax)
  return [
    ['authorities', 'gone', gone, 'authoritiesChangeMax'],
    ['authorities', 'new', added, 'authoritiesChangeMax'],
    [`people with the word ${group.word}`, 'gone', group.share, 'authoritiesChangeMax'],
    ['names', 'changed', changed.name, 'namesChangeMax'],
    ['one name', 'more carry it', filled.name, 'sameNameMax'],
    ['one bio', 'more have it', filled.bio, 'sameValueMax'],
    ['one country', 'more have it', filled.country, 'sameValueMax'],
    ['one list of topics', 'more have it', filled.topics, 'sameValueMax'],
    ['one website', 'more have it', filled.website, 'sameValueMax'],
    ['people', 'new by the name of another', twice, 'sameNameMax'],
    ['texts', 'spoiled', faulty.spoiled, 'textFaultsMax'],
    ['texts', 'a placeholder now', faulty.placeholder, 'textFaultsMax'],
    ['records', 'of a date in the future', faulty.future, 'textFaultsMax'],
    ['bios', 'changed', changed.bio, 'profilesChangeMax'],
    ['countries', 'changed', changed.country, 'profilesChangeMax'],
    ['websites', 'changed', changed.website, 'profilesChangeMax'],
    ['countries', 'gone', countriesGone, 'textFaultsMax'],
    ['lists of topics', 'changed', changed.topics, 'profilesChangeMax'],
    ['followers', 'gone', changed.followers, 'profilesChangeMax'],
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
    ['first ten of the large topics', 'changed', firstTensChanged(pair), 'firstTenChangeMax'],
    ['first answers to names of the best', 'changed', answers.names, 'answersChangeMax'],
    ['first answers to large topics', 'changed', answers.topics, 'answersChangeMax'],
    ['orders of the large topics', 'exchanged', pairsExchanged(pair), 'ordersChangeMax'],
    ['terms', 'gone', terms.gone, 'termsChangeMax'],
    ['terms', 'new', terms.new, 'termsChangeMax'],
    ['scores', 'shifted', scores.shifted, 'scoresChangeMax'],
    ['people by score', 'moved', scores.moved, 'scoresChangeMax'],
  ]
}

/** Search terms that are gone and that are new, as shares of the terms before. */
function termChanges({ before, next }: Pair): { readonly gone: number; readonly new: number } {
  const found = entriesIn(tableOf(before, 'term'), tableOf(next, 'term'))
  const kept = found.filter((term) => term >= 0).length
  return {
    gone: shareOf(found.length - kept, found.length),
    new: shareOf(next.header.counts.terms - kept, found.length),
  }
}
