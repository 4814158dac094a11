/**
 * What the methods return: promises of the data, which can tell what the answer cost, and be iterated from page to page.
 */

/** An answer with its price and origin. */
export interface Answer<T> {
  readonly data: T
  /** Status and headers; of a long list those of the last part. The body has been read. */
  readonly response: Response
  readonly requestId: string
  /** USD charged; of a batch the share of this call. 0 for what is free or was charged before. */
  readonly cost: number
  /** USD that the account can still spend; null if the answer does not say. */
  readonly balance: number | null
  /** The id of the snapshot that answered. */
  readonly snapshot: string
}

/** A promise of the data of an answer. */
export class AnswerPromise<T> extends Promise<T> {
  readonly #answer: Promise<Answer<T>>

  /** What `then` makes is a plain promise. */
  static override get [Symbol.species](): PromiseConstructor {
    return Promise
  }

  constructor(answer: Promise<Answer<T>>) {
    super((resolve, reject) => {
      answer.then(({ data }) => resolve(data), reject)
    })
    this.#answer = answer
  }

  /** The data together with cost, balance, snapshot and response. */
  withResponse(): Promise<Answer<T>> {
    // An error is that of the promise that is returned; here it counts as handled.
    this.catch(() => {})
    return this.#answer
  }
}

/** A page of a list. */
export interface Page<Item> {
  readonly results: Item[]
  /** The `cursor` of the next page; null or absent behind the last. */
  readonly next_cursor?: string | null | undefined
}

/** A promise of the first page of a list; iterating gives the items of all pages, each asked for when it is needed. */
export class PagePromise<Item, P extends Page<Item> = Page<Item>>
  extends AnswerPromise<P>
  implements AsyncIterable<Item>
{
  readonly #after: (cursor: string) => Promise<P>

  constructor(first: Promise<Answer<P>>, after: (cursor: string) => Promise<P>) {
    super(first)
    this.#after = after
  }

  async *[Symbol.asyncIterator](): AsyncGenerator<Item, void> {
    let page: Page<Item> = await this
    yield* page.results
    while (page.next_cursor != null) {
      page = await this.#after(page.next_cursor)
      yield* page.results
    }
  }
}
