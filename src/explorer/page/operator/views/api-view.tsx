/** The reference of the admin API, made from its OpenAPI document, which needs no key. */
import { type OpenApiDocument, referenceOf } from '../../model/reference/reference.ts'
import { LoadedDocument } from '../../parts/reference/loaded-document.tsx'
import { OperationText } from '../../parts/reference/operation-text.tsx'

const documentPath = '/admin/v1/openapi.json'

export function ApiView() {
  return (
    <LoadedDocument path={documentPath}>{(document) => <Api document={document} />}</LoadedDocument>
  )
}

function Api({ document }: { document: OpenApiDocument }) {
  const operations = referenceOf(document)
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
        <h1>{document.info.title} API</h1>
        <p class="overview">{document.info.description}</p>
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
