/**
 * The four routes, in one table: their names, paths, and what an answer carries.
 */
import type { RouteName } from '../operations.ts'
import type { ParameterName } from './parameters.ts'

/** A route as it is published. */
export interface Route {
  /** What its price is filed under, too. */
  readonly name: RouteName
  /** Without the trailing slash; with one it is the same route. */
  readonly path: string
  /** Whether the body of an answer carries `request_id`. */
  readonly requestIdInBody: boolean
  /** The main one first; a request without it is refused. */
  readonly parameters: readonly [ParameterName, ...ParameterName[]]
}

export const routes: readonly Route[] = [
  { name: 'search', path: '/api/v1/index', requestIdInBody: true, parameters: ['query', 'limit'] },
  { name: 'detail', path: '/api/v1/detail', requestIdInBody: false, parameters: ['sdus'] },
  {
    name: 'peers',
    path: '/api/v1/peers',
    requestIdInBody: false,
    parameters: ['handles', 'limit'],
  },
  { name: 'match', path: '/api/v1/match', requestIdInBody: true, parameters: ['handles'] },
]

const byPath: ReadonlyMap<string, Route> = new Map(
  routes.flatMap((route) => [
    [route.path, route],
    [`${route.path}/`, route],
  ]),
)

/** The route of a path, in either path form, or undefined. */
export function routeOf(path: string): Route | undefined {
  return byPath.get(path)
}
