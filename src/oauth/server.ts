/** The authorization server without a wire: a request becomes a reply. */
import { Refusal } from '../problems.ts'
import { clientDocuments } from './clients/documents.ts'
import { register } from './clients/registration.ts'
import { askPerson, takeConsent, takeLogin } from './consent.ts'
import { faultPage } from './consent-page.ts'
import { errorReply, OAuthError, type OAuthReply, type OAuthRequest } from './exchange.ts'
import { oauthPaths } from './metadata.ts'
import type { OAuthContext, OAuthOptions } from './options.ts'
import { Signer } from './signing.ts'
import { giveTokens, revokeToken } from './tokens.ts'

type Answer = (context: OAuthContext, request: OAuthRequest) => OAuthReply | Promise<OAuthReply>

const pages: Readonly<Record<string, Answer>> = {
  [oauthPaths.authorize]: askPerson,
  [oauthPaths.loggedIn]: takeLogin,
  [oauthPaths.consent]: takeConsent,
}

const calls: Readonly<Record<string, Answer>> = {
  [oauthPaths.register]: (context, request) => register(request, context.signer, context.clock()),
  [oauthPaths.token]: giveTokens,
  [oauthPaths.revoke]: revokeToken,
}

/** A disk or a database that does not work at the moment is no bug. */
function asOAuthError(thrown: unknown): OAuthError {
  if (thrown instanceof OAuthError) return thrown
  if (thrown instanceof Refusal && thrown.kind === 'unavailable') {
    return new OAuthError('temporarily_unavailable', 'The ledger cannot be used. Try again soon.')
  }
  throw thrown
}

/** Answers a request for a path of OAuth, by a method that it has. */
export type AnswerOAuth = (request: OAuthRequest) => Promise<OAuthReply>

export function oauthServer(options: OAuthOptions): AnswerOAuth {
  const signer = new Signer(options.secret)
  const context = { ...options, clientAt: clientDocuments(options), signer }
  return async (request) => {
    const page = pages[request.path]
    try {
      return await (page ?? calls[request.path]!)(context, request)
    } catch (thrown) {
      const error = asOAuthError(thrown)
      return page === undefined ? errorReply(error) : faultPage(error)
    }
  }
}
