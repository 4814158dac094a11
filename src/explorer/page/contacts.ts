/** The contacts of the operator, as the service wrote them into the page. */

interface Contact {
  readonly name: string
  readonly address: string
  /** The `href` of the link: the address, with `mailto:` if it is no URL. */
  readonly target: string
}

export function contacts(): Contact[] {
  return ['Contact', 'Privacy'].flatMap((name) => {
    const tag = document.querySelector<HTMLMetaElement>(`meta[name="${name.toLowerCase()}"]`)
    if (tag === null) return []
    const address = tag.content
    return [{ name, address, target: address.includes('://') ? address : `mailto:${address}` }]
  })
}
