/**
 * The platforms' table: a row has what is known of a platform, taken from its own documentation. A path without a rule
 * matches nobody, because a stranger is worse than no match. Columns stand in any order, two spaces apart; lists are
 * words with a space between them.
 *
 * - `aliases`: other names that people give it; those that differ in case, `-`, `_`, `.` or space need none.
 * - `prefixes`: words that name it in front of a slash: `in/ann`.
 * - `at`: hosts and their paths; groups are parted by `; `. Each host stands also for itself behind `www.`, `m.` or
 *   `mobile.`. It may begin with `*` (any word), `{country}`, `{locale}`, `{name}` (whose it is) or `{host}` (the host is
 *   the handle), and end with `{tld}`, the end of a country's hosts. `tg://` is the scheme of an application. A path
 *   stands for itself and everything below it, with `$` at its end for itself only: `*` is any segment, `{name}` the handle
 *   with or without `@`, `{cased}` one of the form `cased`, the other forms are those of src/text/sites.ts. `{name:c/}`
 *   is a name space of its own: its handles begin with `c/`. A handle may be written as a path of the first hosts, or
 *   of the scheme: `channel/UC…`.
 * - `name`: the form of a handle in an address: a pattern, `slug`, `unicode`, or `dotted` where it is not given.
 * - `never`: texts of that form that are the number of a thing.
 * - `cased`: the form of handles in which case tells people apart.
 * - `bridge`: the form of handles that are an account on a server: its name and its host.
 * - `endings`: the form of ends of a name in an address that are none of it: `ann.png` is her picture, `ann.keys` are her keys.
 * - `is`: `remote` where hosts serve repositories (`git@github.com:ann/repository.git`); `bare` where a query without
 *   a platform asks for a handle as its record has it, not for its key.
 * - `kept`: names that the platform keeps for itself, in lower case.
 */
import { accountKey } from './fediverse.ts'
import { blueskyKey, didKey, facebookKey, isniKey, orcidKey, wikidataKey } from './registers.ts'

/** One row. */
export interface Platform {
  readonly aliases: ReadonlySet<string>
  readonly prefixes: ReadonlySet<string>
  /** Hosts and their paths. */
  readonly at: readonly { readonly hosts: readonly string[]; readonly paths: readonly string[] }[]
  readonly name: RegExp
  readonly never?: RegExp | undefined
  readonly cased?: RegExp | undefined
  readonly bridge?: RegExp | undefined
  readonly endings?: RegExp | undefined
  readonly isRemote: boolean
  readonly isFoundBare: boolean
  readonly kept: ReadonlySet<string>
  /** For handles with more than one spelling: the key of one as `handleKey` leaves it. */
  readonly register?: ((value: string) => string | undefined) | undefined
}

const registers: Readonly<Record<string, Platform['register']>> = {
  bluesky: blueskyKey,
  did: didKey,
  facebook: facebookKey,
  isni: isniKey,
  mastodon: accountKey,
  orcid: orcidKey,
  wikidata: wikidataKey,
}

