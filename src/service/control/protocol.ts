/** The messages between a serving thread and the control thread: requests, their responses and their ends. */
import type { ApiReply } from '../../api/exchange.ts'
import type { RouteRequest, RouteResponse } from '../../http/async-route.ts'

/** A request with a number of the serving thread, which no other request of it has. */
export interface NumberedRequest extends Omit<RouteRequest, 'signal' | 'owner'> {
  readonly number: number
}

/** The end of a request. */
interface RequestEnd {
  readonly number: number
  /** Number of the bytes of its body that were taken, from the beginning; undefined if the response was taken whole. */
  readonly bytes?: number | undefined
}

/** The head of a response, with its body unless the body comes as events; or the refusal of the request. */
export type SentResponse =
  | (Pick<RouteResponse, 'status' | 'headers'> & { readonly body: Uint8Array | undefined })
  | { readonly refusal: ApiReply }

/** The calls that the control thread answers a serving thread. */
export type LinkCalls = {
  answer(request: NumberedRequest): SentResponse
  /** The body of a response that came without one. */
  events(number: number): AsyncIterable<Uint8Array>
  /** Ends a request, answered or not. A number that is not open has no effect. */
  end(end: RequestEnd): void
  /** See `Api.lostBefore`. */
  lost(accountSlot: number): void
}
