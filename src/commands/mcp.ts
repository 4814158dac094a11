/** The `mcp` command: the MCP tools over stdin and stdout, for one client. Nothing but the protocol goes to stdout. */
import { once } from 'node:events'
import type { Transport } from '@modelcontextprotocol/server'
import { announcedIn, localApi } from '../api/announced.ts'
import { withoutWholeKeys } from '../ledger/books/key.ts'
import {
  type AnswerSource,
  askingOf,
  largestTopicsOf,
  type McpOffer,
} from '../mcp/answer-source.ts'
import { asMeant } from '../mcp/messages.ts'
import { pastedKey, remoteSource, serviceAddress } from '../mcp/remote.ts'
import { Refusal } from '../problems.ts'
import { snapshotsOrExample } from '../snapshot/store/example.ts'
import type { CommandRun, Terminal } from './command.ts'

export const mcpCommand: CommandRun<'mcp'> = async ({ values, terminal, interrupted }) => {
  const { url: pasted, key, snapshots, mcpSearchFetch: searchFetch, publicUrl } = values
  const url = pasted === null ? null : serviceAddress(pasted)
  const offer = { isCharged: url !== null, searchFetch, publicUrl: publicUrl ?? url }
  if (url !== null && key === '') {
    throw new Refusal('wrong-usage', '--url needs a key: set AUTHORITY_INDEX_KEY')
  }
  const source = await (url === null
    ? snapshotSource(snapshots, terminal, offer)
    : remoteSource(url, pastedKey(key), offer))
  const [{ serveStdio, StdioServerTransport }, { newServer }] = await Promise.all([
    import('@modelcontextprotocol/server/stdio'),
    import('../mcp/mcp-server.ts'),
  ])
  const transport = readTransport(new StdioServerTransport(process.stdin, process.stdout))
  const ended = Promise.race([once(process.stdin, 'close'), interrupted()])
  const onError = (error: unknown) => terminal.report(messageOf(error))
  const session = serveStdio(() => newServer(source, onError), { transport, onerror: onError })
  await ended
  await session.close()
}

/** The transport over another: messages come as their client meant them, and no key goes out. */
function readTransport(wire: Transport): Transport {
  const transport: Transport = {
    start: () => {
      wire.onmessage = (message, extra) => transport.onmessage?.(asMeant(message), extra)
      wire.onclose = () => transport.onclose?.()
      wire.onerror = (error) => transport.onerror?.(error)
      return wire.start()
    },
    send: (message) => {
      const text = JSON.stringify(message)
      const said = withoutWholeKeys(text)
      return wire.send(said === text ? message : JSON.parse(said))
    },
    close: () => wire.close(),
  }
  return transport
}

/** No key and no price: who may read the snapshot may ask it. */
async function snapshotSource(
  directory: string,
  terminal: Terminal,
  offer: McpOffer,
): Promise<AnswerSource> {
  const snapshots = await snapshotsOrExample(directory, terminal.report)
  const served = announcedIn(snapshots)
  if (served === undefined) {
    const hint = 'publish one with: authority-index sync --source DIR'
    throw new Refusal('snapshot-missing', `${snapshots}: no snapshot is announced; ${hint}`)
  }
  const api = localApi(served, (error, requestId) =>
    terminal.report(`request ${requestId}: ${messageOf(error)}`),
  )
  return { ...offer, largestTopics: largestTopicsOf(served), ask: askingOf(api) }
}

function messageOf(error: unknown): string {
  return error instanceof Error ? (error.stack ?? error.message) : String(error)
}
