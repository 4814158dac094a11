/**
 * The kinds of settings: each makes a row from its default and its words, and knows which texts are
 * values of it.
 */

import { microUsdPerUsd, parseUsd } from '../money.ts'
import { isBucketAddress, isWebAddress } from '../storage-addresses.ts'
import { parseHandle } from '../text/handle.ts'
import { isNetwork } from '../text/network.ts'

/** One thing an operator can set; `parse` returns undefined for a text that is no such value. */
export interface Setting<T> {
  /** The value's placeholder in the help text; absent for a switch, which takes no value. */
  readonly placeholder?: string
  readonly defaultValue: T
  readonly help: string
  readonly expects: string
  readonly parse: (text: string) => T | undefined
  /** Whether it may be typed more than once: all values count. */
  readonly isList?: boolean
  /** Whether it may hold a password, so that no message repeats it. */
  readonly isSecret?: boolean
}

/** A kind whose default each setting says. */
function kind<T>(expects: string, parse: Setting<T>['parse']) {
  return (placeholder: string, defaultValue: T, help: string): Setting<T> => {
    return { placeholder, defaultValue, help, expects, parse }
  }
}

/** A kind with one default, which says that nothing is set. */
export function unset<D, T extends string>(
  defaultValue: D,
  expects: string,
  parse: Setting<T>['parse'],
) {
  return (placeholder: string, help: string): Setting<D | T> => {
    return { placeholder, defaultValue, help, expects, parse }
  }
}

export const text = kind('a text that is not empty', (value) => (value === '' ? undefined : value))

export function integer(
  placeholder: string,
  range: { min: number; max: number },
  defaultValue: number,
  help: string,
): Setting<number> {
  return {
    placeholder,
    defaultValue,
    help,
    expects: `a whole number from ${range.min} to ${range.max}`,
    parse: (value) => {
      if (!/^\d{1,15}$/.test(value)) return undefined
      const number = Number(value)
      return number >= range.min && number <= range.max ? number : undefined
    },
  }
}

export const time = unset(null, 'a time such as 2026-11-01T00:00:00Z', (value) => {
  const milliseconds = /^\d{4}-\d\d-\d\d/.test(value) ? Date.parse(value) : Number.NaN
  return Number.isNaN(milliseconds) ? undefined : new Date(milliseconds).toISOString()
})

export const share = kind('a number from 0 to 1', (value) => {
  const number = /^\d*\.?\d+$/.test(value) ? Number(value) : Number.NaN
  return number >= 0 && number <= 1 ? number : undefined
})

/** Values separated by commas. @param read undefined where one of the parts is none. */
function list<T>(expects: string, read: (parts: readonly string[]) => readonly T[] | undefined) {
  return (placeholder: string, help: string): Setting<readonly T[]> => ({
    placeholder,
    defaultValue: [],
    help,
    expects: `${expects}, separated by commas`,
    parse: (value) => read(value.split(',').map((part) => part.trim())),
  })
}

export const origins = list('web origins such as https://app.example.com', (parts) =>
  parts.every((part) => URL.canParse(part) && new URL(part).origin === part) ? parts : undefined,
)

export const handles = list('handles such as github:ann', (parts) => {
  const read = parts.map(parseHandle)
  const isWhole = read.every(({ platform, key }) => platform && key !== '')
  return isWhole ? read.map(({ platform, key }) => `${platform}:${key}`) : undefined
})

export const networks = list('addresses or networks such as 10.0.0.0/8', (parts) =>
  parts.every(isNetwork) ? parts : undefined,
)

