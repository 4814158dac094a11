/**
 * The messages between systemd and a service: credentials (`LoadCredential=`) come in a directory, and states
 * (`Type=notify`) go to a socket. Node.js has no datagram sockets of that kind, so systemd's own `systemd-notify`
 * sends them; the unit needs `NotifyAccess=all`. Without systemd nothing is read and nothing is started.
 */
import { spawn } from 'node:child_process'
import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { Refusal } from '../problems.ts'

const variableShape = /^AUTHORITY_INDEX_[A-Z_]+$/

/**
 * The credentials that are named like variables of settings, without the end of their line.
 * @param directory `CREDENTIALS_DIRECTORY` of the process.
 * @throws Refusal `wrong-usage` if they cannot be read.
 */
export function credentialsIn(directory: string | undefined): Record<string, string> {
  if (directory === undefined) return {}
  try {
    const names = readdirSync(directory).filter((name) => variableShape.test(name))
    return Object.fromEntries(
      names.map((name) => [
        name,
        readFileSync(join(directory, name), 'utf8').replace(/\r?\n$/, ''),
      ]),
    )
  } catch (error) {
    throw new Refusal('wrong-usage', `credentials cannot be read: ${(error as Error).message}`)
  }
}

type ServiceState = 'READY=1' | 'STOPPING=1'

/** Reports a state, with a line for `systemctl status`; resolves when systemd has it, and never rejects. */
type Notify = (state: ServiceState, status: string) => Promise<void>

/**
 * Reports to the service manager that started the process, if one did.
 * @param socket `NOTIFY_SOCKET` of the process; `systemd-notify` inherits it.
 */
export function notifier(socket: string | undefined, complain: (line: string) => void): Notify {
  if (socket === undefined) return async () => {}
  return (state, status) =>
    new Promise((resolve) => {
      const failed = (reason: string) => {
        complain(`systemd was not told ${state}: systemd-notify ${reason}`)
        resolve()
      }
      const words = [state, `STATUS=${status}`]
      spawn('systemd-notify', words, { stdio: 'ignore' })
        .on('error', ({ message }) => failed(`cannot be started: ${message}`))
        .on('exit', (code, signal) => (code === 0 ? resolve() : failed(`ended: ${code ?? signal}`)))
    })
}
