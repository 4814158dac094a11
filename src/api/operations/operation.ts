/** An operation from what the values of a request mean to it, whether a query string or a body holds them. */
import type { RouteName } from '../../operations.ts'
import type { ActiveSnapshot } from '../active-snapshot.ts'
import type { Parsed } from '../exchange.ts'
import { readBody } from '../parameters/body-reader.ts'
import { queryReader } from '../parameters/query-reader.ts'
import type { OperationHandler, ParsedQuery } from '../pipeline/operation-handler.ts'
import { type Inputs, inputs, type Values } from '../schemas/inputs.ts'

interface Steps<R extends RouteName, Q extends ParsedQuery, T>
  extends Omit<OperationHandler<Q, T>, 'parse'> {
  understand(values: Values<R>, served: ActiveSnapshot): Parsed<Q>
}

export function operation<R extends RouteName, Q extends ParsedQuery, T>(
  route: R,
  { understand, ...steps }: Steps<R, Q, T>,
): OperationHandler<Q, T> {
  const input: Inputs = inputs[route]
  const readQuery = queryReader(route)
  return {
    ...steps,
    parse: (sent, served) => {
      const { value, problem } =
        typeof sent === 'string' ? readQuery(sent, served) : readBody(sent, input)
      // The schema of the route says which values these are.
      return problem === undefined ? understand(value as Values<R>, served) : { problem }
    },
  }
}
