/** The single figures that the measurements are taken for, each with what is wanted of it. */

import { mixedNames, twoWordsName } from '../shared/data/workloads.ts'
import type { WireRow } from './measure.ts'
import { targetNames } from './targets.ts'

/** A figure, and the least (or, beginning with `<`, the most) that it should be. */
export interface Figure {
  readonly name: string
  readonly value: number
  readonly wanted: string
}

const leastRatios: readonly (readonly [workload: string, least: number])[] = [
  ...mixedNames.map((name) => [name, 0.9] as const),
  ['search: limit 50', 0.85],
  ['peers: limit 50', 0.85],
  ['detail: batch of 10', 0.8],
]
const singleNames = mixedNames.filter((name) => !name.startsWith('search'))
const alternativeNames: readonly string[] = [targetNames.flexsearch, targetNames.redis]

/** Those figures that the rows can tell. */
export function figuresOf(rows: readonly WireRow[]): Figure[] {
  const full = rows.filter(({ depth, pace }) => depth === 1 && pace === null)
  const sizes = [...new Set(full.map(({ authorities }) => authorities))]
  return [
    ...sizes.flatMap((authorities) => sideBySide(full, authorities)),
    ...scale(full, sizes),
    ...full.flatMap(atOneConnection),
    ...rows.filter(({ pace }) => pace !== null).flatMap(atHalfLoad),
  ]
}

/** The first row that fits: the usual number of connections is measured before others are. */
function rowOf(
  rows: readonly WireRow[],
  authorities: number,
  workload: string,
  target: string,
): WireRow | undefined {
  return rows.find(
    (row) => row.authorities === authorities && row.workload === workload && row.target === target,
  )
}

function sideBySide(rows: readonly WireRow[], authorities: number): Figure[] {
  const ratioOf = (workload: string, target: string) =>
    rowOf(rows, authorities, workload, target)?.ratio
  const times = (workload: string, target: string): number | undefined => {
    const ours = ratioOf(workload, targetNames.service)
    const theirs = ratioOf(workload, target)
    return ours === undefined || theirs === undefined ? undefined : ours / theirs
  }
  const above = (workload: string): number | undefined => {
    const ours = workUs(rowOf(rows, authorities, workload, targetNames.service))
    const least = workUs(rowOf(rows, authorities, workload, targetNames.ceiling))
    return ours === undefined || least === undefined ? undefined : ours - least
  }
  const of = (name: string) => `${authorities} authorities: ${name}`
  const best = (workload: string, wanted: string) => {
    const all = alternativeNames.flatMap((name) => times(workload, name) ?? [])
    const name = of(`${workload}, by the best alternative`)
    return figure(name, all.length === 0 ? undefined : Math.min(...all), wanted)
  }
  return [
    ...leastRatios.flatMap(([workload, least]) =>
      figure(of(`${workload}, by the ceiling`), ratioOf(workload, targetNames.service), `${least}`),
    ),
    ...singleNames.flatMap((workload) =>
      figure(of(`${workload}, by nginx`), times(workload, targetNames.nginx), '1'),
    ),
    ...mixedNames.flatMap((workload) =>
      figure(of(`${workload}, processor time above the ceiling, µs`), above(workload), '< 5'),
    ),
    ...best(mixedNames[0]!, '20'),
    ...best(twoWordsName, '50'),
  ]
}

/** Microseconds of processor time a request. */
function workUs(row: WireRow | undefined): number | undefined {
  if (row === undefined || row.userUs === null || row.systemUs === null) return undefined
  return row.userUs + row.systemUs
}

/** The ratio to the ceiling with the most authorities by that with the fewest. */
function scale(rows: readonly WireRow[], sizes: readonly number[]): Figure[] {
  const [least, most] = [Math.min(...sizes), Math.max(...sizes)]
  if (least === most) return []
  return [...mixedNames, twoWordsName].flatMap((workload) => {
    const small = rowOf(rows, least, workload, targetNames.service)
    const large = rowOf(rows, most, workload, targetNames.service)
    const value = small && large && large.ratio / small.ratio
    return figure(`${workload}, ${most} authorities by ${least}`, value, '0.9')
  })
}

/** What the other threads of the process do must not be felt by a client that asks one thing after the other. */
function atOneConnection({ authorities, workload, target, ...row }: WireRow): Figure[] {
  if (target !== targetNames.service || row.connections !== 1) return []
  const name = `${authorities} authorities: ${workload}, p99 at one connection, by the ceiling's`
  return figure(name, row.p99Ratio ?? undefined, '< 1.5')
}

function atHalfLoad({ authorities, workload, target, pace, ...row }: WireRow): Figure[] {
  if (target !== targetNames.service) return []
  const name = `${authorities} authorities: ${workload}, p99 µs at ${Math.round(pace!)} requests/s`
  return figure(name, row.p99Us ?? undefined, '< 1000')
}

function figure(name: string, value: number | undefined, wanted: string): Figure[] {
  return value === undefined ? [] : [{ name, value, wanted }]
}
