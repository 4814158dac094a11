/** The `get` command: one request against the announced snapshot, without a server. */
import { randomFillSync } from 'node:crypto'
import { activate } from '../api/active-snapshot.ts'
import { Api } from '../api/api.ts'
import { RequestIds } from '../api/pipeline/request-ids.ts'
import { Refusal } from '../problems.ts'
import { readChain } from '../snapshot/changes/change-directory.ts'
import { announcedId, loadForAnswers } from '../snapshot/store/directory.ts'
import { snapshotsOrExample } from '../snapshot/store/example.ts'
import type { CommandRun } from './command.ts'

export const getCommand: CommandRun<'get'> = ({ operands: [target = ''], values, terminal }) => {
  const snapshots = snapshotsOrExample(values.snapshots, terminal.report)
  const id = announcedId(snapshots)
  const served =
    id && activate(loadForAnswers(snapshots, id), { changes: readChain(snapshots, id).files })
  const api = new Api({
    served: () => served || undefined,
    clock: () => performance.now(),
    ids: new RequestIds(randomFillSync),
    onError: (error) => {
      throw error
    },
  })
  const question = target.indexOf('?')
  const path = question < 0 ? target : target.slice(0, question)
  const query = question < 0 ? '' : target.slice(question + 1)
  const { status, body } = api.answer({ method: 'GET', path, query })
  terminal.print(Buffer.from(body).toString())
  if (status !== 200) throw new Refusal('request-failed', `answered with status ${status}`)
}
