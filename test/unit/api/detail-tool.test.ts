/** The text of the tool of profiles: it says how a record and its handles were found to be theirs. */
import { describe, expect, it } from 'vitest'
import { itemSchemas } from '../../../src/api/operations/items.ts'
import { tools } from '../../../src/api/operations/tools.ts'
import type { ToolInput } from '../../../src/api/schemas/tool-inputs.ts'
import { ask, newApi } from '../../support/api-client.ts'
import { servedOf } from '../../support/built.ts'
import { authority, social } from '../../support/records.ts'

const api = newApi(
  servedOf({
    authorities: [
      authority({
        sdu: '1',
        name: 'Ann',
        proof: { by: 'register', at: '2026-11-01' },
        socials: [{ ...social('github', 'ann', 5), proof: { by: 'rel=me', at: null } }],
      }),
      authority({ sdu: '2', name: 'Bo' }),
    ],
  }),
)

function textOf(sdu: string, explain: boolean): string {
  const { json } = ask(api, `/api/v1/detail?sdu=${sdu}${explain ? '&explain=true' : ''}`)
  const items = json.results.map((item) => itemSchemas.profile.parse(item))
  const input = { sdus: [sdu], response_format: 'detailed' } as unknown as ToolInput<'detail'>
  const answer = { input, format: 'detailed', all: items } as const
  return tools.detail.read(items, { ...answer, chosen: undefined }).text
}

describe('the text of an explained profile', () => {
  it('says how the person and the handles are known to be theirs', () => {
    expect(textOf('1', true)).toContain(
      'Known to be theirs: the person by register (2026-11-01), github ann by rel=me',
    )
  })

  it('says nothing of it where the record does not, or nobody asked', () => {
    expect(textOf('2', true)).not.toContain('Known to be theirs')
    expect(textOf('1', false)).not.toContain('Known to be theirs')
  })
})
