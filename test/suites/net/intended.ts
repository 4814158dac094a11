/**
 * The differences between two builds that are intended. The net passes over a difference that a row
 * of this list describes, and over no other. The list is empty between two changes of the interface.
 */
import type { Difference } from './comparison.ts'

/** One intended difference. */
interface Intended {
  /** Why the newer build may answer differently: one sentence. */
  readonly reason: string
  /** Whether a difference is this one. Describe both answers as closely as possible. */
  readonly covers: (difference: Difference) => boolean
}

/** The intended differences. */
export const intended: readonly Intended[] = [
  {
    reason: 'reason phrases are those of node:http, for routes as for /mcp: 413 has another one',
    covers: ({ before, after }) =>
      before.status === 413 &&
      before.head[0] === 'HTTP/1.1 413 Content Too Large' &&
      after.head[0] === 'HTTP/1.1 413 Payload Too Large' &&
      before.body === after.body &&
      before.head.slice(1).join('\n') === after.head.slice(1).join('\n'),
  },
  {
    reason: 'a parameter or an argument that nobody knows is refused with the nearest one',
    covers: ({ before, after }) =>
      (before.status === 200 && after.status === 400 && unknownName.test(after.body)) ||
      (before.status === 400 && after.status === 400 && unknownName.test(after.body)) ||
      (before.status === 200 && after.status === 200 && unknownArgument.test(after.body)),
  },
  {
    reason: 'answers to bodies have the tag of the snapshot, and each source of a rank its place',
    covers: ({ ask, before, after }) =>
      ask.method === 'POST' &&
      before.status === 200 &&
      after.status === 200 &&
      before.body === after.body.replaceAll(/("reason":(?:null|"[a-z-]+")),"index":\d+/g, '$1') &&
      before.head.join('\n') === after.head.filter((line) => !line.startsWith('ETag: ')).join('\n'),
  },
  {
    reason: 'an error names the place of the entry of a body that is wrong',
    covers: ({ ask, before, after }) =>
      ask.method === 'POST' &&
      before.status === 400 &&
      after.status === 400 &&
      /"detail":"(?:sdus|handles|sources)\[\d+\]/.test(after.body),
  },
  {
    reason:
      'the document has new parameters, members and headers, and tools take no unknown argument',
    covers: ({ before, after }) =>
      before.status === 200 &&
      after.status === 200 &&
      (/^\{"openapi":/.test(after.body) || /"additionalProperties":false/.test(after.body)),
  },
  {
    reason: 'OpenAPI and the tools describe the same things in plainer words',
    covers: ({ before, after }) =>
      before.status === 200 &&
      after.status === 200 &&
      /"openapi":|"inputSchema":/.test(after.body) &&
      withoutWords(before.body) === withoutWords(after.body),
  },
  {
    reason: 'tools take what was plainly meant, bound and mark what they answer, and are more',
    covers: ({ ask, before, after }) =>
      ask.target === '/mcp' &&
      before.status === after.status &&
      (after.status === 401
        ? after.body.includes('this MCP server needs an API key')
        : /Data from records|"inputSchema"|"instructions"|"uriTemplate"|"resources"|Rank the following/.test(
            after.body,
          )),
  },
]

const unknownName = /"detail":"there is no parameter '[^']*'(?:: there are|; did you mean) /
const unknownArgument = /there is no argument '[^']*'(?:: there are|; did you mean) /

/** A JSON text without its descriptions. */
function withoutWords(body: string): string {
  const isWords = (name: string) => name === 'description' || name === 'summary'
  try {
    return JSON.stringify(JSON.parse(body), (name, value) => (isWords(name) ? undefined : value))
  } catch {
    return body
  }
}
