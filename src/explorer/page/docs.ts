/** The reference of the API: Swagger UI on the service's own document, with the key of the page in its forms. */
import SwaggerUI from 'swagger-ui-dist/swagger-ui-es-bundle.js'
import { storagesOfPage } from './key.ts'
import { keptCredential } from './model/credentials.ts'

const dark = matchMedia('(prefers-color-scheme: dark)')
const setScheme = () => document.documentElement.classList.toggle('dark-mode', dark.matches)
setScheme()
dark.addEventListener('change', setScheme)

const root = document.getElementById('reference')!

/** What Swagger UI leaves out for people who hear the page or use its keys: by selector, attributes and their values. */
const missing: readonly [selector: string, attributes: Readonly<Record<string, string>>][] = [
  ['.information-container', { role: 'region', 'aria-label': 'The service' }],
  ['.scheme-container', { role: 'region', 'aria-label': 'Server and key' }],
  ['h3.opblock-tag', { role: 'heading', 'aria-level': '2' }],
  ['h4', { role: 'heading', 'aria-level': '3' }],
  ['#servers', { 'aria-label': 'Server' }],
  ['pre', { tabindex: '0' }],
]

function addMissing(): void {
  for (const [selector, attributes] of missing) {
    for (const element of root.querySelectorAll(selector)) setAttributes(element, attributes)
  }
  for (const row of root.querySelectorAll<HTMLElement>('tr[data-param-name]')) {
    const label = { 'aria-label': row.dataset.paramName! }
    for (const field of row.querySelectorAll('input, select, textarea')) setAttributes(field, label)
  }
}

function setAttributes(element: Element, attributes: Readonly<Record<string, string>>): void {
  for (const [name, value] of Object.entries(attributes)) {
    if (element.getAttribute(name) !== value) element.setAttribute(name, value)
  }
}

new MutationObserver(addMissing).observe(root, { childList: true, subtree: true })

const { key } = keptCredential(storagesOfPage())
const reference = SwaggerUI({
  url: '/openapi.json',
  domNode: root,
  // Its links stand within buttons, and its colours of code are too pale.
  deepLinking: false,
  syntaxHighlight: { activated: false },
  tryItOutEnabled: true,
  onComplete: () => {
    if (key !== '') reference.preauthorizeApiKey('apiKey', key)
  },
})
