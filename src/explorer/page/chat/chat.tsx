/**
 * The start of the view inside a chat. It has a session as the explorer's parts need one, in which nothing can be asked:
 * all that is shown came with the result, and a place is opened by the host, outside of the chat.
 */
import { render } from 'preact'
import { addressOf } from '../model/address.ts'
import { type PageSession, SessionContext } from '../page-session.ts'
import { ChatView } from './chat-view.tsx'
import { connectHost, type HostContext, type OpenLink } from './host.ts'
import { type ShownInChat, shownOf } from './shown.ts'

/** Put in by the build. */
declare const programVersion: string

/** Draws the view: the note that a result is awaited, the result, or the note that none will come. */
class View {
  readonly #openLink = connectHost(programVersion, {
    onContext: takeContext,
    onResult: (result) => this.#draw(shownOf(result)),
    onCancelled: () => this.#draw(undefined, 'Cancelled.'),
  })

  constructor() {
    this.#draw()
  }

  #draw(shown?: ShownInChat, waiting = 'Waiting for the index …'): void {
    const site = shown?.site ?? null
    render(
      <SessionContext.Provider value={sessionOf(site, this.#openLink)}>
        <main class={site === null ? 'is-without-site' : ''}>
          {shown === undefined ? <p class="muted">{waiting}</p> : <ChatView shown={shown} />}
        </main>
      </SessionContext.Provider>,
      document.body,
    )
  }
}

function sessionOf(site: string | null, openLink: OpenLink): PageSession {
  return {
    key: '',
    place: 'memory',
    link: { kind: 'none' },
    takeKey: () => {},
    dismissLink: () => {},
    visit: { place: { view: 'home' }, snapshotId: '' },
    round: 0,
    go: (place) => {
      if (site !== null) openLink(`${site}${addressOf({ place, snapshotId: '' })}`)
    },
    ask: () => Promise.reject(new Error('a view inside a chat asks nothing')),
    seen: () => undefined,
    announce: () => {},
  }
}

function takeContext({ theme, containerDimensions }: HostContext): void {
  const { dataset, style } = document.documentElement
  if (theme === 'light' || theme === 'dark') dataset.theme = theme
  const { height, maxHeight } = containerDimensions ?? {}
  const most = height ?? maxHeight
  if (most !== undefined) style.maxHeight = `${most}px`
}

new View()
