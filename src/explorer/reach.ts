/**
 * The browsers that get the explorer: all, or those of this computer. A browser of this computer names it as a
 * loopback host, and no proxy has forwarded its request.
 */
import { isLoopback } from '../text/network.ts'

/** `on`: every browser; `local`: those of this computer; `off`: none. */
export type ExplorerReach = 'on' | 'local' | 'off'

interface PageCaller {
  readonly host: string
  readonly isForwarded: boolean
}

/** The reach in force. Without a setting: `local` if the service listens on a loopback host, else `off`. */
export function reachOf(setting: ExplorerReach | null, host: string): ExplorerReach {
  return setting ?? (isLoopback(host) ? 'local' : 'off')
}

/** @param host the header `Host`: host and port, as the client calls them; '' without one. */
export function isLocal({ host, isForwarded }: PageCaller): boolean {
  const name = host.replace(/:\d*$/, '').replace(/^\[|\]$/g, '')
  return !isForwarded && (isLoopback(name) || name.toLowerCase().endsWith('.localhost'))
}