const names: Readonly<Record<string, RegExp>> = {
  dotted: /^[\w.-]{1,64}$/,
  slug: /^[\w-]{1,100}$/,
  unicode: /^[\p{L}\p{N}\p{So}_][\p{L}\p{N}\p{M}\p{So}\p{Emoji_Modifier}_.'’·-]{0,99}$/u,
}

const table = String.raw`
# networks in which people talk with each other
twitter  aliases: x xcom  at: x.com twitter.com /intent/user?screen_name={name} /intent/follow?screen_name={name} /{name}; api.x.com api.twitter.com /2/users/by/username/{name} /1.1/users/show.json?screen_name={name}; x:// twitter:// /user?screen_name={name}  name: /^\w{1,20}$/  kept: compose connect_people download favorites followers following goodies hashtag i intent invitations lists logged_out mentions messages notifications personalization public_timeline related_users saved_searches search-advanced search-home share similar_to statuses who_to_follow widgets
instagram  aliases: ig insta  at: instagram.com instagr.am i.instagram.com /stories/{name} /_u/{name} /_n/{name} /api/v1/users/web_profile_info?username={name} /{name}; instagram:// /user?username={name}; ig.me /m/{name}  name: /^[\w.]{1,30}$/  kept: _n _u api ar archive challenge create direct developer directory download emails graphql highlights legal lite n nametag p press reel reels s session static stories story topics tv web your_activity
facebook  aliases: fb  at: facebook.com fb.com mbasic.facebook.com touch.facebook.com web.facebook.com {locale}.facebook.com /profile.php?id={id} /permalink.php?id={id} /story.php?id={id} /people/*/{id} /pages/category/*/{trailingId} /pages/*/{id} /p/{trailingId} /pg/{trailingId} /pg/{name} /{trailingId} /{name}; m.me /{name}; graph.facebook.com /{id}/picture /{name}/picture /*/{id}/picture /*/{name}/picture; fb:// /profile/{id} /page/{id} /profile?id={id} /page?id={id}; fb.me fb.watch  name: /^[\p{L}\p{N}][\p{L}\p{N}\p{M}.-]{1,99}$/u  is: bare  kept: ad_campaign ads ajax apps badges bookmarks business campaign careers checkpoint community composer connect creatorstudio dialog events find-friends friends fundraisers gaming games groups hashtag home.php instantgames l.php latest legal lite live login.php marketplace me media memories messages messenger mobile notes notifications offers p pages payments people permalink.php pg photo photo.php photos places plugins policies policy profile.php public r.php recover reel reels reg saved security share share.php sharer sharer.php sitetour stories story.php support terms.php timeline tr translations video video.php videos watch whitehat work
threads  at: threads.com threads.net /@{name}  name: /^[\w.]{1,30}$/
bluesky  aliases: bsky bskyapp  at: bsky.app /profile/{name} /starter-pack/{name}; at:// plc.directory /{name}; api.bsky.app public.api.bsky.app /xrpc/app.bsky.actor.getprofile?actor={name}; cdn.bsky.app /img/*/plain/{name}; fed.brid.gy bsky.brid.gy /bsky/{name} /ap/{name}; {host}.bsky.social  name: /^(?:did:[a-z]+:[\w.:%-]{1,200}|(?:[a-z0-9-]{1,63}\.)+[a-z][a-z0-9-]{0,62})$/i  never: /\.(?:invalid|local|localhost|internal|onion)$/i  bridge: /^([\w-]+)\.((?:[\w-]+\.)+[\w-]+)\.ap\.brid\.gy$/  is: bare
mastodon  bridge: /^([^@]+)@([^@]+)$/
truthsocial  at: truthsocial.com /@{name}
linkedin  prefixes: in  at: linkedin.com *.linkedin.com /in/{name} /mwlite/in/{name} /comm/in/{name}; linkedin:// /in/{name} /profile/{name}; lnkd.in  name: unicode
xing  at: xing.com /profile/{name}
reddit  prefixes: u  at: reddit.com *.reddit.com /user/{name} /u/{name} /r/u_{name}; reddit:// /user/{name} /u/{name}; redd.it  name: /^[\w-]{2,25}$/  endings: /\.(?:rss|json)$/i  kept: me
quora  at: quora.com {country}.quora.com /profile/{name}  name: unicode
vk  aliases: vkontakte  at: vk.com vk.ru vkontakte.ru /{name}  name: /^[\w.]{2,50}$/  never: /^(?:album|albums|app|audio|audios|clip|clips|club|doc|event|market|note|photo|photos|poll|product|public|story|topic|video|videos|wall|write)-?\d/i  kept: ads al_feed.php album app apps audio audios bookmarks bugtracker clips club dev docs doc edit event fave feed friends gifts groups im images invite join jobs mail market music newsfeed page pages photos places podcasts public restore services share.php sharing stickers stories support topic video videos video_ext.php wall widgets write
weibo  at: weibo.com weibo.cn /u/{id} /profile/{id} /{name}  name: unicode  kept: a ajax at detail fav feed find friends gov hot hottopic logout.php mygroups mymovie mypage n newlogin newlogin.php p photo pub profile s signup status sso tv ttarticle u uid video
telegram  aliases: tg  at: t.me telegram.me telegram.dog /s/{name} /boost/{name} /i/userpic/*/{name} /{name}; tg:// /resolve?domain={name}; web.telegram.org /*#@{name} /*#?tgaddr=tg://resolve?domain={name} /#@{name} /#/im?p=@{name}; {name}.t.me; telegram.org telegra.ph  name: /^[a-z]\w{1,31}$/i  endings: /\.(?:jpg|svg)$/i  kept: addemoji addlist addstickers addtheme bg boost call confirmphone contact giftcode invoice iv joinchat proxy setlanguage share socks stargift_auction
discord  at: discord.com discordapp.com ptb.discord.com canary.discord.com /users/{id}; discord.gg
snapchat  at: snapchat.com /add/{name} /@{name}; story.snapchat.com /s/{name} /u/{name} /@{name}  name: /^[a-z][\w.-]{1,29}$/i
keybase  at: keybase.io keybase.pub /{name}; keybase:// /{name}  name: /^\w{2,16}$/  kept: _ admin blog decrypt docs docs-api download encrypt getting-started i inv popular-teams reset security sign stats team teams triplesec verify warp
linktree  at: linktr.ee /{name}  kept: s admin blog business creator-report discover marketplace pricing products report templates trust-center
aboutme  at: about.me /{name}  kept: app blog careers features pricing upgrade
gravatar  at: gravatar.com {country}.gravatar.com /{name}  never: /^[0-9a-f]{32}$|^[0-9a-f]{64}$/i  kept: avatar blog connect developers emails gravatars profile profiles site userimage
# videos, music, games and pictures
youtube  aliases: yt  prefixes: channel  at: youtube.com music.youtube.com studio.youtube.com gaming.youtube.com /@{name} /channel/{cased} /c/{name:c/} /user/{name:user/} /feeds/videos.xml?channel_id={cased} /feeds/videos.xml?user={name:user/} /{name}; youtube:// vnd.youtube:// /channel/{cased} /user/{name:user/}; youtu.be youtube-nocookie.com  name: /^[\p{L}\p{N}\p{M}_.·・-]{1,100}$/u  cased: /^UC[\w-]{22}$/  kept: ads all_comments attribution_link audiolibrary c channel channels clip comment_servlet creators dashboard e embed feed feeds gaming get_video_info hashtag howyoutubeworks iframe_api kids live live_chat logo movies music my_videos new news oembed oops originals pair paid_memberships playables playlist playlists podcasts post premium profile redirect red reporthistory results s select_site shared shorts source sports static storefront supported_browsers t testtube trends tv upload user v view_play_list watch watch_videos yt
tiktok  at: tiktok.com /@{name}  name: /^[\w.]{1,30}$/
twitch  at: twitch.tv go.twitch.tv /popout/{name} /moderator/{name} /{name}; player.twitch.tv /?channel={name}; dashboard.twitch.tv /u/{name}  name: /^\w{2,25}$/  kept: activate bits broadcast clips collections creatorcamp dashboard directory downloads drops embed event following friends inventory moderator p payments popout prime products redeem store subscriptions subs team turbo user videos wallet
vimeo  at: vimeo.com /{name}  name: /^\w{2,50}$/  never: /^\d+$/  kept: album albums blog categories channels create cookie_policy enterprise event events features for-hire groups live log_in log_out manage music ondemand ott pro review sales showcase site_map solutions stats stock store tools upgrade upload user video videos watch
dailymotion  at: dailymotion.com /user/{name} /{name}; dai.ly  kept: archived channel embed hub legal library partner playlist user video videos
bilibili  at: space.bilibili.com /{id}; bilibili.com b23.tv
soundcloud  at: soundcloud.com /{name}  name: slug  kept: artist-plan charts checkout community-guidelines connect creators discover download feed for-artists go groups imprint library likes mobile music pages people playlists pro popular stations stream tags terms-of-use tracks upload video you
spotify  at: open.spotify.com play.spotify.com /user/{name} /artist/{cased} /*/user/{name} /*/artist/{cased}; spotify:// /user/{name} /artist/{cased}; spotify.com spotify.link  name: /^[\w.-]{1,64}$/  cased: /^[A-Za-z\d]{22}$/
bandcamp  at: bandcamp.com; {name}.bandcamp.com  kept: daily get
mixcloud  at: mixcloud.com /{name}  name: slug  kept: advertise categories dashboard developers discover genres live media players pro select tag upload
lastfm  at: last.fm /user/{name} /*/user/{name}
flickr  at: flickr.com /photos/{name} /people/{name} /services/feeds/photos_public.gne?id={name}; flic.kr  name: /^[\w@-]{1,60}$/  kept: friends me organize public tags upload
pinterest  at: pinterest.com {country}.pinterest.com pinterest.{tld} /{name}; pin.it  name: /^[\p{L}\p{N}_-]{2,50}$/u  kept: _ _tools board business categories create discover email ideas invite news_hub notifications offsite password pin pin-builder pin-creation-tool popular resource saves settings shop story topics today videos
tumblr  at: tumblr.com /blog/view/{name} /blog/{name} /@{name} /{name}; {name}.tumblr.com  name: /^[a-z\d-]{1,32}$/i  kept: activity apps assets at blog changes communities customize dashboard docs domains following inbox likes live media new oauth2 policy press radar reblog security spotlight static tagged themes tips tv video_file view
deviantart  at: deviantart.com /{name}; {name}.deviantart.com; fav.me  name: /^[a-z\d-]{2,20}$/i  kept: art browse core-membership critique daily-deviations deviation dreamup embed forum group groups journals morelikethis notifications popular prints sc sta shop status-update submit tag team topic watch
behance  at: behance.net /{name}  kept: adobe assets blog collection dev featured feeds for_you galleries gallery hire joblist live moodboard onboarding portfolio pro search stock
dribbble  at: dribbble.com /{name}  name: slug  kept: ads advertise application apps branding buckets colors courses designers features freelance freelance-jobs goods hiring instant-match learn marketplace playbook pro projects resources session shots stories tags teams
letterboxd  at: letterboxd.com /{name}; boxd.it  name: /^\w{2,15}$/  kept: activity actor api-beta cinematography contact crew director editor film films invitations journal legal list lists members people pro producer reviews s studio tag watchlist welcome writer year-in-review
# texts, and who is paid for them
medium  at: medium.com /@{name} /feed/@{name}; {name}.medium.com  kept: cdn-client glyph link miro policy rsci
substack  at: substack.com /@{name}; open.substack.com /pub/{name}; {name}.substack.com  name: slug  kept: email open reader read
wordpress  at: wordpress.com; {name}.wordpress.com  name: slug  kept: apps jetpack learn public-api signup subscribe vip widgets wp
blogger  aliases: blogspot  at: blogger.com /profile/{id}; {name}.blogspot.com {name}.blogspot.{tld}  name: slug  kept: bp buzz draft
hashnode  at: hashnode.com /@{name}; {name}.hashnode.dev
devto  at: dev.to /feed/{name} /{name}  name: /^\w{1,39}$/  kept: code-of-conduct connect dashboard enter events feed listings mod new notifications page pod podcasts reading-list readinglist series shop t tag tags top videos
note  at: note.com /{name}  name: /^\w{2,16}$/  kept: hashtag info interests magazines membership notes topic topics
zhihu  at: zhihu.com /people/{name}; zhuanlan.zhihu.com
douban  at: douban.com /people/{name}
goodreads  at: goodreads.com /author/show/{leadingId} /user/show/{leadingId:user:} /{name}  name: /^[a-z][\w-]{2,59}$/i  kept: ap_handler api ask_the_author author award blog book books characters choiceawards comment event events friend genres giveaway group interviews librarian_manual list lists message news newsletters notifications payments photo places poll quiz quizzes quotes readingchallenges recommendations review series shelf story toplists topic trivia update user user_challenges user_following user_shelves videos work
patreon  at: patreon.com /c/{name} /cw/{name} /join/{name} /rss/{name} /user?u={id} /{name}  name: /^\w{2,64}$/  never: /^\d+$/  kept: apps bepatron become-a-patron blog c careers checkout collection create creators cw europe join library m manage_rewards messages notifications oauth2 pledges policy posts portal press pricing product rss sponsors user
kofi  at: ko-fi.com /{name}  name: /^\w{2,60}$/  kept: account album blog commissions ethos explore feed gallery gold home i manage memberships post s shop summary
buymeacoffee  aliases: bmc  at: buymeacoffee.com coff.ee /{name}  kept: blog careers creators explore-creators faq gifts membership wishlist
producthunt  at: producthunt.com /@{name}
slideshare  at: slideshare.net /{name}  name: slug  kept: category featured feature most-favorited newsfeed popular slideshow upload
speakerdeck  at: speakerdeck.com /{name}  kept: c categories features p player pricing pro
# code
github  aliases: gh  at: github.com /users/{name} /sponsors/{name} /stars/{name} /{name}; avatars.githubusercontent.com /{name}$; ssh.github.com gist.github.com gist.githubusercontent.com raw.githubusercontent.com codeload.github.com /{name}; api.github.com /users/{name} /repos/{name}; {name}.github.io; githubusercontent.com  name: /^[a-z\d][a-z\d_-]{0,45}$/i  never: /^(?:[0-9a-f]{20}|[0-9a-f]{32})$/i  endings: /\.(?:png|keys|gpg|atom)$/i  is: remote  kept: account advisories apps assets blog business careers codespaces collections contact copilot customer-stories dashboard discover discussions edu education enterprise events features git-guides gist github-copilot integrations issues join login marketplace mcp mobile models new newsroom nonprofit notifications open-source orgs organizations partners password_reset premium-support pricing projects pulls readme releases repos resources security server-import sessions site solutions sponsors stars status support team teams topics trending trust-center users watching why-github
gitlab  at: gitlab.com /users/{name} /u/{name} /api/v4/users?username={name} /{name}; {name}.gitlab.io  name: /^[\w][\w.-]{1,254}$/  endings: /\.(?:keys|gpg|atom)$/i  is: remote  kept: - admin api assets dashboard files groups import invites jwt oauth profile projects public s sign_in sign_up sitemap snippets sso u unsubscribes uploads user users v2
bitbucket  at: bitbucket.org /{name}; {name}.bitbucket.io  is: remote  kept: - api blog dashboard gateway product repo site snippets socialauth support workspace workspaces
codeberg  at: codeberg.org /{name}; {name}.codeberg.page  endings: /\.(?:png|keys|gpg|rss|atom)$/i  is: remote  kept: - .well-known admin api assets attachments avatar avatars captcha devtest ghost issues metrics milestones notifications org pulls raw repo repo-avatars stars swagger user users v2
sourcehut  aliases: srht  at: sr.ht git.sr.ht hg.sr.ht lists.sr.ht meta.sr.ht paste.sr.ht todo.sr.ht /~{name}  is: remote
stackoverflow  at: stackoverflow.com /users/{id} /feeds/user/{id}  name: /^\d{1,10}$/
stackexchange  at: stackexchange.com /users/{id}  name: /^\d{1,10}$/
mathoverflow  at: mathoverflow.net /users/{id}  name: /^\d{1,10}$/
hackernews  aliases: hn ycombinator  at: news.ycombinator.com /user?id={name} /threads?id={name} /submitted?id={name} /favorites?id={name}; hnrss.org /user?id={name} /submitted?id={name} /threads?id={name}; ycombinator.com  name: /^[\w-]{2,15}$/
npm  aliases: npmjs  at: npmjs.com npmjs.org /~{name}
pypi  at: pypi.org /user/{name}
crates  aliases: cratesio  at: crates.io /users/{name}
rubygems  at: rubygems.org /profiles/{name}
packagist  at: packagist.org /users/{name}
nuget  at: nuget.org /profiles/{name}
dockerhub  aliases: docker  at: hub.docker.com /u/{name}
huggingface  aliases: hf  at: huggingface.co hf.co /datasets/{name}/* /spaces/{name}/* /collections/{name} /posts/{name} /{name}  name: /^[a-z\d][\w.-]{0,95}$/i  is: remote  kept: api assistants bert-base-uncased blog chat collections course datasets deepseek-ai.github.io distilbert-base-uncased docs enterprise front gpt2 hardware inference inference-endpoints inference-providers learn models new notifications organizations papers playground posts pricing reference roberta-base security-checkup spaces storage t5-small tasks
kaggle  at: kaggle.com /code/{name}/* /datasets/{name}/* /models/{name}/* /{name}  name: slug  kept: benchmarks c code competitions datasets discussion discussions docs general getting-started host kernels learn me models organizations progression rankings solutions work
codepen  at: codepen.io /{name}  name: slug  kept: accessibility challenges collection features following hello pen pens picks pro project projects spark team topic trending your-work
leetcode  at: leetcode.com /u/{name}
replit  at: replit.com /@{name}
# researchers and works
orcid  aliases: orcidid  at: orcid.org /my-orcid?orcid={name} /{name}; pub.orcid.org api.orcid.org /{name} /*/{name}  name: /^\d{4}(?:-?\d{4}){2}-?\d{3}[\dx]$/i
isni  aliases: isniid  at: isni.org /isni/{name} /page/{name} /{name}  name: /^[\dx -]{16,19}$/i
wikidata  aliases: wd wikidataid wikidataitem  at: wikidata.org /wiki/special:entitypage/{name} /wiki/special:entitydata/{item} /wiki/{name} /entity/{name} /w/index.php?title={name}  name: /^q\d{1,16}$/i
did
googlescholar  aliases: scholar gscholar googlescholarid  at: scholar.google.com scholar.google.{tld} /citations?user={cased}  cased: slug
researchgate  at: researchgate.net /profile/{name}  name: unicode
academia  aliases: academiaedu  at: academia.edu; *.academia.edu /{name}  name: unicode  never: /^\d+$/  kept: departments documents people
semanticscholar  at: semanticscholar.org /author/{id} /author/*/{id}; api.semanticscholar.org /author/{id} /graph/v1/author/{id}
openalex  aliases: openalexid  at: openalex.org api.openalex.org explore.openalex.org /authors/{name} /people/{name} /{name}  name: /^a\d{1,12}$/i
dblp  at: dblp.org dblp.uni-trier.de dblp.dagstuhl.de /pid/{pair}; dblp:// /{pair}
scopus  aliases: scopusid scopusauthorid  at: scopus.com /authid/detail.uri?authorId={id}
viaf  aliases: viafid  at: viaf.org /viaf/{id} /*/viaf/{id}
imdb  aliases: imdbid  at: imdb.com /name/{name} /*/name/{name}  name: /^nm\d{7,10}$/i
`

/** The rows by the keys of the platforms. */
export const platforms: ReadonlyMap<string, Platform> = new Map(
  table
    .split('\n')
    .filter((line) => line !== '' && !line.startsWith('#'))
    .map(rowOf),
)

function rowOf(line: string): [string, Platform] {
  const [key = '', ...written] = line.split('  ')
  const columns = new Map(
    written.map((each) => [each.split(':', 1)[0]!, each.replace(/^\w+: /, '')]),
  )
  const words = (column: string) => new Set(wordsOf(columns.get(column)))
  const pattern = (column: string) => patternOf(columns.get(column))
  const row = {
    aliases: words('aliases'),
    prefixes: words('prefixes'),
    at: (columns.get('at')?.split('; ') ?? []).map((group) => ({
      hosts: wordsOf(group).filter((word) => !word.startsWith('/')),
      paths: wordsOf(group).filter((word) => word.startsWith('/')),
    })),
    name: pattern('name') ?? names.dotted!,
    never: pattern('never'),
    cased: pattern('cased'),
    bridge: pattern('bridge'),
    endings: pattern('endings'),
    isRemote: words('is').has('remote'),
    isFoundBare: words('is').has('bare'),
    kept: words('kept'),
    register: registers[key],
  }
  return [key, row]
}

function wordsOf(text = ''): readonly string[] {
  return text.split(' ').filter((word) => word !== '')
}

/** `slug`, or a pattern as it is written in a program. */
function patternOf(text: string | undefined): RegExp | undefined {
  if (text === undefined) return undefined
  const end = text.lastIndexOf('/')
  return names[text] ?? new RegExp(text.slice(1, end), text.slice(end + 1))
}
