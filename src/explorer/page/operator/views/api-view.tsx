/** The reference of the admin API, made from its OpenAPI document, which needs no key. */
import { referenceOf } from '../../model/reference/reference.ts'
import { useApiDocument, useOperationInAddress } from '../../parts/reference/api-document.ts'
import { OperationText } from '../../parts/reference/operation-text.tsx'
import { Loading, State } from '../../parts/states.tsx'

const documentPath = '/admin/v1/openapi.json'

export function ApiView() {
  const { loaded, load } = useApiDocument(documentPath)
  useOperationInAddress(typeof loaded === 'object')
  if (loaded === 'loading') return <Loading />
  if (loaded === 'failed') {
    return (
      <State title="The service does not answer" isAlert>
        <button type="button" onClick={load}>
          Try again
        </button>
      </State>
    )
  }
  const operations = referenceOf(loaded)
  return (
    <div class="reference">
      <nav class="contents" aria-label="Operations">
        <details>
          <summary class="button">Contents</summary>
          <ul>
            {operations.map(({ id, method, path }) => (
              <li key={id}>
                <a href={`#${id}`}>
                  <span class={`method ${method}`}>{method}</span> {path.replace('/admin/v1', '')}
                </a>
              </li>
            ))}
          </ul>
        </details>
      </nav>
      <div class="content">
        <h1>{loaded.info.title} API</h1>
        <p class="overview">{loaded.info.description}</p>
        <p class="muted">
          Made from <a href={documentPath}>{documentPath}</a>, which needs no key.
        </p>
        {operations.map((operation) => (
          <section
            key={operation.id}
            id={operation.id}
            class="operation"
            aria-labelledby={`${operation.id}-title`}
          >
            <OperationText operation={operation} />
          </section>
        ))}
      </div>
    </div>
  )
}
