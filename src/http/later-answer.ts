/**
 * The answer to a GET that has to wait, written in a later turn of the loop. The facts of the request are copied from
 * the wire before the handler returns; a client that goes away ends the wait.
 */
import type { Api } from '../api/api.ts'
import type { ApiReply } from '../api/exchange.ts'
import { abandonedStatus } from './async-route.ts'
import type { AnswerTaker } from './reply-writer.ts'
import { type AskAgain, askedAgain, type WaitingRequest, type Waits } from './waiting/waits.ts'
import type { HttpResponse } from './wire-library.ts'
import { copyOf, type WireRequest } from './wire-request.ts'

/** A request that was taken from the wire, and the functions that take its answer. */
interface LaterAnswer extends Pick<WaitingRequest, 'wait'> {
  readonly api: Api
  readonly waits: Waits
  readonly wire: WireRequest
  /** Sends the request again if it is for a page; undefined for a request to the API. */
  readonly page: AskAgain | undefined
  readonly response: HttpResponse
  /** Writes the reply; the output of the connection is gathered meanwhile. */
  readonly write: (method: string, reply: ApiReply, taker: AnswerTaker) => void
  /** Called once with the status that the request counts as. */
  readonly onOver: (status: number) => void
}

/** Answers a request when the data it needs is in memory. To be called while the request is handled. */
export function answerLater(later: LaterAnswer): void {
  const { api, waits, wire, wait, page, response, write, onOver } = later
  let cancel = () => {}
  response.onAborted(() => {
    cancel()
    onOver(abandonedStatus)
  })
  const request = copyOf(wire)
  // As without a wait: only the answers at the paths of routes are compressed.
  const acceptEncoding = wire.route === undefined ? '' : wire.acceptEncoding()
  const taker = { acceptEncoding: () => acceptEncoding, onOver }
  const take = (reply: ApiReply) => void response.cork(() => write(request.method, reply, taker))
  const again = page ?? askedAgain(api, request)
  cancel = waits.answer({ wait, address: request.address(), again, take })
}
