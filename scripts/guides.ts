/**
 * The documents and icons that the service serves to agents (`--public-url`), beside the built program: `npm run build` and the
 * single file take them from here.
 */
import { copyFileSync, mkdirSync, readdirSync } from 'node:fs'
import { dirname, join } from 'node:path'

const root = join(import.meta.dirname, '..')
const documents = join(root, 'docs')

/** Copies them into the folder `guides` of a built program. */
export function copyGuides(program: string): void {
  const guides = join(program, 'guides')
  const files = readdirSync(documents, { recursive: true, encoding: 'utf8' })
  for (const name of files.filter((each) => each.endsWith('.md'))) {
    mkdirSync(dirname(join(guides, name)), { recursive: true })
    copyFileSync(join(documents, name), join(guides, name))
  }
  copyFileSync(join(documents, 'images', 'icon.png'), join(guides, 'icon.png'))
  copyFileSync(join(root, 'src', 'explorer', 'page', 'mark.svg'), join(guides, 'icon.svg'))
}
