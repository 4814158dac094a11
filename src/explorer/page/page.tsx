/** The start of the page. */
import { render } from 'preact'
import { App } from './app.tsx'
import { SessionProvider } from './session-provider.tsx'

render(
  <SessionProvider>
    <App />
  </SessionProvider>,
  document.body,
)
