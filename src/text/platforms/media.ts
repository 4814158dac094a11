/**
 * Platforms of videos, music, games and pictures: their addresses, the form of a name, and the paths that name nobody.
 * src/text/platforms/platform.ts explains the members of a row (`at`, `name`, `cased`, `kept`, `never`).
 */
import { type Platforms, slug } from './platform.ts'

/** The rows, by the key of the platform. */
export const media: Platforms = {
  youtube: {
    aliases: 'yt',
    prefixes: 'channel',
    at: {
      'youtube.com music.youtube.com studio.youtube.com gaming.youtube.com':
        '/@{name} /channel/{cased} /c/{name:c/} /user/{name:user/} /feeds/videos.xml?channel_id={cased} /feeds/videos.xml?user={name:user/} /{name}',
      'youtube:// vnd.youtube://': '/channel/{cased} /user/{name:user/}',
      'youtu.be youtube-nocookie.com': '',
    },
    name: /^[\p{L}\p{N}\p{M}_.·・-]{1,100}$/u,
    cased: /^UC[\w-]{22}$/,
    kept: 'ads all_comments attribution_link audiolibrary c channel channels clip comment_servlet creators dashboard e embed feed feeds gaming get_video_info hashtag howyoutubeworks iframe_api kids live live_chat logo movies music my_videos new news oembed oops originals pair paid_memberships playables playlist playlists podcasts post premium profile redirect red reporthistory results s select_site shared shorts source sports static storefront supported_browsers t testtube trends tv upload user v view_play_list watch watch_videos yt',
  },
  tiktok: { at: { 'tiktok.com': '/@{name}' }, name: /^[\w.]{1,30}$/ },
  twitch: {
    at: {
      'twitch.tv go.twitch.tv': '/popout/{name} /moderator/{name} /{name}',
      'player.twitch.tv': '/?channel={name}',
      'dashboard.twitch.tv': '/u/{name}',
    },
    name: /^\w{2,25}$/,
    kept: 'activate bits broadcast clips collections creatorcamp dashboard directory downloads drops embed event following friends inventory moderator p payments popout prime products redeem store subscriptions subs team turbo user videos wallet',
  },
  vimeo: {
    at: { 'vimeo.com': '/{name}' },
    name: /^\w{2,50}$/,
    never: /^\d+$/,
    kept: 'album albums blog categories channels create cookie_policy enterprise event events features for-hire groups live log_in log_out manage music ondemand ott pro review sales showcase site_map solutions stats stock store tools upgrade upload user video videos watch',
  },
  dailymotion: {
    at: { 'dailymotion.com': '/user/{name} /{name}', 'dai.ly': '' },
    kept: 'archived channel embed hub legal library partner playlist user video videos',
  },
  bilibili: { at: { 'space.bilibili.com': '/{id}', 'bilibili.com b23.tv': '' } },
  soundcloud: {
    at: { 'soundcloud.com': '/{name}' },
    name: slug,
    kept: 'artist-plan charts checkout community-guidelines connect creators discover download feed for-artists go groups imprint library likes mobile music pages people playlists pro popular stations stream tags terms-of-use tracks upload video you',
  },
  spotify: {
    at: {
      'open.spotify.com play.spotify.com':
        '/user/{name} /artist/{cased} /*/user/{name} /*/artist/{cased}',
      'spotify://': '/user/{name} /artist/{cased}',
      'spotify.com spotify.link': '',
    },
    name: /^[\w.-]{1,64}$/,
    cased: /^[A-Za-z\d]{22}$/,
  },
  bandcamp: { at: { 'bandcamp.com': '', '{name}.bandcamp.com': '' }, kept: 'daily get' },
  mixcloud: {
    at: { 'mixcloud.com': '/{name}' },
    name: slug,
    kept: 'advertise categories dashboard developers discover genres live media players pro select tag upload',
  },
  lastfm: { at: { 'last.fm': '/user/{name} /*/user/{name}' } },
  flickr: {
    at: {
      'flickr.com': '/photos/{name} /people/{name} /services/feeds/photos_public.gne?id={name}',
      'flic.kr': '',
    },
    name: /^[\w@-]{1,60}$/,
    kept: 'friends me organize public tags upload',
  },
  pinterest: {
    at: {
      'pinterest.com {country}.pinterest.com pinterest.{tld}': '/{name}',
      'pin.it': '',
    },
    name: /^[\p{L}\p{N}_-]{2,50}$/u,
    kept: '_ _tools board business categories create discover email ideas invite news_hub notifications offsite password pin pin-builder pin-creation-tool popular resource saves settings shop story topics today videos',
  },
  tumblr: {
    at: {
      'tumblr.com': '/blog/view/{name} /blog/{name} /@{name} /{name}',
      '{name}.tumblr.com': '',
    },
    name: /^[a-z\d-]{1,32}$/i,
    kept: 'activity apps assets at blog changes communities customize dashboard docs domains following inbox likes live media new oauth2 policy press radar reblog security spotlight static tagged themes tips tv video_file view',
  },
  deviantart: {
    at: { 'deviantart.com': '/{name}', '{name}.deviantart.com': '', 'fav.me': '' },
    name: /^[a-z\d-]{2,20}$/i,
    kept: 'art browse core-membership critique daily-deviations deviation dreamup embed forum group groups journals morelikethis notifications popular prints sc sta shop status-update submit tag team topic watch',
  },
  behance: {
    at: { 'behance.net': '/{name}' },
    kept: 'adobe assets blog collection dev featured feeds for_you galleries gallery hire joblist live moodboard onboarding portfolio pro search stock',
  },
  dribbble: {
    at: { 'dribbble.com': '/{name}' },
    name: slug,
    kept: 'ads advertise application apps branding buckets colors courses designers features freelance freelance-jobs goods hiring instant-match learn marketplace playbook pro projects resources session shots stories tags teams',
  },
  letterboxd: {
    at: { 'letterboxd.com': '/{name}', 'boxd.it': '' },
    name: /^\w{2,15}$/,
    kept: 'activity actor api-beta cinematography contact crew director editor film films invitations journal legal list lists members people pro producer reviews s studio tag watchlist welcome writer year-in-review',
  },
}
