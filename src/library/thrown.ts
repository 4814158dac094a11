/** Problems of the pipeline as the errors that the calls of the library throw. */
import { type Problem, type ProblemCode, problems } from '../problems.ts'
import { InvalidParameter, MalformedRequest, RequestProblem } from './failures.ts'

const classes: Partial<Record<ProblemCode, typeof RequestProblem>> = {
  'invalid-parameter': InvalidParameter,
  'malformed-request': MalformedRequest,
}

export function thrownOf({ code, detail }: Problem): RequestProblem {
  const { status, title } = problems[code]
  return new (classes[code] ?? RequestProblem)(code, status, title, detail)
}

export function invalidValue(detail: string): RequestProblem {
  return thrownOf({ code: 'invalid-parameter', detail })
}
