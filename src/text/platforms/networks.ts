/**
 * The networks in which people talk with each other.
 * The rows are explained in src/text/platforms/platform.ts.
 */
import { accountKey } from '../fediverse.ts'
import { blueskyKey, facebookKey } from '../registers.ts'
import { type Platforms, unicodeName } from './platform.ts'

/** Their rows, by key. */
export const socialNetworks: Platforms = {
  twitter: {
    aliases: 'x xcom',
    at: {
      'x.com twitter.com':
        '/intent/user?screen_name={name} /intent/follow?screen_name={name} /{name}',
      'api.x.com api.twitter.com':
        '/2/users/by/username/{name} /1.1/users/show.json?screen_name={name}',
      'x:// twitter://': '/user?screen_name={name}',
    },
    name: /^\w{1,20}$/,
    kept: 'compose connect_people download favorites followers following goodies hashtag i intent invitations lists logged_out mentions messages notifications personalization public_timeline related_users saved_searches search-advanced search-home share similar_to statuses who_to_follow widgets',
  },
  instagram: {
    aliases: 'ig insta',
    at: {
      'instagram.com instagr.am i.instagram.com':
        '/stories/{name} /_u/{name} /_n/{name} /api/v1/users/web_profile_info?username={name} /{name}',
      'instagram://': '/user?username={name}',
      'ig.me': '/m/{name}',
    },
    name: /^[\w.]{1,30}$/,
    kept: '_n _u api ar archive challenge create direct developer directory download emails graphql highlights legal lite n nametag p press reel reels s session static stories story topics tv web your_activity',
  },
  facebook: {
    aliases: 'fb',
    at: {
      'facebook.com fb.com mbasic.facebook.com touch.facebook.com web.facebook.com {locale}.facebook.com':
        '/profile.php?id={id} /permalink.php?id={id} /story.php?id={id} /people/*/{id} /pages/category/*/{trailingId} /pages/*/{id} /p/{trailingId} /pg/{trailingId} /pg/{name} /{trailingId} /{name}',
      'm.me': '/{name}',
      'graph.facebook.com': '/{id}/picture /{name}/picture /*/{id}/picture /*/{name}/picture',
      'fb://': '/profile/{id} /page/{id} /profile?id={id} /page?id={id}',
      'fb.me fb.watch': '',
    },
    name: /^[\p{L}\p{N}][\p{L}\p{N}\p{M}.-]{1,99}$/u,
    register: facebookKey,
    isFoundBare: true,
    kept: 'ad_campaign ads ajax apps badges bookmarks business campaign careers checkpoint community composer connect creatorstudio dialog events find-friends friends fundraisers gaming games groups hashtag home.php instantgames l.php latest legal lite live login.php marketplace me media memories messages messenger mobile notes notifications offers p pages payments people permalink.php pg photo photo.php photos places plugins policies policy profile.php public r.php recover reel reels reg saved security share share.php sharer sharer.php sitetour stories story.php support terms.php timeline tr translations video video.php videos watch whitehat work',
  },
  threads: {
    at: { 'threads.com threads.net': '/@{name}' },
    name: /^[\w.]{1,30}$/,
  },
  bluesky: {
    aliases: 'bsky bskyapp',
    at: {
      'bsky.app': '/profile/{name} /starter-pack/{name}',
      'at:// plc.directory': '/{name}',
      'api.bsky.app public.api.bsky.app': '/xrpc/app.bsky.actor.getprofile?actor={name}',
      'cdn.bsky.app': '/img/*/plain/{name}',
      'fed.brid.gy bsky.brid.gy': '/bsky/{name} /ap/{name}',
      '{host}.bsky.social': '',
    },
    register: blueskyKey,
    isFoundBare: true,
    bridge: /^([\w-]+)\.((?:[\w-]+\.)+[\w-]+)\.ap\.brid\.gy$/,
    name: /^(?:did:[a-z]+:[\w.:%-]{1,200}|(?:[a-z0-9-]{1,63}\.)+[a-z][a-z0-9-]{0,62})$/i,
    never: /\.(?:invalid|local|localhost|internal|onion)$/i,
  },
  mastodon: { at: {}, register: accountKey, bridge: /^([^@]+)@([^@]+)$/ },
  truthsocial: { at: { 'truthsocial.com': '/@{name}' } },
  linkedin: {
    prefixes: 'in',
    at: {
      'linkedin.com *.linkedin.com': '/in/{name} /mwlite/in/{name} /comm/in/{name}',
      'linkedin://': '/in/{name} /profile/{name}',
      'lnkd.in': '',
    },
    name: unicodeName,
  },
  xing: { at: { 'xing.com': '/profile/{name}' } },
  reddit: {
    prefixes: 'u',
    at: {
      'reddit.com *.reddit.com': '/user/{name} /u/{name} /r/u_{name}',
      'reddit://': '/user/{name} /u/{name}',
      'redd.it': '',
    },
    name: /^[\w-]{2,25}$/,
    endings: 'rss json',
    kept: 'me',
  },
  quora: { at: { 'quora.com {country}.quora.com': '/profile/{name}' }, name: unicodeName },
  vk: {
    aliases: 'vkontakte',
    at: { 'vk.com vk.ru vkontakte.ru': '/{name}' },
    name: /^[\w.]{2,50}$/,
    never:
      /^(?:album|albums|app|audio|audios|clip|clips|club|doc|event|market|note|photo|photos|poll|product|public|story|topic|video|videos|wall|write)-?\d/i,
    kept: 'ads al_feed.php album app apps audio audios bookmarks bugtracker clips club dev docs doc edit event fave feed friends gifts groups im images invite join jobs mail market music newsfeed page pages photos places podcasts public restore services share.php sharing stickers stories support topic video videos video_ext.php wall widgets write',
  },
  weibo: {
    at: { 'weibo.com weibo.cn': '/u/{id} /profile/{id} /{name}' },
    name: unicodeName,
    kept: 'a ajax at detail fav feed find friends gov hot hottopic logout.php mygroups mymovie mypage n newlogin newlogin.php p photo pub profile s signup status sso tv ttarticle u uid video',
  },
  telegram: {
    aliases: 'tg',
    at: {
      't.me telegram.me telegram.dog': '/s/{name} /boost/{name} /i/userpic/*/{name} /{name}',
      'tg://': '/resolve?domain={name}',
      'web.telegram.org':
        '/*#@{name} /*#?tgaddr=tg://resolve?domain={name} /#@{name} /#/im?p=@{name}',
      '{name}.t.me': '',
      'telegram.org telegra.ph': '',
    },
    name: /^[a-z]\w{1,31}$/i,
    endings: 'jpg svg',
    kept: 'addemoji addlist addstickers addtheme bg boost call confirmphone contact giftcode invoice iv joinchat proxy setlanguage share socks stargift_auction',
  },
  discord: {
    at: {
      'discord.com discordapp.com ptb.discord.com canary.discord.com': '/users/{id}',
      'discord.gg': '',
    },
  },
  snapchat: {
    at: {
      'snapchat.com': '/add/{name} /@{name}',
      'story.snapchat.com': '/s/{name} /u/{name} /@{name}',
    },
    name: /^[a-z][\w.-]{1,29}$/i,
  },
  keybase: {
    at: { 'keybase.io keybase.pub': '/{name}', 'keybase://': '/{name}' },
    name: /^\w{2,16}$/,
    kept: '_ admin blog decrypt docs docs-api download encrypt getting-started i inv popular-teams reset security sign stats team teams triplesec verify warp',
  },
  linktree: {
    at: { 'linktr.ee': '/{name}' },
    kept: 's admin blog business creator-report discover marketplace pricing products report templates trust-center',
  },
  aboutme: { at: { 'about.me': '/{name}' }, kept: 'app blog careers features pricing upgrade' },
  gravatar: {
    at: { 'gravatar.com {country}.gravatar.com': '/{name}' },
    never: /^[0-9a-f]{32}$|^[0-9a-f]{64}$/i,
    kept: 'avatar blog connect developers emails gravatars profile profiles site userimage',
  },
}
