/**
 * A request of the net as plain text, before each build gets its own bytes of it. Places in braces
 * stand for values of earlier answers: `{cursor}`, `{etag}`; `{key:NAME}` stands for a key.
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

/** Values from the answers of one build in the session so far. */
export interface Said {
  cursor: string
  etag: string
}

/** At the beginning of a session. */
export function nothingSaid(): Said {
  return { cursor: 'none', etag: 'W/"none"' }
}

const placeShape = /\{(cursor|etag|key:[a-z]+)\}/g

/** Puts values in the places of a text. */
export function fill(text: string, said: Said, keys: Readonly<Record<string, string>>): string {
  if (!text.includes('{')) return text
  return text.replace(placeShape, (_, place: string) => {
    if (place === 'cursor') return said.cursor
    return place === 'etag' ? said.etag : (keys[place.slice(4)] ?? '')
  })
}

/** The bytes of a request for one build. */
export function bytesOf(ask: Ask, said: Said, keys: Readonly<Record<string, string>>): Buffer {
  const lines = [`${ask.method} ${fill(ask.target, said, keys)} HTTP/1.1`, 'Host: net']
  for (const [name, value] of ask.headers) lines.push(`${name}: ${fill(value, said, keys)}`)
  const body = ask.body === undefined ? undefined : fill(ask.body, said, keys)
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
