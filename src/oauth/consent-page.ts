/** The page on which a person allows a client to spend, without a script. The client's own words are text only. */
import { createHash } from 'node:crypto'
import { capPeriods } from '../money.ts'
import type { AskedAccess } from './authorization.ts'
import { placeOf, policySourceOf } from './clients/redirects.ts'
import type { OAuthError, OAuthReply } from './exchange.ts'
import { oauthPaths } from './metadata.ts'

export interface ConsentShown {
  readonly signed: string
  /** Undefined without a login, or after it. */
  readonly loginAddress?: string | undefined
  /** The result of the login: signed, and in words. */
  readonly login?: { readonly signed: string; readonly text: string } | undefined
  readonly fault?: string | undefined
  readonly cap?: string | undefined
  readonly period?: string | undefined
}

const periodWords = { total: 'in all', day: 'each day', month: 'each month' } as const

const style =
  'body{font:1rem/1.5 system-ui,sans-serif;max-width:34rem;margin:2rem auto;padding:0 1rem}' +
  'label,p{display:block;margin:1rem 0}input,select,button{font:inherit;padding:.4rem}' +
  'input[type=password]{width:100%;box-sizing:border-box}[role=alert]{border-left:4px solid #b00;padding-left:.6rem}' +
  'code{overflow-wrap:anywhere}'

const styleHash = createHash('sha256').update(style).digest('base64')

export function consentPage(asked: AskedAccess, shown: ConsentShown, status = 200): OAuthReply {
  const { fault } = shown
  const name = `<strong>${escaped(asked.name)}</strong>`
  const known =
    asked.host === undefined
      ? 'It registered itself: any program can use this name.'
      : `The name comes from ${escaped(asked.host)}.`
  const content = [
    `<h1>Connect ${name} to the Authority Index?</h1>`,
    fault === undefined ? '' : `<p role="alert">${escaped(fault)}</p>`,
    `<p>${name} wants to ask the index with the tools of <code>/mcp</code>, and to pay from your account. ${known}</p>`,
    `<p>The answer goes to <strong>${escaped(placeOf(asked.redirect))}</strong>: <code>${escaped(asked.redirect)}</code></p>`,
    '<p>Go on only if you have just started this yourself in that program.</p>',
    formTextOf(shown),
    '<p>Each access ends after an hour and is renewed while it is used. It shows in the list of your keys and can be revoked there.</p>',
  ]
  return htmlReply(status, 'Connect a client', content, policySourceOf(asked.redirect))
}

function formTextOf(shown: ConsentShown): string {
  const { signed, login, loginAddress, cap = '5', period = 'month' } = shown
  const key =
    '<label>Your API key <input type="password" name="key" autocomplete="off" spellcheck="false" maxlength="200"></label>'
  const link =
    loginAddress === undefined
      ? ''
      : `<p><a href="${escaped(loginAddress)}">Log in</a>, or paste a key.</p>`
  const who =
    login === undefined
      ? `${link}${key}`
      : `<p>${escaped(login.text)}</p><input type="hidden" name="login" value="${escaped(login.signed)}">`
  const options = capPeriods.map((each) => {
    const chosen = each === period ? ' selected' : ''
    return `<option value="${each}"${chosen}>${periodWords[each]}</option>`
  })
  return [
    `<form method="post" action="${oauthPaths.consent}">`,
    `<input type="hidden" name="request" value="${escaped(signed)}">`,
    who,
    `<label>It may spend at most <input name="cap" inputmode="decimal" size="8" maxlength="20" value="${escaped(cap)}"> USD`,
    ` <select name="period">${options.join('')}</select></label>`,
    '<p><button name="decision" value="allow">Allow</button> <button name="decision" value="deny">Deny</button></p>',
    '</form>',
  ].join('\n')
}

export function faultPage({ code, status, message }: OAuthError): OAuthReply {
  const content = [
    '<h1>This client cannot be connected</h1>',
    `<p>${escaped(message)}</p>`,
    `<p><code>${code}</code></p>`,
  ]
  return htmlReply(status, 'Not connected', content)
}

/** @param target of the form's answer, beside this service. */
function htmlReply(
  status: number,
  title: string,
  content: readonly string[],
  target = '',
): OAuthReply {
  const body = [
    '<!doctype html><html lang="en"><head><meta charset="utf-8">',
    '<meta name="viewport" content="width=device-width, initial-scale=1">',
    `<meta name="color-scheme" content="light dark"><title>${title}</title><style>${style}</style></head><body>`,
    ...content,
    '</body></html>',
  ].join('\n')
  const policy = [
    "default-src 'none'",
    `style-src 'sha256-${styleHash}'`,
    "base-uri 'none'",
    `form-action 'self' ${target}`.trim(),
    "frame-ancestors 'none'",
  ]
  const headers: OAuthReply['headers'] = [
    ['Content-Type', 'text/html; charset=utf-8'],
    ['Content-Security-Policy', policy.join('; ')],
    ['X-Frame-Options', 'DENY'],
    ['Cross-Origin-Opener-Policy', 'same-origin'],
    ['Referrer-Policy', 'same-origin'],
    ['X-Robots-Tag', 'noindex'],
    ['Cache-Control', 'no-store'],
  ]
  return { status, headers, body }
}

function escaped(text: string): string {
  return text.replace(/[&<>"']/g, (character) => `&#${character.charCodeAt(0)};`)
}
