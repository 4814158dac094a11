/** The command that makes a link with which a listed person sees the own entry. */
import { personPath, readLinkSecret } from '../../explorer/person-link.ts'
import { Refusal } from '../../problems.ts'
import { sduShape } from '../../source/fields.ts'
import type { CommandRun, CommandRuns } from '../command.ts'

/** Lifetime of a link without `--expires`, ms. */
const usualMs = 30 * 86_400_000

const link: CommandRun<'person link'> = ({ operands: [sdu = ''], values, terminal, clock }) => {
  if (!sduShape.test(sdu)) throw new Refusal('wrong-usage', 'an SDU is 1 to 32 digits')
  if (values.linkSecret === '') throw new Refusal('wrong-usage', 'person link needs --link-secret')
  const expiresAtMs = clock() + (values.expires || usualMs)
  const path = personPath(readLinkSecret(values.linkSecret), sdu, expiresAtMs)
  const address = `${values.url ?? ''}${path}`
  const expires = new Date(expiresAtMs).toISOString()
  terminal.print(values.json ? JSON.stringify({ link: address, expires }) : address)
  if (!values.json) terminal.report(`good until ${expires}`)
}

/** `person link`. */
export const personCommands: CommandRuns<'person'> = { 'person link': link }
