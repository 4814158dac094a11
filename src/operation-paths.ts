/**
 * The operation of a path, and the value in the path if its form has one: made from
 * the table of operations.
 */
import { type OperationName, operationNames, operations } from './operations.ts'

const byPath: ReadonlyMap<string, OperationName> = new Map(
  operationNames.flatMap((name) => operations[name].paths.map((path) => [path, name] as const)),
)

/** The form of a path with a value: the text before the value, its name, and a slash behind it. */
const valueShape = /^(.*)\{(\w+)\}(\/?)$/

const valuePaths = [...byPath.keys()].flatMap((path) => {
  const [, before = '', parameter = '', behind = ''] = valueShape.exec(path) ?? []
  return parameter === '' ? [] : [{ path, before, parameter, behind }]
})

function valuePathOf(path: string) {
  const slash = path.endsWith('/') ? '/' : ''
  return valuePaths.find(({ before, behind }) => {
    if (behind !== slash || !path.startsWith(before)) return false
    const value = path.slice(before.length, path.length - behind.length)
    return value !== '' && !value.includes('/')
  })
}

export function operationAt(path: string): OperationName | undefined {
  const known = byPath.get(path)
  if (known !== undefined) return known
  const template = valuePathOf(path)
  return template && byPath.get(template.path)
}

/** A query string with the value from the path of its request, if there is one, as its first parameter. */
export function queryWithPath(path: string, query: string): string {
  const template = byPath.has(path) ? undefined : valuePathOf(path)
  if (template === undefined) return query
  const { parameter, before, behind } = template
  const value = `${parameter}=${path.slice(before.length, path.length - behind.length)}`
  return query === '' ? value : `${value}&${query}`
}
