/** A text to be pasted elsewhere, with a button that copies it. */
import { useState } from 'preact/hooks'
import { useSession } from '../page-session.ts'

interface Props {
  readonly text: string
  /** What it is, for those who do not see it. */
  readonly label: string
}

export function CopyableText({ text, label }: Props) {
  return (
    <div class="copyable">
      <ScrollingText text={text} label={label} />
      <CopyButton text={text} label={label} />
    </div>
  )
}

/** A text that scrolls where it has no room, by the keyboard too. */
export function ScrollingText({ text, label }: Props) {
  return (
    // biome-ignore lint/a11y/noNoninteractiveTabindex: what scrolls is reached by the keyboard
    <section class="scrolling" tabIndex={0} aria-label={label}>
      <pre>
        <code>{text}</code>
      </pre>
    </section>
  )
}

const shownMs = 2_000

export function CopyButton({ text, label }: Props) {
  const { announce } = useSession()
  const [done, setDone] = useState('')
  const onClick = async () => {
    const isCopied = await copied(text)
    setDone(isCopied ? 'Copied' : 'Not allowed')
    announce(isCopied ? `${label} copied` : 'The browser does not allow it')
    setTimeout(() => setDone(''), shownMs)
  }
  return (
    <button type="button" class="copy" aria-label={`Copy: ${label}`} onClick={onClick}>
      {done === '' ? 'Copy' : done}
    </button>
  )
}

/** Whether the browser has let it. */
async function copied(text: string): Promise<boolean> {
  try {
    await navigator.clipboard.writeText(text)
    return true
  } catch {
    return false
  }
}
