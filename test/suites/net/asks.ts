/**
 * A request of the net as plain text, before each build gets its own bytes of it. Places in braces
 * stand for values of earlier answers: `{cursor}`, `{etag}`; `{once}` stands for a text that no other session has, `{key:NAME}`
 * for a key, and the name of a snapshot (`5eed…`) for its id.
 */

/** One request. Targets and header values are Latin-1 and reach the wire unchanged. */
export interface Ask {
  readonly method: string
  readonly target: string
  readonly headers: readonly (readonly [name: string, value: string])[]
  /** Latin-1; undefined where the request has none. */
  readonly body?: string | undefined
  /** How the request states the length of its body. */
  readonly framing?: 'length' | 'chunked'
}

/** Texts of one build by the name of their place. */
export type Values = Readonly<Record<string, string>>

const placeShape = /\{(cursor|etag|once|key:[a-z]+)\}|5eed[0-9a-f]{28}/g

/** Puts values in the places of a text; a place without a value becomes `none`. */
function fill(text: string, values: Values): string {
  return text.replace(placeShape, (name: string, place: string) => values[place ?? name] ?? 'none')
}

export function bytesOf(ask: Ask, values: Values): Buffer {
  const lines = [`${ask.method} ${fill(ask.target, values)} HTTP/1.1`, 'Host: net']
  for (const [name, value] of ask.headers) lines.push(`${name}: ${fill(value, values)}`)
  const body = ask.body === undefined ? undefined : fill(ask.body, values)
  if (body === undefined) return Buffer.from(`${lines.join('\r\n')}\r\n\r\n`, 'latin1')
  if (ask.framing === 'chunked') {
    lines.push('Transfer-Encoding: chunked')
    const chunk = body === '' ? '' : `${body.length.toString(16)}\r\n${body}\r\n`
    return Buffer.from(`${lines.join('\r\n')}\r\n\r\n${chunk}0\r\n\r\n`, 'latin1')
  }
  lines.push(`Content-Length: ${body.length}`)
  return Buffer.from(`${lines.join('\r\n')}\r\n\r\n${body}`, 'latin1')
}

/** A request as a command for a shell; keys stay as variables. */
export function curlOf(ask: Ask): string {
  const quote = (text: string) =>
    `'${Buffer.from(text, 'latin1').toString().replaceAll("'", "'\\''").slice(0, 4_000)}'`
  const words = ['curl', '-i', '--path-as-is', '-g', '-X', ask.method]
  if (ask.method === 'HEAD') words.push('--head')
  for (const [name, value] of ask.headers) words.push('-H', quote(`${name}: ${value}`))
  if (ask.framing === 'chunked') words.push('-H', quote('Transfer-Encoding: chunked'))
  if (ask.body !== undefined) words.push('--data-binary', quote(ask.body))
  return [...words, quote(`$ADDRESS${ask.target}`)].join(' ').replace("'$ADDRESS", '"$ADDRESS"\'')
}
