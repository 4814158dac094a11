/** The start of the page: takes the key out of the address, then shows what the address says. */
import { render } from 'preact'
import { App } from './app.tsx'
import { keptKey, keyInFragment } from './model/credentials.ts'

const given = keyInFragment(location.hash)
// At once, so that the key is in no bookmark and in nothing that is shared.
if (given !== '') {
  history.replaceState(null, '', location.pathname + location.search)
}
const kept = keptKey(sessionStorage)
const firstKey = { key: given === '' ? kept : given, isKept: given === '' && kept !== '' }

render(<App firstKey={firstKey} />, document.body)
