/** An OpenAPI document of this address, as a view reads it. */
import { useCallback, useEffect, useState } from 'preact/hooks'
import type { OpenApiDocument } from '../../model/reference/reference.ts'

/** The document; until it is there, why not. */
export type LoadedDocument = OpenApiDocument | 'loading' | 'failed'

/** Loads a document; `load` tries again. */
export function useApiDocument(path: string) {
  const [loaded, setLoaded] = useState<LoadedDocument>('loading')
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
export function useOperationInAddress(isThere: boolean): void {
  useEffect(() => {
    const { hash } = location
    if (isThere && hash !== '') document.getElementById(hash.slice(1))?.scrollIntoView()
  }, [isThere])
}
