/**
 * An address that no other service listens on. The threads of a service share their port, and the system
 * would let a second service of the same user share it too. A plain listener, which shares its port with
 * no other, finds a service that listens already. Between that check and the threads, a lock admits only
 * one service of a machine, so that two simultaneous starts cannot both pass the check.
 */
import { lookup } from 'node:dns/promises'
import { type AddressInfo, createServer, type Server } from 'node:net'
import { setTimeout as sleep } from 'node:timers/promises'
import { Refusal } from '../../problems.ts'

/**
 * A socket without a file, which only Linux has (unix(7), abstract): one process of a network namespace
 * has it, and it is gone with that process.
 */
const turnName = `\0authority-index-listen-${process.getuid?.() ?? ''}`

/** Maximum wait for other services to listen, each of which needs some milliseconds, and interval between attempts. */
const turnMsMax = 10_000
const lookMs = 20

/**
 * Listens on a port that no other process has.
 * @param port 0 becomes one that is free, because a socket that was bound to 0 is not shared.
 * @throws Refusal `cannot-listen`, and any error of `listen`.
 */
export async function listenAlone(
  host: string,
  port: number,
  listen: (port: number) => Promise<void>,
): Promise<void> {
  const turn = process.platform === 'linux' ? await takeTurn() : undefined
  try {
    await listen(await findFreePort(host, port))
  } finally {
    turn?.close()
  }
}

async function takeTurn(): Promise<Server> {
  for (let waitedMs = 0; waitedMs < turnMsMax; waitedMs += lookMs) {
    const turn = await bound({ path: turnName })
    if (!(turn instanceof Error)) return turn
    if (turn.code !== 'EADDRINUSE') throw refusal(turn.message)
    await sleep(lookMs)
  }
  throw refusal(`another service has been about to listen for ${turnMsMax / 1000} s`)
}

/**
 * The port, or for 0 one that is free. A name may stand for several addresses, and a thread listens on one of them.
 * @throws Refusal `cannot-listen`.
 */
export async function findFreePort(host: string, port: number): Promise<number> {
  const addresses = await lookup(host, { all: true }).catch((error: Error) => {
    throw refusal(`on ${host}: ${error.message}`)
  })
  let free = port
  let isListening = false
  let failure: Error | undefined
  for (const { address } of addresses) {
    const probe = await bound({ host: address, port: free })
    if (!(probe instanceof Error)) {
      free = (probe.address() as AddressInfo).port
      isListening = true
      await new Promise((resolve) => probe.close(resolve))
    } else if (probe.code !== 'EADDRNOTAVAIL') {
      throw refusal(`on ${host}:${port}: ${probe.message}`)
    } else {
      failure = probe
    }
  }
  if (isListening) return free
  throw refusal(`on ${host}:${port}: ${failure?.message ?? 'the name has no address'}`)
}

function bound(
  where: { readonly path: string } | { readonly host: string; readonly port: number },
): Promise<Server | NodeJS.ErrnoException> {
  return new Promise((resolve) => {
    const server = createServer()
    server.once('error', resolve)
    server.listen(where, () => resolve(server))
  })
}

function refusal(why: string): Refusal {
  return new Refusal('cannot-listen', `cannot listen ${why}`)
}
