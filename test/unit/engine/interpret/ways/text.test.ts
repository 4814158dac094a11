/** A text without words. */
import { expect, it } from 'vitest'
import { ask, newApi } from '../../../../support/api-client.ts'
import { servedOf } from '../../../../support/built.ts'
import { authority } from '../../../../support/records.ts'

it('finds nobody where it is to be explained, too', () => {
  const served = servedOf({ authorities: [authority({ sdu: '1', name: 'Ada' })] })
  for (const explain of ['true', 'query', 'false']) {
    const { status, json } = ask(newApi(served), `/api/v1/index?query=%00&explain=${explain}`)
    expect([status, json.results]).toEqual([200, []])
  }
})
