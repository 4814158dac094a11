/** One answer as it came over the wire, and the request that brings it. */
import { get } from 'node:http'

/** Headers in their order and spelling; the body as text. */
export interface Answer {
  readonly headers: readonly (readonly [name: string, value: string])[]
  readonly body: string
}

/** Asks a server on this machine once. Throws for any status but 200. */
export function fetchAnswer(port: number, path: string, key: string): Promise<Answer> {
  const headers = { authorization: `Bearer ${key}` }
  return new Promise((resolve, reject) => {
    const request = get({ host: '127.0.0.1', port, path, headers, agent: false }, (response) => {
      const chunks: Buffer[] = []
      response.on('data', (chunk: Buffer) => chunks.push(chunk))
      response.on('error', reject)
      response.on('end', () => {
        const body = Buffer.concat(chunks).toString()
        const { statusCode, rawHeaders } = response
        if (statusCode === 200) resolve({ headers: pairsOf(rawHeaders), body })
        else reject(new Error(`${path} was answered with ${statusCode}: ${body.slice(0, 500)}`))
      })
    })
    request.on('error', reject)
  })
}

function pairsOf(rawHeaders: readonly string[]): [string, string][] {
  const names = rawHeaders.filter((_, index) => index % 2 === 0)
  return names.map((name, index) => [name, rawHeaders[2 * index + 1]!])
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
