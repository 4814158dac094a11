/** A person: the profile, the handles, the ranks, and their explanations. */
import type { ComponentChildren } from 'preact'
import { useEffect } from 'preact/hooks'
import { searchFor } from '../model/address.ts'
import type { AnswerEnvelope, HistoryMoment, Profile, Social } from '../model/answers.ts'
import { reportAddress } from '../model/people/contacts.ts'
import { firstHandle, handleAddress } from '../model/people/handles.ts'
import { platformLink, webAddress } from '../model/people/platform-links.ts'
import { handleProof, personProof } from '../model/people/proofs.ts'
import { placeText } from '../model/people/topic-ranks.ts'
import { historyQuery, profileQuery } from '../model/requests.ts'
import { dayText, isolated, scoreText, shortText, wholeText } from '../model/wording.ts'
import { contactsOfPage } from '../page-contacts.ts'
import { useAnswer, useIsWide, useSession } from '../page-session.ts'
import { useTopicRanks } from '../parts/people/topic-ranks.ts'
import { Avatar } from '../parts/people-list.tsx'
import { PlaceLink } from '../parts/place-link.tsx'
import { RequestPanel } from '../parts/request-panel.tsx'
import { ShareBars } from '../parts/share-bars.tsx'
import { State, Trouble } from '../parts/states.tsx'
import { HistoryCharts } from '../parts/step-chart.tsx'

export function PersonView({ sdu }: { sdu: string }) {
  const { announce } = useSession()
  const { asked, shown, again } = useAnswer<AnswerEnvelope<Profile>>(profileQuery(sdu))
  const profile = shown?.results[0]
  const isWide = useIsWide(64)
  useEffect(() => {
    if (profile === undefined) return
    announce(`Profile of ${isolated(profile.name)}`)
    document.title = `${isolated(profile.name)} · Authority Index`
  }, [profile, announce])
  return (
    <div class="with-aside">
      <article class="content">
        {shown === undefined ? (
          <Trouble asked={asked} again={again} />
        ) : profile === undefined ? (
          <State title="Nobody has this SDU">
            <p>The person is not in this snapshot: removed, merged, or never there.</p>
            <p>
              <PlaceLink to={{ view: 'home' }}>Search for a name</PlaceLink> or{' '}
              <PlaceLink to={{ view: 'topics', typed: '' }}>look at the topics</PlaceLink>.
            </p>
          </State>
        ) : (
          <ProfileParts profile={profile} isWide={isWide} />
        )}
      </article>
      <aside class="aside" aria-label="Where to find them, and request">
        {profile !== undefined && isWide && <Socials profile={profile} />}
        <RequestPanel />
      </aside>
    </div>
  )
}

interface PartsProps {
  readonly profile: Profile
  /** Whether the handles have room beside the profile. */
  readonly isWide: boolean
}

function ProfileParts({ profile, isWide }: PartsProps) {
  const { sdu, name, bio, country, authority_score: score, explanation } = profile
  const proof = personProof(profile)
  const handle = firstHandle(profile.socials)
  return (
    <>
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
      {!isWide && <Socials profile={profile} />}
      <p class="actions">
        {handle !== '' && (
          <PlaceLink to={{ view: 'network', handle }} class="button">
            See their network
          </PlaceLink>
        )}
        <span class="muted small">
          SDU <code>{sdu}</code>
        </span>
      </p>
      {explanation !== undefined && (
        <section aria-labelledby="why">
          <h2 id="why">
            Why this rank{explanation.topic !== null && ` in ${isolated(explanation.topic)}`}
          </h2>
          <ShareBars explanation={explanation} />
        </section>
      )}
      <Topics profile={profile} />
      <History sdu={sdu} />
    </>
  )
}

/** The person's handles: each links to its platform and names its verification; its network stands beside it. */
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
  readonly social: Social
  readonly profile: Profile
}

function SocialRow({ platform, social: { handle, followers }, profile }: SocialProps) {
  const proof = handleProof(profile, platform, handle)
  return (
    <li>
      <span class="muted small">{platform}</span>
      <span class="handle">
        <OuterLink address={platformLink(platform, handle)}>{isolated(handle)}</OuterLink>
        {followers > 0 && <span class="muted small"> {shortText(followers)} followers</span>}
        <span class="muted small proof">{isolated(proof)}</span>
      </span>
      <PlaceLink to={{ view: 'network', handle: handleAddress(platform, handle) }} class="small">
        Network
        <span class="unseen">
          {' '}
          of {isolated(handle)} on {platform}
        </span>
      </PlaceLink>
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

/** The origin of the record, and the way to report a mistake. */
function Origin({ profile }: { profile: Profile }) {
  const [contact] = contactsOfPage()
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

/** The topics with their ranks. The rank in the core topic is known; the others are requested on a press. */
function Topics({ profile }: { profile: Profile }) {
  const { topics, explanation } = profile
  const core = explanation?.topic ?? null
  const { places, asked, askFor } = useTopicRanks(profile)
  const placeIn = (topic: string) =>
    topic === core ? placeText(explanation) : places.has(topic) ? placeText(places.get(topic)) : ''
  const unknown = topics.filter((topic) => topic !== core && !places.has(topic))
  const askForAll = () => askFor(unknown)
  const isAsking = asked.kind === 'loading'
  return (
    <section aria-labelledby="topics">
      <h2 id="topics">{topics.length === 1 ? 'Topic' : `${topics.length} topics`}</h2>
      <ul class="topic-ranks">
        {topics.map((topic) => (
          <li key={topic}>
            <span class="rank number">{placeIn(topic)}</span>
            <PlaceLink to={searchFor(topic)}>{isolated(topic)}</PlaceLink>
            {topic === topics[0] && <span class="muted small">core topic</span>}
          </li>
        ))}
      </ul>
      {unknown.length > 0 && (
        <button type="button" onClick={askForAll} disabled={isAsking}>
          {isAsking
            ? `Asking for ${unknown.length} more …`
            : `Ask for the other ${unknown.length === 1 ? 'rank (1 query)' : `ranks (${unknown.length} queries)`}`}
        </button>
      )}
      {!isAsking && <Trouble asked={asked} again={askForAll} />}
    </section>
  )
}

function History({ sdu }: { sdu: string }) {
  const { asked, shown, again } = useAnswer<AnswerEnvelope<HistoryMoment>>(historyQuery(sdu))
  return (
    <section aria-labelledby="history">
      <h2 id="history">History</h2>
      {shown === undefined ? (
        <Trouble asked={asked} again={again} />
      ) : (
        <HistoryCharts moments={shown.results} />
      )}
    </section>
  )
}
