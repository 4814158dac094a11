/** The `get` command: one request against the announced snapshot, without a server. */

import { announcedIn, localApi } from '../api/announced.ts'
import { Refusal } from '../problems.ts'
import { snapshotsOrExample } from '../snapshot/store/example.ts'
import type { CommandRun } from './command.ts'

export const getCommand: CommandRun<'get'> = async ({
  operands: [target = ''],
  values,
  terminal,
}) => {
  const directory = await snapshotsOrExample(values.snapshots, terminal.report)
  const api = localApi(announcedIn(directory))
  const question = target.indexOf('?')
  const path = question < 0 ? target : target.slice(0, question)
  const query = question < 0 ? '' : target.slice(question + 1)
  const { status, body } = api.answer({ method: 'GET', path, query })
  terminal.print(Buffer.from(body).toString())
  if (status !== 200) throw new Refusal('request-failed', `answered with status ${status}`)
}
