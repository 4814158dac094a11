/**
 * The source of the published requests: 60 people of three topics whom nothing connects, so that their
 * ranks are their weights, none above 1, whatever the formula, and 12 more, each alone in a topic, who are connected.
 * All scores are given. Changing it makes the recorded answers worthless.
 */
import { authority, connection, type Records, social, topic } from '../../../support/records.ts'

const names = [
  'Ada Lovelace',
  'Grace Hopper',
  'José Núñez',
  'An Li',
  '李明',
  'Zoë "Zed" O’Brien',
  'Mary Curie',
  'Émile Zola',
  'Will Best',
  'Rosalind Franklin',
]
const countries = ['France', 'United States', '', 'Côte d’Ivoire', 'United Kingdom', 'Viet Nam']
const topics = ['Machine learning', 'Rust', 'Climate policy']
const platforms = ['twitter', 'youtube', 'instagram', 'github']

const members = Array.from({ length: 60 }, (_, index) =>
  authority({
    sdu: String(1000 + index * 7),
    name: `${names[index % names.length]} ${index}`,
    bio: index % 3 === 0 ? `Writes on data, "quoted" and plain; number ${index}.` : '',
    countryName: countries[index % countries.length]!,
    topics: topics.flatMap((label, place) =>
      (index + place) % 3 < 2 ? [topic(label, ((index + 1) * (place + 1)) / 256)] : [],
    ),
    socials: platforms
      .filter((_platform, place) => (index >> place) % 2 === 1)
      .map((platform) => social(platform, `person_${index}`, index * 1000)),
    website: index % 4 === 0 ? `https://example.org/${index}?a="b"` : null,
    authorityScore: 100 - index,
  }),
)

const connected = Array.from({ length: 12 }, (_, index) =>
  authority({
    sdu: String(5000 + index),
    name: `Connected ${index}`,
    countryName: countries[index % countries.length]!,
    topics: [topic(`Subject ${index}`)],
    socials: [social('twitter', `connected_${index}`, 10)],
    authorityScore: 30 - index / 4,
  }),
)

const others = connected.slice(1).map(({ sdu }) => sdu)

export const publishedRecords: Records = {
  authorities: [...members, ...connected],
  topics: [{ topic: 'Machine learning', aliases: ['ML', 'statistical learning'] }],
  connections: [
    ...others.map((sdu) => connection('5000', sdu)),
    ...others.slice(4).map((sdu) => connection('twitter:nobodys', sdu)),
    connection('5003', '5004', { kind: 'coauthor' }),
  ],
}
