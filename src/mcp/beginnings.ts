/** The snapshots that a question for changes may begin at. A model knows no id by itself, so a refusal names them. */
import { operations } from '../operations.ts'
import type { Answer, AnswerSource } from './answer-source.ts'

interface ListedSnapshot {
  readonly id: string
  readonly parent: string | null
  readonly published_at: string | null
  readonly created_at: string | null
}

/** Beside them the oldest in the list is named. */
const latestMax = 8

/** The default beginning of changes: the snapshot before the newest. */
export async function newestBeginning(source: AnswerSource): Promise<{ readonly since?: string }> {
  const [newest] = await snapshotsOf(source)
  const since = newest?.parent ?? newest?.id
  return since === undefined ? {} : { since }
}

/** Whether a refusal of changes is about their beginning: of another form, or older than the known snapshots. */
export function isAboutBeginning({ status, json }: Answer): boolean {
  return status === 410 || (status === 400 && String(json.detail).startsWith('since '))
}

/** One or two sentences for a model. */
export async function knownBeginnings(source: AnswerSource): Promise<string> {
  const form = '`since` is the id of a snapshot (32 hexadecimal digits), not a date.'
  const all = await snapshotsOf(source)
  if (all.length === 0) return form
  const named = all.slice(0, latestMax).map(worded)
  const [oldest] = all.slice(latestMax).slice(-1)
  const end = oldest === undefined ? '' : `; the oldest listed: ${worded(oldest)}`
  return `${form} Known snapshots, the newest first: ${named.join(', ')}${end}.`
}

/** `932a…` or `932a… (2026-11-26T01:00:00Z)`. */
function worded({ id, published_at: published, created_at: created }: ListedSnapshot): string {
  const at = published ?? created
  return at === null ? id : `${id} (${at})`
}

/** Empty if the service does not answer. */
async function snapshotsOf(source: AnswerSource): Promise<readonly ListedSnapshot[]> {
  // Without the key of the question that was refused.
  const asked = { path: operations.snapshots.paths[0], query: '', idempotencyKey: '' }
  const { json } = await source.ask(asked)
  return (json.results ?? []) as readonly ListedSnapshot[]
}
