/**
 * The control thread, as the main thread sees it: one for everything that takes longer than an answer. It is started when
 * it is first needed, so that a service of plain requests spends nothing on it, and begun anew when it dies; serving
 * threads then connect to it anew.
 */
import { MessageChannel, type MessagePort } from 'node:worker_threads'
import type { KeyNews } from '../../ledger/live/keyring.ts'
import type { KeysChange } from '../../oauth/exchange.ts'
import { type Handlers, Transferred } from '../../process/channel.ts'
import { LastingThread, moduleOf } from '../../process/thread.ts'
import type { ChangeFile } from '../../snapshot/changes/change-file.ts'
import type { ServedSnapshot } from '../protocol.ts'
import type { ThreadApiStart } from '../thread-api.ts'

export interface ControlOrder {
  readonly keys: KeyNews
  readonly snapshot: ServedSnapshot | undefined
}

export type ControlCalls = {
  /** Returns the place at which the admin API listens. @throws Refusal `ledger-refused`, `cannot-listen`. */
  start(order: ControlOrder): string | undefined
  /** Takes the end of a link to a serving thread; see `LinkCalls`. */
  connect(link: MessagePort): void
  takeKeys(news: KeyNews): void
  serve(snapshot: ServedSnapshot): void
  takeChanges(changes: readonly ChangeFile[]): void
  close(nothing: undefined): void
}

export type ControlQuestions = {
  /** Looks up a key that the thread does not have, by its hash; it is handed what is found. */
  seekKey(hash: string): void
  /** Done when every thread has taken over what was done to keys. */
  takeOver(change: KeysChange): void
}

interface ControlOptions {
  readonly start: ThreadApiStart
  readonly order: () => ControlOrder
  readonly handlers: Handlers<ControlQuestions>
  readonly onDeath: (error: Error) => void
}

export class ControlThread extends LastingThread<
  string | undefined,
  ControlCalls,
  ControlQuestions
> {
  constructor({ start, order, handlers, onDeath }: ControlOptions) {
    super(moduleOf('control-worker', import.meta.url), {
      ...{ name: 'the control thread', workerData: start, handlers, onDeath },
      begin: (channel) => channel.call('start', order()),
      end: (channel) => channel.call('close', undefined),
    })
  }

  async connect(): Promise<Transferred<MessagePort>> {
    await this.begun()
    const { port1, port2 } = new MessageChannel()
    await this.channel!.call('connect', new Transferred(port2, [port2]))
    return new Transferred(port1, [port1])
  }

  /** Hands over news of keys; a thread that begins gets all of them. */
  takeKeys(news: KeyNews): void {
    this.channel?.notify('takeKeys', news)
  }

  takeChanges(changes: readonly ChangeFile[]): void {
    this.channel?.notify('takeChanges', changes)
  }

  /** Done when the thread answers from a snapshot, and reads the one before no more. */
  async serve(snapshot: ServedSnapshot): Promise<void> {
    // One that dies reads nothing, and is begun anew with what is served then.
    await this.channel?.call('serve', snapshot).catch(() => {})
  }
}
