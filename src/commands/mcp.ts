/** The `mcp` command: the MCP tools over stdin and stdout, for one client. Nothing but the protocol goes to stdout. */
import { randomFillSync } from 'node:crypto'
import { once } from 'node:events'
import type { Transport } from '@modelcontextprotocol/server'
import { activate } from '../api/active-snapshot.ts'
import { Api } from '../api/api.ts'
import { RequestIds } from '../api/pipeline/request-ids.ts'
import { withoutWholeKeys } from '../ledger/books/key.ts'
import type { AnswerSource, McpOffer } from '../mcp/answer-source.ts'
import { localSource, TopicList } from '../mcp/local.ts'
import { asMeant } from '../mcp/messages.ts'
import { pastedKey, remoteSource, serviceAddress } from '../mcp/remote.ts'
import { Refusal } from '../problems.ts'
import { readChain } from '../snapshot/changes/change-directory.ts'
import { loadForAnswers } from '../snapshot/store/directory.ts'
import { snapshotsOrExample } from '../snapshot/store/example.ts'
import { announcedId } from '../snapshot/store/states.ts'
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
  const transport = readTransport(new StdioServerTransport())
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
  const id = announcedId(snapshots)
  if (id === undefined) {
    const hint = 'publish one with: authority-index sync --source DIR'
    throw new Refusal('snapshot-missing', `${snapshots}: no snapshot is announced; ${hint}`)
  }
  const changes = readChain(snapshots, id).files
  const served = activate(loadForAnswers(snapshots, id), { changes })
  const api = new Api({
    served: () => served,
    clock: () => performance.now(),
    ids: new RequestIds(randomFillSync),
    onError: (error, requestId) => terminal.report(`request ${requestId}: ${messageOf(error)}`),
  })
  const topics = new TopicList(() => served.catalog)
  return localSource(api, topics, offer)
}

function messageOf(error: unknown): string {
  return error instanceof Error ? (error.stack ?? error.message) : String(error)
}
