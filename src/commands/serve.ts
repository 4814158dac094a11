/** The `serve` command: the service, until a signal ends it. */
import { startService } from '../serve/service.ts'
import { type Command, command } from './command.ts'

export const serveCommand: Command = command({
  operands: '',
  settings: ['host', 'port', 'threads', 'snapshots', 'data', 'json'],
  help: 'answer requests',
  run: async ({ values, terminal, interrupted }) => {
    const ended = interrupted()
    const service = await startService(values)
    const { port, threads, snapshotId } = service
    const address = `http://${values.host.includes(':') ? `[${values.host}]` : values.host}:${port}`
    if (values.json) terminal.print(JSON.stringify({ address, port, threads, snapshotId }))
    else terminal.print(`serving snapshot ${snapshotId} on ${address} with ${threads} threads`)
    await ended
    await service.close()
  },
})
