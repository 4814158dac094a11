/**
 * uWebSockets.js, which this file alone imports. Its addon is compiled for versions of Node and of
 * the C library, and npm has two builds of it: the newer is taken if it loads, else the older,
 * whose parser of requests has flaws (README.md). No other file may depend on which one is loaded.
 */
import { createRequire } from 'node:module'
import type * as uWebSockets from 'uws-pack'
import { isMissing } from '../process/missing.ts'

/** The functions of uWebSockets.js that the service uses; both builds have them. */
export type WireLibrary = Pick<
  typeof uWebSockets,
  'App' | 'SSLApp' | 'us_listen_socket_close' | 'us_socket_local_port'
>

/** A request while its handler runs. */
export type HttpRequest = uWebSockets.HttpRequest

export type HttpResponse = uWebSockets.HttpResponse

export type ListenSocket = uWebSockets.us_listen_socket

/** A name of a header as memory: a look-up took 43 ns, 54 ns by a `Buffer`, 96 ns by a text, which is copied. */
export function headerName(name: string): ArrayBuffer {
  return new TextEncoder().encode(name).buffer
}

export type WireApp = uWebSockets.TemplatedApp

export interface WireBuild {
  readonly name: string
  readonly version: string
}

export interface WireCandidate extends WireBuild {
  /** Throws or rejects if no addon of the package loads. */
  readonly load: () => WireLibrary | Promise<WireLibrary>
}

interface LoadedWire {
  readonly build: WireBuild
  readonly library: WireLibrary
}

/**
 * The variable that uWebSockets.js takes the bytes of a request's head from when it is first loaded;
 * to be set before, and for the whole process.
 */
export const headBytesVariable = 'UWS_HTTP_MAX_HEADERS_SIZE'

/** Best first. Node 20, 22, 24 and 25 with glibc 2.38; Node 18 to 22 with glibc 2.27; macOS both. */
export const wireBuilds: readonly WireCandidate[] = [
  {
    name: '@btc-vision/uwebsockets.js',
    version: '20.57.0',
    // Not `import`, with which Node 20 does not survive a CommonJS module that throws.
    load: () => createRequire(import.meta.url)('@btc-vision/uwebsockets.js'),
  },
  { name: 'uws-pack', version: '20.0.8', load: () => import('uws-pack') },
]

/**
 * Loads the best build that this machine can load; undefined if none loads.
 * @throws Error of a package that is not there, where none is.
 */
export async function loadWireLibrary(
  builds: readonly WireCandidate[] = wireBuilds,
): Promise<LoadedWire | undefined> {
  const missing: Error[] = []
  for (const { name, version, load } of builds) {
    try {
      return { build: { name, version }, library: await load() }
    } catch (error) {
      // Any other was compiled for another Node or C library: its error says only that.
      if (isMissing(error)) missing.push(error)
    }
  }
  if (missing.length === builds.length) throw missing[0]
  return undefined
}
