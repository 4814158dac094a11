/**
 * The table of settings in the README, made from the one in src/settings.ts. A test compares them.
 *
 *     npx tsx scripts/settings-table.ts     prints it, to be pasted
 */
import { pathToFileURL } from 'node:url'
import { defaultText, flagOf, type Setting, type SettingName, settings } from '../src/settings.ts'

/** The lines of the table, header first. */
export function settingsTable(): string[] {
  const rows = (Object.keys(settings) as SettingName[]).map((name) => {
    const { placeholder, help }: Setting<unknown> = settings[name]
    const flag = placeholder === undefined ? flagOf(name) : `${flagOf(name)} ${placeholder}`
    const otherwise = defaultText(name)
    return `| \`${flag}\` | ${otherwise === '' ? '' : `\`${otherwise}\``} | ${help} |`
  })
  return ['| setting | default | what it is |', '| --- | --- | --- |', ...rows]
}

if (process.argv[1] !== undefined && import.meta.url === pathToFileURL(process.argv[1]).href) {
  for (const line of settingsTable()) console.log(line)
}
