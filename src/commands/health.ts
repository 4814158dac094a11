/** The `health` command: asks a running service whether it is ready. The exit code is the answer. */
import { causeMessage, Refusal } from '../problems.ts'
import type { CommandRun } from './command.ts'

/** A service that does not answer within this time is not ready. */
const answerMsMax = 5_000

export const healthCommand: CommandRun<'health'> = async ({
  values: { url, host, port, json },
  terminal,
}) => {
  const address = url ?? `http://${reachable(host)}:${port}`
  const { isReady, text } = await askReadiness(address)
  if (json) terminal.print(text)
  if (!isReady) throw new Refusal('not-ready', `${address} is not ready: ${text}`)
  if (!json) terminal.print(`${address} is ready`)
}

function reachable(host: string): string {
  if (host === '0.0.0.0') return '127.0.0.1'
  if (host === '::') return '[::1]'
  return host.includes(':') ? `[${host}]` : host
}

async function askReadiness(address: string): Promise<{ isReady: boolean; text: string }> {
  try {
    const signal = AbortSignal.timeout(answerMsMax)
    const response = await fetch(`${address}/readyz`, { signal, redirect: 'error' })
    return { isReady: response.status === 200, text: await response.text() }
  } catch (error) {
    throw new Refusal('not-ready', `${address} does not answer: ${causeMessage(error)}`)
  }
}
