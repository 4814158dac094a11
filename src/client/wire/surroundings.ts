/** Choice of the transport: `node:http` in Node.js, else `fetch`; in a web page only if `exposeKeyInBrowser` is set. */
import { FetchTransport } from './fetch-transport.ts'
import { type HttpModule, NodeTransport } from './node-transport.ts'
import type { Transport } from './transport.ts'

/** Options that decide the transport. */
export interface TransportOptions {
  readonly transport?: Transport | undefined
  readonly fetch?: typeof fetch | undefined
  readonly exposeKeyInBrowser?: boolean | undefined
  readonly connectionsMax?: number | undefined
}

interface Globals {
  readonly document?: unknown
  readonly Deno?: unknown
  readonly process?: { readonly versions?: Readonly<Record<string, string | undefined>> }
}

/**
 * The transport, made at its first use.
 * @param now monotonic milliseconds.
 * @throws TypeError in a web page that does not say that its key may be seen.
 */
export function transportFor(
  options: TransportOptions,
  now: () => number,
): () => Promise<Transport> {
  const { document, Deno, process }: Globals = globalThis
  if (document !== undefined && options.exposeKeyInBrowser !== true) {
    throw new TypeError(
      'a web page shows its key to everybody: ask from a server, or set exposeKeyInBrowser',
    )
  }
  let made: Promise<Transport> | undefined
  const isNode =
    process?.versions?.node !== undefined && Deno === undefined && !process.versions.bun
  const make = async (): Promise<Transport> => {
    if (options.transport !== undefined) return options.transport
    if (options.fetch !== undefined || !isNode) return new FetchTransport(options.fetch ?? fetch)
    // Names in a variable, so that bundlers for browsers leave them alone.
    const [http, https] = await Promise.all(
      ['node:http', 'node:https'].map((name): Promise<HttpModule> => import(name)),
    )
    const { connectionsMax = 32 } = options
    return new NodeTransport({ http: http!, https: https! }, { connectionsMax, clock: now })
  }
  return () => {
    made ??= make()
    return made
  }
}
