/** The start of the page. */
import { render } from 'preact'
import { LocationProvider } from 'preact-iso/router'
import { App } from './app.tsx'
import { SessionProvider } from './session.tsx'

// The reference at `/docs` is a page of its own.
render(
  <LocationProvider scope={/^\/(\?|$)/}>
    <SessionProvider>
      <App />
    </SessionProvider>
  </LocationProvider>,
  document.body,
)
