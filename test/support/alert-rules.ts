/**
 * The rules of `ops/alerts.yaml`, and whether each fires between two scrapes of one service. It knows the part of PromQL
 * that the rules use: a value against a threshold, `increase` and `rate` of the difference, sums, quotients, quantiles of
 * nothing, `absent`, `unless` and `or`.
 */
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { parse } from 'yaml'
import { samplesOf } from './prometheus.ts'

/** A rule as Prometheus reads it. */
interface AlertRule {
  readonly alert: string
  readonly expr: string
  readonly for?: string
  readonly labels: { readonly severity: string }
  readonly annotations: Readonly<Record<string, string>>
}

const path = join(import.meta.dirname, '..', '..', 'ops', 'alerts.yaml')

/** All rules. */
export const alertRules: readonly AlertRule[] = parse(readFileSync(path, 'utf8')).groups[0].rules

/** Two scrapes of one service, and the seconds between them. */
interface Scrapes {
  readonly before: string
  readonly after: string
  readonly seconds: number
}

/** The alerts that fire, whatever their `for`; those of quantiles are left out. */
export function firing(scrapes: Scrapes): string[] {
  return alertRules
    .filter(({ expr }) => !expr.includes('histogram_quantile'))
    .filter(({ expr }) => isFiring(expr, scrapes))
    .map(({ alert }) => alert)
}

function isFiring(expr: string, scrapes: Scrapes): boolean {
  if (expr.includes(' or ')) return expr.split(' or ').some((part) => isFiring(part, scrapes))
  const [kept, excluded] = expr.split(' unless ')
  if (excluded !== undefined) {
    return isFiring(kept!, scrapes) && figureOf(excluded, scrapes) === undefined
  }
  if (expr.startsWith('absent(')) return figureOf(expr.slice(7, -1), scrapes) === undefined
  const match = /^(.+) (==|>|<) ([\d. *]+)$/.exec(expr)
  if (match === null) throw new Error(`no rule that is known: ${expr}`)
  const [, left, comparison, right] = match
  const threshold = right!.split('*').reduce((product, factor) => product * Number(factor), 1)
  const value = figureOf(left!, scrapes)
  if (value === undefined) return false
  if (comparison === '==') return value === threshold
  return comparison === '>' ? value > threshold : value < threshold
}

/** Of one service every aggregation is of its samples. */
function figureOf(expr: string, scrapes: Scrapes): number | undefined {
  const parts = /^(.+\)) ([-/]) (.+\))$/.exec(expr)
  if (parts !== null) {
    const [first, second] = [figureOf(parts[1]!, scrapes), figureOf(parts[3]!, scrapes)]
    if (first === undefined || second === undefined) return undefined
    return parts[2] === '/' ? first / second : first - second
  }
  const aggregated = /^(?:sum|max|min)(?: by \([a-z, ]+\))? ?\((.+)\)$/.exec(expr)
  if (aggregated !== null) return figureOf(aggregated[1]!, scrapes)
  const counted = /^(increase|rate)\((.+)\[\d+[mh]\]\)$/.exec(expr)
  if (counted !== null) {
    const [before, after] = [scrapes.before, scrapes.after].map((text) => read(counted[2]!, text))
    if (before === undefined || after === undefined) return undefined
    return (after - before) / (counted[1] === 'rate' ? scrapes.seconds : 1)
  }
  return read(expr, scrapes.after)
}

/** The sum of the samples that a selector finds; undefined where it finds none. */
function read(selector: string, text: string): number | undefined {
  const match = /^(authority_index_[a-z_]+)(?:\{status=~"5\.\."\})?$/.exec(selector)
  if (match === null) throw new Error(`no selector that is known: ${selector}`)
  const wanted = selector.includes('{') ? /status="5\d\d"/ : /(?:)/
  const found = [...samplesOf(text)].filter(
    ([name]) => name.split('{')[0] === match[1] && wanted.test(name),
  )
  return found.length === 0 ? undefined : found.reduce((sum, [, value]) => sum + value, 0)
}
