/**
 * Occupations, as topics: first those of one word, then those of people who do something special,
 * such as marine biologists, and what several of them are called.
 */

const single =
  'writer painter physicist chemist politician journalist singer actor composer poet historian philosopher mathematician economist architect engineer biologist astronomer photographer sculptor novelist screenwriter producer conductor pianist violinist guitarist dancer choreographer lawyer judge diplomat physician surgeon nurse psychologist sociologist anthropologist archaeologist geologist linguist translator teacher librarian editor publisher illustrator cartoonist designer entrepreneur banker accountant farmer chef swimmer cyclist footballer boxer wrestler fencer gymnast skier rower sailor racer referee coach programmer statistician botanist zoologist virologist epidemiologist pharmacist dentist veterinarian theologian missionary monk bishop explorer astronaut aviator inventor blogger playwright librettist comedian magician broadcaster essayist critic curator restorer jeweller tailor carpenter blacksmith potter weaver brewer beekeeper gardener forester fisherman businessman businessperson salesperson'.split(
    ' ',
  )

const specialities =
  'marine forensic clinical theatre jazz opera rock folk landscape portrait wildlife sports war crime science fashion comic industrial civil mechanical electrical chemical aerospace nuclear medical legal tax criminal corporate maritime constitutional labour family environmental medieval Byzantine Roman naval military economic political cultural social urban rural tropical polar desert alpine coastal deep-sea molecular evolutionary developmental computational theoretical experimental applied solar stellar quantum particle plasma organic inorganic polymer analytical behavioural cognitive educational speech-language child veterinary pediatric cardiac vascular orthopedic plastic neurological infectious-disease street documentary underwater aerial food travel television radio film video-game children’s poetry short-story romance fantasy historical satirical ballet flamenco tango ballroom choral orchestral baroque electronic church court synagogue temple royal amateur Paralympic Olympic'.split(
    ' ',
  )

const practitioners =
  'biologist engineer lawyer historian writer photographer designer musician director critic teacher researcher artist consultant advisor technician planner scholar producer editor presenter inspector archivist illustrator performer trainer coordinator campaigner instructor analyst reporter columnist surveyor auditor collector lecturer professor manager organizer reviewer modeller dealer specialist administrator lobbyist novelist poet painter engraver chronicler'.split(
    ' ',
  )

/** So many different occupations, at most some 5,700; the first ones the plainest. */
export function occupations(count: number): string[] {
  const labels = single.map(capitalize)
  for (let step = 0; labels.length < count && step < practitioners.length; step += 1) {
    for (const [at, speciality] of specialities.entries()) {
      const practitioner = practitioners[(at + step) % practitioners.length]!
      labels.push(capitalize(`${speciality.replaceAll('-', ' ')} ${practitioner}`))
    }
  }
  return labels.slice(0, count)
}

function capitalize(label: string): string {
  return label.charAt(0).toUpperCase() + label.slice(1)
}

/** Many of what a label says one of: `Film director` → `Film directors`. */
export function pluralOf(label: string): string {
  if (label.endsWith('person')) return label.replace(/person$/, 'people')
  if (label.endsWith('man')) return label.replace(/man$/, 'men')
  if (/[^aeiou]y$/.test(label)) return label.replace(/y$/, 'ies')
  return /(s|x|ch|sh)$/.test(label) ? `${label}es` : `${label}s`
}
