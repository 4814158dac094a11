/** What is read of texts before any way is tried. */
import { describe, expect, it } from 'vitest'
import { TypedText } from '../../../../../src/engine/interpret/ways/text.ts'
import { ask, newApi } from '../../../../support/api-client.ts'
import { servedOf } from '../../../../support/built.ts'
import { authority } from '../../../../support/records.ts'

describe('a text without words', () => {
  it('has no core, and is neither cut nor titled', () => {
    const { search } = servedOf({ authorities: [authority({ sdu: '1', name: 'Ada' })] })
    const text = new TypedText('\0', search.words)
    expect([text.words, text.core, text.isCut, text.isTitled]).toEqual([[], [], false, false])
  })

  it('finds nobody where it is to be explained, too', () => {
    const served = servedOf({ authorities: [authority({ sdu: '1', name: 'Ada' })] })
    for (const explain of ['true', 'query', 'false']) {
      const { status, json } = ask(newApi(served), `/api/v1/index?query=%00&explain=${explain}`)
      expect([status, json.results]).toEqual([200, []])
    }
  })
})
