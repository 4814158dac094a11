/** A server of client documents on this computer, with the certificate of the tests. It ends with the test. */
import { once } from 'node:events'
import { readFileSync } from 'node:fs'
import type { ServerResponse } from 'node:http'
import { createServer } from 'node:https'
import type { AddressInfo } from 'node:net'
import { join } from 'node:path'
import { onTestFinished } from 'vitest'
import type { DocumentOptions } from '../../../src/oauth/clients/documents.ts'
import { callback } from '../../support/oauth-person.ts'

const files = join(import.meta.dirname, '..', '..', 'support')
const ca = readFileSync(join(files, 'certificate.pem'), 'utf8')
const key = readFileSync(join(files, 'certificate-key.pem'), 'utf8')

/** @param good a document that would be taken. */
export type Behaviour = (response: ServerResponse, good: string) => void

interface DocumentServer {
  /** With which its documents are read. */
  readonly options: Partial<DocumentOptions>
  /** Serves a document; returns the id that it is for. */
  readonly serve: (document: object) => string
  /** Answers in any way, with a document that would be good; returns the id. */
  readonly behave: (answer: Behaviour) => string
  readonly requests: () => number
}

export async function startDocuments(): Promise<DocumentServer> {
  let answer: Behaviour = () => {}
  let requests = 0
  const server = createServer({ cert: ca, key }, (_, response) => {
    requests += 1
    answer(response, JSON.stringify({ client_id: id, redirect_uris: [callback] }))
  })
  server.listen(0, '127.0.0.1')
  await once(server, 'listening')
  onTestFinished(() => {
    server.close()
    server.closeAllConnections()
  })
  const { port } = server.address() as AddressInfo
  const id = `https://localhost:${port}/client.json`
  const behave = (next: Behaviour) => {
    answer = next
    return id
  }
  const resolve = async () => [{ address: '127.0.0.1' }]
  return {
    options: { allowsPrivate: true, allowsPorts: true, ca, resolve },
    behave,
    serve: (document) =>
      behave((response) => {
        response.writeHead(200, { 'content-type': 'application/json' })
        response.end(JSON.stringify({ client_id: id, ...document }))
      }),
    requests: () => requests,
  }
}
