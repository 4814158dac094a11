/**
 * Platforms where people publish texts, or are paid for them.
 * The rows are explained in src/text/platforms/platform.ts.
 */
import { dotted, type Platforms, slug } from './platform.ts'

/** Their rows, by key. */
export const writing: Platforms = {
  medium: {
    at: { 'medium.com': '/@{name} /feed/@{name}', '{name}.medium.com': '' },
    name: dotted,
    kept: 'cdn-client glyph link miro policy rsci',
  },
  substack: {
    at: {
      'substack.com': '/@{name}',
      'open.substack.com': '/pub/{name}',
      '{name}.substack.com': '',
    },
    name: slug,
    kept: 'email open reader read',
  },
  wordpress: {
    at: { 'wordpress.com': '', '{name}.wordpress.com': '' },
    name: slug,
    kept: 'apps jetpack learn public-api signup subscribe vip widgets wp',
  },
  blogger: {
    aliases: 'blogspot',
    at: { 'blogger.com': '/profile/{id}', '{name}.blogspot.com {name}.blogspot.{tld}': '' },
    name: slug,
    kept: 'bp buzz draft',
  },
  hashnode: {
    at: { 'hashnode.com': '/@{name}', '{name}.hashnode.dev': '' },
  },
  devto: {
    at: { 'dev.to': '/feed/{name} /{name}' },
    name: /^\w{1,39}$/,
    kept: 'code-of-conduct connect dashboard enter events feed listings mod new notifications page pod podcasts reading-list readinglist series shop t tag tags top videos',
  },
  note: {
    at: { 'note.com': '/{name}' },
    name: /^\w{2,16}$/,
    kept: 'hashtag info interests magazines membership notes topic topics',
  },
  zhihu: { at: { 'zhihu.com': '/people/{name}', 'zhuanlan.zhihu.com': '' } },
  douban: { at: { 'douban.com': '/people/{name}' } },
  goodreads: {
    at: { 'goodreads.com': '/author/show/{leadingId} /user/show/{leadingId:user:} /{name}' },
    name: /^[a-z][\w-]{2,59}$/i,
    kept: 'ap_handler api ask_the_author author award blog book books characters choiceawards comment event events friend genres giveaway group interviews librarian_manual list lists message news newsletters notifications payments photo places poll quiz quizzes quotes readingchallenges recommendations review series shelf story toplists topic trivia update user user_challenges user_following user_shelves videos work',
  },
  patreon: {
    at: {
      'patreon.com': '/c/{name} /cw/{name} /join/{name} /rss/{name} /user?u={id} /{name}',
    },
    name: /^\w{2,64}$/,
    never: /^\d+$/,
    kept: 'apps bepatron become-a-patron blog c careers checkout collection create creators cw europe join library m manage_rewards messages notifications oauth2 pledges policy posts portal press pricing product rss sponsors user',
  },
  kofi: {
    at: { 'ko-fi.com': '/{name}' },
    name: /^\w{2,60}$/,
    kept: 'account album blog commissions ethos explore feed gallery gold home i manage memberships post s shop summary',
  },
  buymeacoffee: {
    aliases: 'bmc',
    at: { 'buymeacoffee.com coff.ee': '/{name}' },
    kept: 'blog careers creators explore-creators faq gifts membership wishlist',
  },
  producthunt: { at: { 'producthunt.com': '/@{name}' } },
  slideshare: {
    at: { 'slideshare.net': '/{name}' },
    name: slug,
    kept: 'category featured feature most-favorited newsfeed popular slideshow upload',
  },
  speakerdeck: {
    at: { 'speakerdeck.com': '/{name}' },
    kept: 'c categories features p player pricing pro',
  },
}
