/** The paths of OAuth on the service. A serving thread answers the metadata and bounds the rest. */
import type { Api } from '../api/api.ts'
import { readyReply, readyText } from '../api/ready-file.ts'
import { type AsyncRoute, headerOf, targetPathOf, wrongMethod } from '../http/async-route.ts'
import { Cors } from '../http/cors.ts'
import { limits } from '../limits.ts'
import { metadataOf, oauthPaths } from './metadata.ts'

interface OAuthEndpointContext {
  readonly api: Api
  readonly issuer: string
  readonly answer: AsyncRoute['answer']
}

const postedPaths: readonly string[] = [
  oauthPaths.consent,
  oauthPaths.token,
  oauthPaths.register,
  oauthPaths.revoke,
]

/** Paths of pages for people: no page of another origin may request or read them. */
const pagePaths: readonly string[] = [oauthPaths.authorize, oauthPaths.consent, oauthPaths.loggedIn]

/** Nothing here goes by cookies but the pages of persons, so any page may ask. */
const cors = new Cors({
  isAllowed: (origin) => origin !== '',
  methods: 'GET, POST',
  sent: 'Authorization, Content-Type, MCP-Protocol-Version',
  exposed: 'Retry-After, X-Request-Id',
})

export function oauthEndpoint(context: OAuthEndpointContext): AsyncRoute {
  const { api, issuer, answer } = context
  const documents = new Map(
    Object.entries(metadataOf(issuer)).map(([path, content]) => [
      path,
      readyText('application/json', JSON.stringify(content)),
    ]),
  )
  return {
    paths: Object.values(oauthPaths),
    bodyBounds: { bytesMax: limits.oauthBodyBytesMax, piecesMax: 256, secondsMax: 10 },
    inFlightMax: 64,
    cors: (path) => (pagePaths.includes(path) ? undefined : cors),
    admit: (head) => {
      const path = targetPathOf(head)
      const method = postedPaths.includes(path) ? 'POST' : 'GET'
      if (head.method !== method) return { refusal: wrongMethod(api, path, [method]) }
      const document = documents.get(path)
      if (document !== undefined) {
        const wanted = { ifNoneMatch: headerOf(head, 'if-none-match'), acceptEncoding: '' }
        const headers = [['Cache-Control', 'public, max-age=3600']] as const
        return { refusal: api.named(readyReply(document, wanted, headers)) }
      }
      return { refusal: api.refusalOfAddress(head.address) }
    },
    answer,
  }
}
