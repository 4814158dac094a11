/** A text to be pasted elsewhere, with a button that copies it. */
import { useState } from 'preact/hooks'
import { useSession } from '../page-session.ts'

interface Props {
  readonly text: string
  /** Name of the text, for screen readers. */
  readonly label: string
}

export function CopyableText({ text, label }: Props) {
  return (
    <div class="copyable">
      <ScrollingText text={text} />
      <CopyButton text={text} label={label} />
    </div>
  )
}

/** A text that scrolls if it is too long, by the keyboard too. */
export function ScrollingText({ text }: { text: string }) {
  return (
    // biome-ignore lint/a11y/noNoninteractiveTabindex: what scrolls is reached by the keyboard
    <pre tabIndex={0}>
      <code>{text}</code>
    </pre>
  )
}

const shownMs = 2_000

export function CopyButton({ text, label, shown = 'Copy' }: Props & { readonly shown?: string }) {
  const { announce } = useSession()
  const [done, setDone] = useState('')
  const onClick = async () => {
    const isCopied = await copied(text)
    setDone(isCopied ? 'Copied' : 'Not allowed')
    announce(isCopied ? `${label} copied` : 'The browser does not allow it')
    setTimeout(() => setDone(''), shownMs)
  }
  return (
    <button type="button" class="copy" aria-label={`${shown}: ${label}`} onClick={onClick}>
      {done === '' ? shown : done}
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
