/** One answer as it came over the wire, and the request that brings it. */
import { getRequest } from '../../test/support/processes/answer-reader.ts'
import { Connection } from '../../test/support/processes/connection.ts'

export interface Answer {
  readonly headers: readonly (readonly [name: string, value: string])[]
  readonly body: string
}

/** @throws Error for any status but 200. */
export async function fetchAnswer(port: number, path: string, key: string): Promise<Answer> {
  const connection = await Connection.open(port)
  const answer = await connection.ask(getRequest(path, key))
  connection.close()
  const body = answer?.body.toString() ?? ''
  if (answer?.status !== 200) {
    throw new Error(`${path} was answered with ${answer?.status}: ${body.slice(0, 500)}`)
  }
  const lines = answer.head.split('\r\n').slice(1)
  return { headers: lines.map((line) => splitAt(line, ': ')), body }
}

function splitAt(line: string, separator: string): [string, string] {
  const at = line.indexOf(separator)
  return [line.slice(0, at), line.slice(at + separator.length)]
}

/** Of the answers to these paths, the one whose body is nearest to their mean size. */
export async function typicalAnswer(
  port: number,
  paths: readonly string[],
  key: string,
): Promise<Answer> {
  const answers: Answer[] = []
  for (const path of paths) answers.push(await fetchAnswer(port, path, key))
  const sizes = answers.map(({ body }) => Buffer.byteLength(body))
  const mean = sizes.reduce((sum, size) => sum + size, 0) / sizes.length
  const distances = sizes.map((size) => Math.abs(size - mean))
  return answers[distances.indexOf(Math.min(...distances))]!
}
