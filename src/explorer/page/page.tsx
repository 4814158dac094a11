/** The start of the page: takes the key out of the address, then shows what the address says. */
import { render } from 'preact'
import { App } from './app.tsx'
import { keptKey } from './model/credentials.ts'
import { SessionProvider, takenFromAddress } from './session-provider.tsx'

const given = takenFromAddress()
const kept = keptKey(sessionStorage)
const firstKey = { key: given === '' ? kept : given, isKept: given === '' && kept !== '' }

render(
  <SessionProvider firstKey={firstKey}>
    <App />
  </SessionProvider>,
  document.body,
)
