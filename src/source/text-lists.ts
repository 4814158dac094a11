/**
 * Lists as texts: in the brackets of JSON, Python, PostgreSQL, numpy and R, or with `;`, `|` and
 * line ends between the items.
 */
import { jsonIn } from '../reading/readers.ts'

const usualSeparators = /[;|；｜\r\n]/
/** Commas may part items, and may be a part of one: nobody but the author of the text knows. */
const commas = /[,，、]/
/** `array([…], dtype=object)`, `frozenset({…})`, `c("a", "b")`. */
const call = /^(?:array|c|frozenset|list|set|tuple)(?=\()/
const wrapped = /^\(\s*((?:\[.*\]|\{.*\}|\(.*\))?)\s*(?:,\s*dtype=[^)]*)?\)$/s
const brackets = /^(?:\[(.*)\]|\{(.*)\}|\((.*)\))$/s
/** An item in quotes, or a bare one up to a comma; no list is in a list. */
const item =
  /\s*(?:[bru]?'((?:[^'\\]|\\.)*)'|[bru]?"((?:[^"\\]|\\.)*)"|([^\s,'"[\](){}][^,"[\]{}]*))\s*(,?)/gisy

/** Undefined where commas may or may not part the items, or brackets hold no list. */
export function itemsIn(text: string, separator?: string): unknown[] | undefined {
  const isBracketed = brackets.test(text.replace(call, ''))
  const bracketed = isBracketed ? itemsInBrackets(text) : undefined
  if (bracketed !== undefined) return eachOnce(bracketed)
  if (separator !== undefined) return eachOnce(text.split(separator))
  if (isBracketed && !text.startsWith('(')) return undefined
  if (commas.test(text) && !usualSeparators.test(text)) return undefined
  return eachOnce(text.split(usualSeparators))
}

export function itemsInBrackets(text: string): unknown[] | undefined {
  // Nearly every text is none, which its last character tells.
  if (!']})'.includes(text.at(-1) ?? ' ')) return undefined
  if (text.startsWith('[')) {
    const list = jsonIn(text)
    if (Array.isArray(list)) return list
  }
  const isCall = call.test(text)
  const plain = text.replace(call, '')
  const inner = isCall ? wrapped.exec(plain)?.[1] || plain : plain
  const [, list, set, tuple] = brackets.exec(inner) ?? []
  // A text in parentheses is no tuple, unless what it holds is quoted.
  if (tuple !== undefined && !/^\s*(?:[bru]?['"]|$)/i.test(tuple)) return undefined
  const body = list ?? set ?? tuple
  return body === undefined ? undefined : itemsOfBody(body)
}

function itemsOfBody(body: string): string[] | undefined {
  const items: string[] = []
  let end = 0
  item.lastIndex = 0
  for (let found = item.exec(body); found !== null; found = item.exec(body)) {
    const [, single, double, bare] = found
    items.push(bare === undefined ? unescaped(single ?? double ?? '') : bare.trim())
    end = item.lastIndex
  }
  return body.slice(end).trim() === '' ? items : undefined
}

const escaped = /\\(?:u([0-9a-f]{4})|x([0-9a-f]{2})|U([0-9a-f]{8})|(.))/gis

function unescaped(text: string): string {
  if (!text.includes('\\')) return text
  return text.replace(escaped, (_, four?: string, two?: string, eight?: string, plain?: string) => {
    if (plain !== undefined) return 'nrt'.includes(plain) ? ' ' : plain
    const code = Number.parseInt(four ?? two ?? eight ?? '', 16)
    return code > 0x10_ffff ? '\ufffd' : String.fromCodePoint(code)
  })
}

function eachOnce(parts: readonly unknown[]): unknown[] {
  const items = new Map<unknown, unknown>()
  for (const part of parts) {
    const item = typeof part === 'string' ? part.trim() : part
    const key = typeof item === 'string' ? item.toLowerCase() : item
    if (item !== '' && item !== null && !items.has(key)) items.set(key, item)
  }
  return [...items.values()]
}
