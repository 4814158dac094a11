/**
 * What the MCP bundle runs: the tools on stdin and stdout over a service elsewhere, whose address and key the client
 * puts into the environment. It loads no snapshot, no ledger and no native module.
 */
import { serveStdio } from '@modelcontextprotocol/server/stdio'
import { newServer } from '../../src/mcp/mcp-server.ts'
import { pastedKey, remoteSource, serviceAddress } from '../../src/mcp/remote.ts'

const { AUTHORITY_INDEX_URL = '', AUTHORITY_INDEX_KEY = '' } = process.env
const url = serviceAddress(AUTHORITY_INDEX_URL)
const key = pastedKey(AUTHORITY_INDEX_KEY)

if (!/^https?:\/\/./i.test(url) || !URL.canParse(url) || key === '') {
  process.stderr.write(
    'set AUTHORITY_INDEX_URL to the address of a service and AUTHORITY_INDEX_KEY to a key of it\n',
  )
  process.exitCode = 2
} else {
  const onError = (error: unknown) => void process.stderr.write(`${String(error)}\n`)
  const offer = { isCharged: true, searchFetch: false, publicUrl: url }
  const source = await remoteSource(url, key, offer)
  serveStdio(() => newServer(source, onError), { onerror: onError })
}
