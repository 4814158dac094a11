/** The reference of the API, made from the service's own OpenAPI document, each operation to be tried. */
import { useCallback, useEffect, useState } from 'preact/hooks'
import {
  type OpenApiDocument,
  type ReferenceOperation,
  referenceOf,
} from '../model/reference/reference.ts'
import { toolSetups } from '../model/reference/tool-setup.ts'
import { useIsWide } from '../page-session.ts'
import { CopyableText } from '../parts/copy-button.tsx'
import { OperationSection } from '../parts/reference/operation-section.tsx'
import { Loading, State } from '../parts/states.tsx'

const documentPath = '/openapi.json'

export function ReferenceView() {
  const { loaded, load } = useApiDocument()
  useOperationInAddress(typeof loaded === 'object')
  if (loaded === 'loading') return <Loading />
  if (loaded === 'failed') {
    return (
      <State title="The service does not answer" isAlert>
        <p>
          Its reference is made from <code>{documentPath}</code>, which cannot be read now.
        </p>
        <button type="button" onClick={load}>
          Try again
        </button>
      </State>
    )
  }
  return <Reference document={loaded} />
}

/** The document; until it is there, why not. `load` tries again. */
function useApiDocument() {
  const [loaded, setLoaded] = useState<OpenApiDocument | 'loading' | 'failed'>('loading')
  const load = useCallback(() => {
    setLoaded('loading')
    fetch(documentPath)
      .then(async (response) => setLoaded(response.ok ? await response.json() : 'failed'))
      .catch(() => setLoaded('failed'))
  }, [])
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

function Reference({ document }: { document: OpenApiDocument }) {
  const isWide = useIsWide(52)
  const operations = referenceOf(document)
  return (
    <div class="reference">
      <nav class="contents" aria-label="Operations">
        {isWide ? (
          <Contents document={document} operations={operations} />
        ) : (
          <details>
            <summary class="button">Contents</summary>
            <Contents document={document} operations={operations} />
          </details>
        )}
      </nav>
      <div class="content">
        <h1>{document.info.title} API</h1>
        <p class="overview">{document.info.description}</p>
        <p class="muted">
          Made from <a href={documentPath}>{documentPath}</a> of this service, with the prices that
          it charges.
        </p>
        {operations.map((operation) => (
          <OperationSection key={operation.id} operation={operation} />
        ))}
        <ToolSetups />
      </div>
    </div>
  )
}

interface ContentsProps {
  readonly document: OpenApiDocument
  readonly operations: readonly ReferenceOperation[]
}

function Contents({ document, operations }: ContentsProps) {
  const tags = [...new Set(operations.map(({ tag }) => tag))]
  return (
    <>
      {tags.map((tag) => (
        <section key={tag}>
          <h2>{tag}</h2>
          <p class="muted small">{document.tags?.find(({ name }) => name === tag)?.description}</p>
          <ul>
            {operations
              .filter((operation) => operation.tag === tag)
              .map(({ id, method, path }) => (
                <li key={id}>
                  <a href={`#${id}`}>
                    <span class={`method ${method}`}>{method}</span> {path.replace('/api/v1', '')}
                  </a>
                </li>
              ))}
          </ul>
        </section>
      ))}
      <section>
        <h2>agents</h2>
        <ul>
          <li>
            <a href="#mcp-setup">Set up MCP</a>
          </li>
        </ul>
      </section>
    </>
  )
}

function ToolSetups() {
  return (
    <section id="mcp-setup" class="operation" aria-labelledby="mcp-setup-title">
      <h2 id="mcp-setup-title">Set up MCP</h2>
      <p>
        The same queries are tools for agents at <code>{location.origin}/mcp</code>, at the same
        prices. Put a key where it says so.
      </p>
      <div class="setups">
        {toolSetups(location.origin).map(({ client, place, text }) => (
          <section key={client}>
            <h3>
              {client} <span class="muted small">{place}</span>
            </h3>
            <CopyableText text={text} label={`Configuration of ${client}`} />
          </section>
        ))}
      </div>
    </section>
  )
}
