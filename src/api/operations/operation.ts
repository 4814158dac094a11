/** An operation from what the values of a request mean to it, whether a query string or a body holds them. */
import type { RouteName } from '../../operations.ts'
import type { ActiveSnapshot } from '../active-snapshot.ts'
import { readBody } from '../parameters/body-reader.ts'
import type { Parsed } from '../parameters/pairs.ts'
import { queryReader } from '../parameters/query-reader.ts'
import type { OperationHandler, ParsedQuery } from '../pipeline/operation-handler.ts'
import { type Inputs, inputs, type Values } from '../schemas/inputs.ts'

export interface Steps<R extends RouteName, Q extends ParsedQuery, T>
  extends Omit<OperationHandler<Q, T>, 'parse' | 'parseBody'> {
  understand(values: Values<R>, served: ActiveSnapshot): Parsed<Q>
}

export function operation<R extends RouteName, Q extends ParsedQuery, T>(
  route: R,
  { understand, ...steps }: Steps<R, Q, T>,
): OperationHandler<Q, T> {
  const input: Inputs = inputs[route]
  const readQuery = queryReader(route)
  // The schema of the route says which values these are.
  const understood = ({ value, problem }: Parsed<object>, served: ActiveSnapshot): Parsed<Q> =>
    problem === undefined ? understand(value as Values<R>, served) : { problem }
  return {
    ...steps,
    ...(input.get && { parse: (query, served) => understood(readQuery(query, served), served) }),
    ...(input.post && { parseBody: (sent, served) => understood(readBody(sent, input), served) }),
  }
}