/** The address of a service, without a slash at its end. */
export const address = unset(null, 'an address such as https://index.example.com', (value) => {
  if (!/^https?:\/\//i.test(value) || !URL.canParse(value)) return undefined
  const { search, hash, href } = new URL(value)
  return search === '' && hash === '' ? href.replace(/\/+$/, '') : undefined
})

export const listenPlace = unset('', 'HOST:PORT such as 127.0.0.1:9090', (value) => {
  const [, port] = /^(?:\[[0-9a-f:.]+\]|[\w.-]+):(\d{1,5})$/i.exec(value) ?? []
  return port !== undefined && Number(port) <= 65_535 ? value : undefined
})

export const mailOrWeb = unset(
  '',
  'an address such as privacy@example.com or https://example.com/privacy',
  (value) => {
    if (/^[^\s@<>"]{1,64}@[a-z0-9.-]{1,253}\.[a-z0-9-]{2,63}$/i.test(value)) return value
    return /^https?:\/\//i.test(value) && URL.canParse(value) ? new URL(value).href : undefined
  },
)

const databaseAddress = unset(null, 'an address such as postgres://user@host/database', (value) =>
  /^postgres(ql)?:\/\/[^/]+\/./.test(value) && URL.canParse(value) ? value : undefined,
)

export function database(placeholder: string, help: string): Setting<string | null> {
  return { ...databaseAddress(placeholder, help), isSecret: true }
}

export const bucket = unset('', 'an address such as s3://bucket/prefix', (value) =>
  isBucketAddress(value) ? value : undefined,
)

export const storage = unset(
  '',
  'an address such as s3://bucket/prefix or https://snapshots.example.com/prefix',
  (value) => (isBucketAddress(value) || isWebAddress(value) ? value : undefined),
)

export function choice<T extends string>(
  placeholder: string,
  words: readonly T[],
  defaultValue: T,
  help: string,
): Setting<T> {
  return {
    placeholder,
    defaultValue,
    help: `${help}: ${words.join(', ')}`,
    expects: `one of ${words.join(', ')}`,
    parse: (value) => words.find((word) => word === value),
  }
}

export function words<T extends string>(
  placeholder: string,
  known: readonly T[],
  help: string,
): Setting<readonly T[]> {
  const all = known.join(', ')
  const some = list(`some of ${all}`, (parts) =>
    parts.every((part) => known.some((word) => word === part))
      ? known.filter((word) => parts.includes(word))
      : undefined,
  )
  return some(placeholder, `${help}: ${all}`)
}

/** Each once and in order. */
export const texts = list('texts', (parts) =>
  parts.includes('') ? undefined : [...new Set(parts)].sort(),
)

export function optional<T>(setting: Setting<T>): Setting<T | null> {
  return { ...setting, defaultValue: null }
}

export function flag(help: string): Setting<boolean> {
  return {
    defaultValue: false,
    help,
    expects: 'true or false',
    parse: (value) => (value === 'true' ? true : value === 'false' ? false : undefined),
  }
}

export const durationUnitsMs = { s: 1_000, m: 60_000, h: 3_600_000, d: 86_400_000 } as const

/** A duration in milliseconds; none is longer than a hundred years. */
export function duration(defaultMs: number, minMs: number, help: string): Setting<number> {
  return {
    placeholder: 'DURATION',
    defaultValue: defaultMs,
    help,
    expects: 'a duration such as 90d, 24h, 30m or 45s',
    parse: (value) => {
      const match = /^(\d{1,10})([smhd])$/.exec(value)
      if (match === null) return undefined
      const durationMs = Number(match[1]) * durationUnitsMs[match[2] as 's' | 'm' | 'h' | 'd']
      return durationMs >= minMs && durationMs <= 36_500 * durationUnitsMs.d
        ? durationMs
        : undefined
    },
  }
}

export function amount(
  { defaultMicroUsd, maxMicroUsd }: { defaultMicroUsd: number; maxMicroUsd: number },
  help: string,
): Setting<number> {
  return {
    placeholder: 'USD',
    defaultValue: defaultMicroUsd,
    help,
    expects: `an amount in USD from 0 to ${maxMicroUsd / microUsdPerUsd} with at most six decimals`,
    parse: (value) => {
      const amountMicroUsd = parseUsd(value)
      return amountMicroUsd !== undefined && amountMicroUsd <= maxMicroUsd
        ? amountMicroUsd
        : undefined
    },
  }
}

/** A price in micro-USD; none is above 1,000 USD, so that a batch of the largest size stays exact. */
export function price(defaultMicroUsd: number, help: string): Setting<number> {
  return amount({ defaultMicroUsd, maxMicroUsd: 1_000 * microUsdPerUsd }, help)
}

export function limit(defaultValue: number, help: string): Setting<number> {
  return integer('N', { min: 0, max: 1_000_000 }, defaultValue, help)
}

/**
 * Numbers by name; each that is not said keeps its default: `search=0.002,match=0`.
 * @param typed the name as it is typed.
 */
export function byName<N extends string>(
  placeholder: string,
  rows: Readonly<Record<N, Setting<number>>>,
  typed: (name: N) => string,
  help: string,
): Setting<Readonly<Record<N, number>>> {
  const names = Object.keys(rows) as N[]
  const valuesBy = (pick: (name: N) => number | undefined) =>
    Object.fromEntries(names.map((name) => [name, pick(name)])) as Record<N, number>
  return {
    placeholder,
    isList: true,
    defaultValue: valuesBy((name) => rows[name].defaultValue),
    help,
    expects: `${placeholder} of ${names.map(typed).join(', ')}`,
    parse: (value) => {
      const said = new Map(value.split(',').map((pair) => pair.split('=', 2) as [string, string]))
      if (![...said.keys()].every((name) => names.some((each) => typed(each) === name))) {
        return undefined
      }
      const values = valuesBy((name) => {
        const text = said.get(typed(name))
        return said.has(typed(name)) ? rows[name].parse(text ?? '') : rows[name].defaultValue
      })
      return Object.values(values).includes(undefined) ? undefined : values
    },
  }
}
