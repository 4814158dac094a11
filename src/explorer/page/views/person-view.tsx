/** A person: the profile, the handles, the topics, and why they have their rank. */
import type { ComponentChildren } from 'preact'
import { useEffect } from 'preact/hooks'
import type { Schemas } from '../../../client/client.ts'
import { contacts } from '../contacts.ts'
import { addressOf, searchFor } from '../model/address.ts'
import { handleAddress, platformLink, platformName, webAddress } from '../model/names.ts'
import { handleProof, personProof } from '../model/people/proofs.ts'
import { dayText, isolated, scoreText, shortText, wholeText } from '../model/wording.ts'
import { Avatar } from '../parts/people-list.tsx'
import { ShareBars } from '../parts/share-bars.tsx'
import { Rest, State } from '../parts/states.tsx'
import { announce, useAnswer } from '../session.tsx'

type Profile = Schemas['Profile']

export function PersonView({ sdu }: { sdu: string }) {
  const asked = useAnswer(['detail', sdu], (client, { signal }) =>
    client.detail(sdu, { explain: true, signal }),
  )
  const [profile] = asked.pages
  useEffect(() => {
    if (profile === undefined || profile === null) return
    announce(`Profile of ${isolated(profile.name)}`)
    document.title = `${isolated(profile.name)} · Authority Index`
  }, [profile])
  if (profile === undefined) return <Rest of={asked} />
  if (profile === null) {
    return (
      <State title="Nobody has this SDU">
        <p>The person is not in this snapshot: removed, merged, or never there.</p>
        <p>
          <a href="/">Search for a name</a> or{' '}
          <a href={addressOf({ view: 'topics', typed: '' })}>look at the topics</a>.
        </p>
      </State>
    )
  }
  return (
    <article class="with-aside">
      <ProfileHead profile={profile} />
      <aside class="aside" aria-label="Where to find them">
        <Socials profile={profile} />
      </aside>
      <ProfileParts profile={profile} />
    </article>
  )
}

function ProfileHead({ profile }: { profile: Profile }) {
  const { sdu, name, bio, country, authority_score: score, explanation } = profile
  const proof = personProof(profile)
  return (
    <div class="content">
      <header class="profile-head">
        <Avatar sdu={sdu} name={name} />
        <div class="named">
          <h1>{isolated(name)}</h1>
          <p class="muted">
            {proof !== '' && (
              <>
                <span class="verified">✓ {isolated(proof)}</span>
                {' · '}
              </>
            )}
            {[country, profile.topics[0] ?? ''].filter(Boolean).map(isolated).join(' · ')}
            {explanation !== undefined && explanation.topic !== null && (
              <>
                {' · '}rank <b class="number">{wholeText(explanation.rank)}</b> of{' '}
                <span class="number">{wholeText(explanation.of)}</span>
              </>
            )}
          </p>
        </div>
        <div class="big-score">
          <span class="number">{scoreText(score)}</span>
          <span class="muted small">authority score of 100</span>
        </div>
      </header>
      {bio !== '' && <p class="bio">{isolated(bio)}</p>}
      <p class="muted small">
        SDU <code>{sdu}</code>
      </p>
    </div>
  )
}

function ProfileParts({ profile: { explanation, topics } }: { profile: Profile }) {
  return (
    <div class="content">
      {explanation !== undefined && (
        <section aria-labelledby="why">
          <h2 id="why">
            Why this rank{explanation.topic !== null && ` in ${isolated(explanation.topic)}`}
          </h2>
          <ShareBars explanation={explanation} />
        </section>
      )}
      <section aria-labelledby="topics">
        <h2 id="topics">{topics.length === 1 ? 'Topic' : 'Topics'}</h2>
        <ul class="chips">
          {topics.map((topic) => (
            <li key={topic}>
              <a href={addressOf(searchFor(topic))} class="chip">
                {isolated(topic)}
              </a>
            </li>
          ))}
        </ul>
      </section>
    </div>
  )
}

function networkOf(platform: string, handle: string): string {
  return addressOf({ view: 'network', handle: handleAddress(platform, handle) })
}

function Socials({ profile }: { profile: Profile }) {
  const socials = Object.entries(profile.socials)
  return (
    <section class="panel" aria-labelledby="socials">
      <h2 id="socials">Handles</h2>
      {socials.length === 0 ? (
        <p class="muted">No handle of this person is known.</p>
      ) : (
        <ul class="handles">
          {socials.map(([platform, social]) => (
            <SocialRow key={platform} platform={platform} social={social} profile={profile} />
          ))}
        </ul>
      )}
      {profile.website !== null && (
        <p class="small">
          Website:{' '}
          <OuterLink address={webAddress(profile.website)}>
            {profile.website.replace(/^https?:\/\/(www\.)?|\/$/g, '')}
          </OuterLink>
        </p>
      )}
      <Origin profile={profile} />
    </section>
  )
}

interface SocialProps {
  readonly platform: string
  readonly social: Profile['socials'][string]
  readonly profile: Profile
}

function SocialRow({ platform, social: { handle, followers }, profile }: SocialProps) {
  const proof = handleProof(profile, platform, handle)
  return (
    <li>
      <span class="muted small">{platformName(platform)}</span>
      <span>
        <OuterLink address={platformLink(platform, handle)}>{isolated(handle)}</OuterLink>
        {followers > 0 && <span class="muted small"> {shortText(followers)} followers</span>}
        <span class="muted small proof">{isolated(proof)}</span>
      </span>
      <a href={networkOf(platform, handle)} class="small">
        Network
        <span class="unseen">
          {' '}
          of {isolated(handle)} on {platformName(platform)}
        </span>
      </a>
    </li>
  )
}

/** A link to another site, which learns nothing of this page; only the text if the address is not known. */
function OuterLink({
  address,
  children,
}: {
  address: string | undefined
  children: ComponentChildren
}) {
  if (address === undefined) return <>{children}</>
  return (
    <a href={address} rel="noreferrer noopener nofollow" target="_blank">
      {children}
      <span aria-hidden="true"> ↗</span>
      <span class="unseen"> (another site, in a new tab)</span>
    </a>
  )
}

function Origin({ profile }: { profile: Profile }) {
  const [contact] = contacts()
  const sources = profile.explanation?.sources ?? []
  return (
    <div class="origin small muted">
      {sources.map(({ source, licence, updated_at: at }) =>
        source === null ? null : (
          <p key={source}>
            Source: <OuterLink address={webAddress(source)}>{isolated(source)}</OuterLink>
            {licence !== null && `, licence ${isolated(licence)}`}
            {at !== null && `, updated ${dayText(at)}`}
          </p>
        ),
      )}
      {contact === undefined ? (
        <p>Is something wrong here? Report it to the operator of this service.</p>
      ) : (
        <p>
          Is something wrong here?{' '}
          <a href={reportAddress(contact.target, profile.sdu)}>Report a mistake</a>
        </p>
      )}
    </div>
  )
}

/** The address for reports of a mistake in a person's entry; the subject of a letter names the entry. */
function reportAddress(target: string, sdu: string): string {
  return target.startsWith('mailto:')
    ? `${target}?subject=${encodeURIComponent(`A mistake in the entry ${sdu}`)}`
    : target
}
