/** A view made from an OpenAPI document of this address once it has arrived; until then, the reason why not. */
import type { ComponentChildren } from 'preact'
import { useCallback, useEffect, useState } from 'preact/hooks'
import type { OpenApiDocument } from '../../model/reference/reference.ts'
import { Loading, State } from '../states.tsx'

interface Props {
  readonly path: string
  readonly children: (document: OpenApiDocument) => ComponentChildren
}

export function LoadedDocument({ path, children }: Props) {
  const { loaded, load } = useApiDocument(path)
  useOperationInAddress(typeof loaded === 'object')
  if (loaded === 'loading') return <Loading />
  if (loaded === 'failed') {
    return (
      <State title="The service does not answer" isAlert>
        <p>
          Its reference is made from <code>{path}</code>, which cannot be read now.
        </p>
        <button type="button" onClick={load}>
          Try again
        </button>
      </State>
    )
  }
  return <>{children(loaded)}</>
}

/** The document; until it is there, why not. `load` tries again. */
function useApiDocument(path: string) {
  const [loaded, setLoaded] = useState<OpenApiDocument | 'loading' | 'failed'>('loading')
  const load = useCallback(() => {
    setLoaded('loading')
    fetch(path)
      .then(async (response) => setLoaded(response.ok ? await response.json() : 'failed'))
      .catch(() => setLoaded('failed'))
  }, [path])
  useEffect(load, [load])
  return { loaded, load }
}

/** Goes to the operation that the address names, once it is there. */
function useOperationInAddress(isThere: boolean): void {
  useEffect(() => {
    const { hash } = location
    if (isThere && hash !== '') document.getElementById(hash.slice(1))?.scrollIntoView()
  }, [isThere])
}
