/** The content of the chat view: the data in `_meta` of a result, or else the text for the model. */
import type { Profile, Summary } from '../model/answers.ts'
import type { ToolResult } from './host.ts'

/** The member of `_meta` that holds the content of the view. */
const member = 'authority-index/view'

/** A source with its author, if known. */
export interface SourceInChat {
  readonly source: string
  readonly sdu: string | null
  readonly name?: string | null
  readonly authority_score?: number | null
}

/** Content of the view; `site` is the address of the explorer, or null. */
export type ShownInChat = { readonly site: string | null } & (
  | { readonly kind: 'people'; readonly about: string; readonly items: readonly Summary[] }
  | { readonly kind: 'network'; readonly about: string; readonly items: readonly Summary[] }
  | { readonly kind: 'profiles'; readonly about: string; readonly items: readonly Profile[] }
  | { readonly kind: 'sources'; readonly about: string; readonly items: readonly SourceInChat[] }
  | { readonly kind: 'text'; readonly about: string }
)

/** Returns the content that a result shows. */
export function shownOf({ _meta, content = [] }: ToolResult): ShownInChat {
  const told = _meta?.[member] as ShownInChat | undefined
  if (told !== undefined && Array.isArray((told as { items?: unknown }).items)) return told
  const texts = content.flatMap(({ text }) => text ?? [])
  return { kind: 'text', about: texts.join('\n\n'), site: null }
}
