/**
 * The differences between two builds that are intended, one row for each: how it leaves an answer of the older build.
 * What all rows leave has to be the answer of the newer build to the byte. The list is empty between two changes of the
 * interface.
 */
import type { ComparedAnswer, Difference } from './comparison.ts'

/** One intended difference. */
export interface Intended {
  /** Why the newer build answers differently: one sentence. */
  readonly reason: string
  /** The answer as the newer build has to give it; the same object where the row has nothing to change. */
  readonly rewrite: (before: ComparedAnswer, difference: Difference) => ComparedAnswer
}

/** The intended differences. */
export const intended: readonly Intended[] = [
  {
    reason: 'the documents are other ones',
    rewrite: (before, { ask, after }) => {
      const [, listed = ''] = after.body.split('## Documents')
      return ask.target === '/llms.txt'
        ? withBody(
            before,
            before.body.replace(/(?<=## Documents)[\s\S]*/, () => listed),
          )
        : before
    },
  },
  withoutMetrics('webhooks are gone, with their metrics', /_webhooks?_/),
  withoutMetrics('texts on disk have no cache', /_text_(?:hits|misses|read_bytes)_total/),
  {
    reason: 'a text that cannot be read refuses a request',
    rewrite: (before) =>
      withBody(
        before,
        before.body.replace(
          'Blocks of texts that could not be read, or were not those of the snapshot.',
          'Requests refused because texts could not be read from the file of the snapshot.',
        ),
      ),
  },
  {
    reason: 'X-Tag is gone: no page may send it, an account has no usage by tag',
    rewrite: (before) => {
      const head = before.head.map((line) => line.replace(/, X-Tag$/, ''))
      const answer = head.join() === before.head.join() ? before : { ...before, head }
      return withBody(answer, answer.body.replaceAll(',"by_tag":<charges>', ''))
    },
  },
  {
    reason: 'X-Tag is gone from the document',
    rewrite: (before, { ask }) =>
      ask.target === '/openapi.json'
        ? withoutMembers(before, (name, value) => name === 'by_tag' || isNamed(value, 'X-Tag'))
        : before,
  },
  {
    reason: 'the Redis tail is gone: the details of /readyz have none',
    rewrite: (before, { ask }) =>
      ask.target === '/openapi.json' ? withoutMembers(before, (name) => name === 'tail') : before,
  },
  {
    reason: 'the tool compare_authorities is gone',
    rewrite: (before, { ask }) => {
      if (!ask.target.startsWith('/mcp') || before.status !== 200) return before
      if (ask.body?.includes('"tools/list"')) {
        return withoutMembers(before, (_, value) => isNamed(value, 'compare_authorities'))
      }
      return withBody(
        before,
        before.body
          .replace(', compare_authorities compares two or more', '')
          .replace(
            'compare_authorities or get_authority_detail once with the SDUs found.',
            'get_authority_detail once with the SDUs found and explain true.',
          )
          .replace(/\{"result":\{"content":.*for tool compare_authorities: .*\}/, notFound),
      )
    },
  },
  {
    reason: 'dry_run is no parameter: no document describes it, and no refusal lists it',
    rewrite: (before, { ask }) => {
      const answer = ask.target === '/openapi.json' ? withoutMembers(before, isOfDryRun) : before
      const body = answer.body
        .replaceAll(/The price of this answer; [^"]*dry_run[^".]*/g, 'The price of this answer')
        .replace(/(there are [a-z_, ]+), dry_run(?=[";])/, '$1')
        .replace('in its body, nothing but dry_run behind ?', 'in its body, nothing behind ?')
      return withBody(answer, body)
    },
  },
  {
    reason: 'Idempotency-Key has twenty free repeats, and ends with its service',
    rewrite: (before, { ask }) =>
      ask.target === '/openapi.json'
        ? withBody(before, before.body.replaceAll(`${keyText}.`, `${keyText}${keyTextMore}`))
        : before,
  },
  {
    reason: 'the document of /mcp has Idempotency-Key',
    rewrite: (before, { ask }) => {
      if (ask.target !== '/openapi.json') return before
      const [parameter] = /\{"name":"Idempotency-Key"[^}]*\}\}/.exec(before.body) ?? []
      const more = `"parameters":[${parameter}],${mcpBody}`
      return withBody(before, before.body.replaceAll(mcpBody, more))
    },
  },
  {
    reason: 'the key of a message is in _meta or in the header',
    rewrite: (before, { ask }) =>
      ask.target.startsWith('/mcp')
        ? withBody(before, before.body.replaceAll('key in _meta was used', 'key was used'))
        : before,
  },
  {
    reason: 'a page may send Idempotency-Key to /mcp',
    rewrite: (before, { ask }) => {
      if (!ask.target.startsWith('/mcp')) return before
      const sent = 'Access-Control-Allow-Headers: Authorization, Content-Type, '
      const head = before.head.map((line) => line.replace(sent, `${sent}Idempotency-Key, `))
      return head.join() === before.head.join() ? before : { ...before, head }
    },
  },
  {
    reason: 'the explorer has no page of an account',
    rewrite: (before, { ask, after }) => {
      if (ask.target !== '/account' || after.head[0] !== 'HTTP/1.1 404 Not Found') return before
      return { status: 404, head: after.head, body: ask.method === 'HEAD' ? '' : noAccountPage }
    },
  },
  {
    reason: 'the view inside a chat is gone',
    rewrite: (before, { ask }) => {
      if (!ask.target.startsWith('/mcp') || before.status !== 200) return before
      const body = before.body.replace(/\{"result":\{"contents":\[\{"uri":"ui:.*\}/s, noResource)
      const answer = withBody(before, body)
      if (!body.includes('"_meta":')) return answer
      // A view asked for the score of a profile apart, and so had it last.
      return revised(withoutMembers(answer, isOfView), (_, value) => withScoreInPlace(value))
    },
  },
  {
    reason: 'a suggestion has no score, and of a handle its text alone',
    rewrite: (before, { ask }) => {
      if (ask.target.startsWith('/api/v1/autocomplete') && before.status === 200) {
        return revised(before, (_, value) => plainSuggestion(value))
      }
      if (ask.target !== '/openapi.json') return before
      return revised(before, (name, value) =>
        name === 'Suggestion' ? plainSuggestionSchema(value as ObjectSchema) : value,
      )
    },
  },
  {
    reason: 'lists of snapshots and snapshots count as lookups',
    rewrite: (before, { ask }) => {
      if (!ask.target.startsWith('/api/v1/snapshots')) return before
      const head = before.head.map((line) =>
        line.replace(/^(RateLimit(?:-Policy)?: )"account"/, '$1"lookup"'),
      )
      return head.join() === before.head.join() ? before : { ...before, head }
    },
  },
  {
    reason: 'a key with scopes sees its own part of the account, unless `account` is one of them',
    rewrite: (before, { ask }) => {
      if (ask.target !== '/openapi.json') return before
      const body = before.body.replaceAll(
        'account can still spend."',
        `account can still spend${toOthers}."`,
      )
      return revised(withBody(before, body), withOptionalAccount)
    },
  },
  {
    reason: 'fields of profiles have a price: their descriptions say so',
    rewrite: (before, { ask }) => {
      if (ask.target !== '/openapi.json' && !ask.target.startsWith('/mcp')) return before
      const body = before.body
        .replaceAll(
          'of summary and profile; items have no other fields."',
          'of summary and profile; items have no other fields. With `bio`, `topics`, `socials` or `website` each item costs what detail costs, beside the query."',
        )
        .replaceAll(
          'of summary and profile; items hold no others."',
          'of summary and profile; items hold no others. With `bio`, `topics`, `socials` or `website` each item with a person costs what detail costs, beside the query."',
        )
        .replaceAll(
          '"Only these, and the SDU."',
          '"Only these, and the SDU; bio, topics, socials, website cost a profile each."',
        )
      return withBody(before, body)
    },
  },
  {
    reason: 'explain is for at most 50 values of a body',
    rewrite: (before, { ask }) =>
      ask.target === '/openapi.json'
        ? withBody(
            before,
            before.body.replaceAll(explainText, `${explainText} For at most 50 values.`),
          )
        : before,
  },
  {
    reason: 'counts that would take too long are of the first people, and counted_among says so',
    rewrite: (before, { ask }) =>
      ask.target === '/openapi.json' ? revised(before, withCountedAmong) : before,
  },
  {
    reason: 'files of the page that changed have other names',
    rewrite: (before, { after }) => {
      if (!before.body.startsWith('<!doctype html>')) return before
      const names = after.body.match(fileName) ?? []
      return withBody(
        before,
        before.body.replace(fileName, () => names.shift() ?? ''),
      )
    },
  },
  {
    reason: 'OpenAPI names each path once, repeats the parameter of a list, and has no constants',
    rewrite: (before, { ask }) =>
      ask.target === '/openapi.json' ? revised(before, withEachPathOnce) : before,
  },
  {
    reason: 'an encoded comma is part of a handle or a name: the answer is to other values',
    rewrite: (before, { ask, after }) => (/^[^?]*\?.*%2c/i.test(ask.target) ? after : before),
  },
  {
    reason: 'MCP takes any Accept, and null or JSON text as arguments, which it refused before',
    rewrite: (before, { ask, after }) => {
      const isOfForm = before.status === 406 || /"arguments":(?:null|")/.test(ask.body ?? '')
      return ask.target.startsWith('/mcp') && isOfForm ? after : before
    },
  },
  {
    reason:
      'results of tools say in their structured content what their text says; what is not found is no error',
    rewrite: (before, { ask, after }) =>
      ask.target.startsWith('/mcp') ? withSameTexts(before, after) : before,
  },
  {
    reason: 'every array of a schema of a tool has items',
    rewrite: (before, { ask }) =>
      ask.target.startsWith('/mcp') && ask.body?.includes('"tools/list"')
        ? revised(before, (name, value) =>
            name === 'results' && isNamedType(value, 'array')
              ? { type: 'array', items: { type: 'object' } }
              : value,
          )
        : before,
  },
  {
    reason: 'OpenAPI says when MCP answers 406',
    rewrite: (before, { ask }) =>
      ask.target === '/openapi.json'
        ? withBody(
            before,
            before.body.replace(
              'The client does not accept both JSON and an event stream.',
              'The client takes neither JSON nor an event stream.',
            ),
          )
        : before,
  },
  {
    reason: 'the schema of the topic of a rank has its members in another order',
    rewrite: (before, { ask, after }) =>
      (ask.target === '/openapi.json' || ask.body?.includes('"tools/list"') === true) &&
      before.status === 200 &&
      sortedJson(before) === sortedJson(after)
        ? after
        : before,
  },
  {
    reason: 'of a rank with an unknown topic and another wrong member, the other is named',
    rewrite: (before, { ask, after }) =>
      ask.target.startsWith('/api/v1/rank') &&
      before.body.includes('"detail":"topic: there is no ') &&
      after.status === 400
        ? after
        : before,
  },
  {
    reason: 'a tool refuses a wrong argument in the words of the API',
    rewrite: (before, { ask, after }) =>
      ask.target.startsWith('/mcp') && [before, after].every(isOfArguments) ? after : before,
  },
  {
    reason: 'another word for a topic is of the source, an abbreviation, or a noun of WordNet',
    rewrite: (before, { after }) => ([before, after].some(isByAnotherWord) ? after : before),
  },
  {
    reason: 'names that sound like a text are candidates of the matcher: their way is corrected',
    rewrite: (before, { ask, after }) => {
      if (before.head.includes('X-Search-Way: sounds-like')) return after
      if (before.body.includes('"way":"sounds-like"')) return after
      if (ask.target !== '/openapi.json' && !ask.body?.includes('"tools/list"')) return before
      return withBody(before, before.body.replaceAll(/"sounds-like",|sounds-like, /g, ''))
    },
  },
]

/** Whether a tool refused its arguments. */
const isOfArguments = ({ body }: ComparedAnswer) =>
  body.includes('Input validation error: Invalid arguments for tool ')

/** The JSON of an answer with the members of each object in one order. */
function sortedJson(answer: ComparedAnswer): string {
  const sorted = (_: string, value: unknown) =>
    typeof value === 'object' && value !== null && !Array.isArray(value)
      ? Object.fromEntries(Object.entries(value).sort(([a], [b]) => (a < b ? -1 : 1)))
      : value
  return revised(answer, sorted).body
}

const isByAnotherWord = ({ head }: ComparedAnswer) => head.includes('X-Search-Way: related')

const notFound =
  '{"jsonrpc":"2.0","id":1,"error":{"code":-32602,"message":"Tool compare_authorities not found"}}'

const keyText =
  'Any visible characters that no other request has. Within ten minutes the same request under the same key is answered again and not charged again'

const keyTextMore =
  ', up to 20 times. A service that was started again, and another node, charge it once more.'

const mcpBody =
  '"requestBody":{"required":true,"content":{"application/json":{"schema":{"$ref":"#/components/schemas/JsonRpc"}}}}'

const noAccountPage =
  '{"type":"urn:authority-index:problem:not-found","title":"No such path","status":404,"detail":"/account is not a path of this service","duration":<duration>,"request_id":"<request id>","results":[]}'

const noResource =
  '{"jsonrpc":"2.0","id":1,"error":{"code":-32602,"message":"Resource not found: ui://authority-index/view","data":{"uri":"ui://authority-index/view"}}}'

/** Whether a member or an entry of a message is of the view inside a chat, or holds only that. */
function isOfView(name: string, value: unknown): boolean {
  if (name === 'ui' || name === 'authority-index/view') return true
  const { uri } = (value ?? {}) as { readonly uri?: unknown }
  const isEmpty = name === '_meta' && Object.keys(value as object).length === 0
  return isEmpty || uri === 'ui://authority-index/view'
}

/** A profile with its score behind its accounts; any other value unchanged. */
function withScoreInPlace(value: unknown): unknown {
  const { authority_score: score, ...others } = (value ?? {}) as Record<string, unknown>
  if (score === undefined || others.socials === undefined) return value
  return Object.fromEntries(
    Object.entries(others).flatMap((member) =>
      member[0] === 'socials' ? [member, ['authority_score', score]] : [member],
    ),
  )
}

/** A suggestion without its score, and that of a handle without its owner; any other value unchanged. */
function plainSuggestion(value: unknown): unknown {
  const { authority_score: score, ...others } = (value ?? {}) as Record<string, unknown>
  if (score === undefined) return value
  return others.kind === 'handle' ? { ...others, sdu: null, name: null, topic: null } : others
}

const explainText = '`true` adds `explanation` to each item: what its rank is made of.'

const countedAmong = {
  description:
    'Where to count all would take too long: `total` and `facets` are of matches among so many people, the first by authority.',
  type: 'integer',
  minimum: 1,
  maximum: Number.MAX_SAFE_INTEGER,
}

/** The members of an answer with facets, and how far was counted behind them; any other value unchanged. */
function withCountedAmong(name: string, value: unknown): unknown {
  const members = (value ?? {}) as { readonly facets?: { readonly description?: string } }
  const isOfAnswer = name === 'properties' && members.facets?.description?.startsWith('Number')
  if (isOfAnswer !== true) return value
  return Object.fromEntries(
    Object.entries(members).flatMap((member): [string, unknown][] =>
      member[0] === 'facets' ? [member, ['counted_among', countedAmong]] : [member],
    ),
  )
}

const toOthers = '; to a key that may not see the account, what its caps have left, if it has any'

const ofAccount = ['account', 'state', 'created_at', 'balance_usd', 'credited_usd', 'charged_usd']

/** The schema of the view of an account, whose members about the account need not be there; any other value unchanged. */
function withOptionalAccount(name: string, value: unknown): unknown {
  const left = (of: ObjectSchema, names: readonly string[]) =>
    of.required.filter((each) => !names.includes(each))
  if (name !== 'AccountView') return value
  const view = value as ObjectSchema
  const { account, key, usage } = view.properties as Record<string, ObjectSchema>
  const description =
    'Its name. A key with scopes, but not `account`, has no member about the account.'
  const scopes = {
    ...key!.properties.scopes,
    description: 'What it may call, and whether it may see the account.',
  }
  return {
    ...view,
    properties: {
      ...view.properties,
      account: { ...account, description },
      key: { ...key, properties: { ...key!.properties, scopes } },
      usage: { ...usage, required: left(usage!, ['account']) },
    },
    required: left(view, ofAccount),
  }
}

interface ObjectSchema {
  readonly properties: Readonly<Record<string, object>>
  readonly required: readonly string[]
}

/** The results of an answer, in their order. */
function resultsIn({ body }: ComparedAnswer): unknown[] {
  const results: unknown[] = []
  revised({ status: 0, head: [], body }, (name, value) => {
    if (name === 'result') results.push(value)
    return value
  })
  return results
}

interface ToolResult {
  readonly content?: readonly { readonly text?: string }[]
}

/** The answer with those results of another whose first text is the same, but for the mark of data. */
function withSameTexts(before: ComparedAnswer, after: ComparedAnswer): ComparedAnswer {
  if (before.status !== 200 || after.status !== 200) return before
  const left = resultsIn(after)
  const textOf = (result: unknown) =>
    (result as ToolResult | null)?.content?.[0]?.text?.replace(/^Data from records.*\n/, '')
  return revised(before, (name, value) => {
    if (name !== 'result') return value
    const other = left.shift()
    return textOf(value) !== undefined && textOf(value) === textOf(other) ? other : value
  })
}

function isNamedType(value: unknown, type: string): boolean {
  return (value as { readonly type?: unknown } | null)?.type === type
}

const bothForms =
  'Every path is served with and without a trailing slash, and every parameter in both spellings. ' +
  'Several values go into one parameter, separated by commas, or into the parameter repeated.'
const oneForm =
  'Every path under /api/ and that of MCP stand here once, without a slash at the end; with it they are answered alike, and every parameter in both spellings. ' +
  'Several values go into the parameter repeated, or into one parameter, separated by commas; a percent-encoded comma is part of a handle or a name.'

/** A value of OpenAPI with each path in one form, repeated lists, and a list of one value for a constant. */
function withEachPathOnce(name: string, value: unknown): unknown {
  if (name === 'explode') return true
  if (name === 'description') return String(value).replace(bothForms, oneForm)
  if (typeof value !== 'object' || value === null || Array.isArray(value)) return value
  if (name === 'paths') {
    return Object.fromEntries(Object.entries(value).filter(([path]) => !path.endsWith('/')))
  }
  if (!('const' in value)) return value
  const { const: only, type = typeof only, ...others } = value as Readonly<Record<string, unknown>>
  return { type, ...others, enum: [only] }
}

/** The schema of such suggestions. */
function plainSuggestionSchema({ properties, required, ...others }: ObjectSchema): object {
  const { authority_score: _, ...left } = properties
  const topic = {
    description: 'The label of the topic; of a person the core topic. Of a handle ask match.',
    type: ['string', 'null'],
  }
  return {
    ...others,
    properties: { ...left, sdu: { ...left.sdu, description: 'Of a person.' }, topic },
    required: required.filter((name) => name !== 'authority_score'),
  }
}

/** The name of a file of the page, which ends with a digest of its content. */
const fileName = /\/assets\/[a-z]+-[0-9A-Z]{8}/g

/** Whether a member or an entry of OpenAPI is of `dry_run`. */
function isOfDryRun(_: string, value: unknown): boolean {
  const { description } = (value ?? {}) as { readonly description?: unknown }
  return isNamed(value, 'dry_run') || /`dry_run=true`: (?:it|what)/.test(String(description))
}

/** The answer with another body, and its length where the comparison has it. */
function withBody(answer: ComparedAnswer, body: string): ComparedAnswer {
  if (body === answer.body) return answer
  const length = `Content-Length: ${body.length}`
  const head = answer.head.map((line) => line.replace(/^Content-Length: \d+$/, length))
  return { ...answer, head, body }
}

/** A row for metrics that /metrics does not have. */
function withoutMetrics(reason: string, name: RegExp): Intended {
  const isOther = (line: string) => !name.test(line)
  return {
    reason,
    rewrite: (before, { ask }) =>
      ask.target.startsWith('/metrics')
        ? withBody(before, before.body.split('\n').filter(isOther).join('\n'))
        : before,
  }
}

/** The answer without some members and entries of its JSON. */
function withoutMembers(
  answer: ComparedAnswer,
  isGone: (name: string, value: unknown) => boolean,
): ComparedAnswer {
  return revised(answer, (name, value) => {
    if (Array.isArray(value)) return value.filter((entry) => !isGone('', entry))
    return isGone(name, value) ? undefined : value
  })
}

/** The answer with other values in its JSON, which may be events of a stream. */
function revised(
  answer: ComparedAnswer,
  revive: (name: string, value: unknown) => unknown,
): ComparedAnswer {
  const body = answer.body.replace(jsonLine, (_, begins: string, json: string) => {
    const quoted = json.replace(/(?<!\\)"duration":(<duration>)/g, '"duration":"$1"')
    const left = JSON.stringify(JSON.parse(quoted, revive))
    return begins + left.replace(/(?<!\\)"duration":"(<duration>)"/g, '"duration":$1')
  })
  return withBody(answer, body)
}

/** A whole body, or the data of an event. */
const jsonLine = /^((?:data: )?)([[{].*)$/gm

/** Whether a value is an object with a name. */
function isNamed(value: unknown, name: string): boolean {
  return (value as { readonly name?: unknown } | null)?.name === name
}
