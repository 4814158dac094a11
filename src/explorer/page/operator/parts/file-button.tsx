/** A button that saves an answer of the admin API as a file. The key is sent in a header, so a link cannot do it. */
import { useState } from 'preact/hooks'
import { readAdminFile } from '../model/admin-asking.ts'
import { useOperator } from '../operator-session.ts'

interface Props {
  /** Path behind `/admin/v1`. */
  readonly target: string
  /** Name of the file. */
  readonly name: string
  /** Text of the button. */
  readonly shown: string
}

export function FileButton({ target, name, shown }: Props) {
  const { key, announce } = useOperator()
  const [state, setState] = useState<'' | 'busy' | 'failed'>('')
  const onClick = async () => {
    setState('busy')
    const file = await readAdminFile((to, init) => fetch(to, init), key, target)
    if (file !== undefined) save(file, name)
    announce(file === undefined ? `${name} did not come` : `${name} saved`)
    setState(file === undefined ? 'failed' : '')
  }
  return (
    <button type="button" disabled={state === 'busy'} onClick={onClick}>
      {state === 'failed' ? `${shown}: try again` : shown}
    </button>
  )
}

function save(file: Blob, name: string): void {
  const address = URL.createObjectURL(file)
  Object.assign(document.createElement('a'), { href: address, download: name }).click()
  URL.revokeObjectURL(address)
}
