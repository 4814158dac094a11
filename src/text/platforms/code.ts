/**
 * Platforms where people publish code and talk about it.
 * The rows are explained in src/text/platforms/platform.ts.
 */
import { dotted, type Platforms, slug } from './platform.ts'

/** Their rows, by key. */
export const code: Platforms = {
  github: {
    aliases: 'gh',
    at: {
      'github.com': '/users/{name} /sponsors/{name} /stars/{name} /{name}',
      'avatars.githubusercontent.com': '/{name}$',
      'ssh.github.com gist.github.com gist.githubusercontent.com raw.githubusercontent.com codeload.github.com':
        '/{name}',
      'api.github.com': '/users/{name} /repos/{name}',
      '{name}.github.io': '',
      'githubusercontent.com': '',
    },
    name: /^[a-z\d][a-z\d_-]{0,45}$/i,
    endings: 'png keys gpg atom',
    remote: true,
    never: /^(?:[0-9a-f]{20}|[0-9a-f]{32})$/i,
    kept: 'account advisories apps assets blog business careers codespaces collections contact copilot customer-stories dashboard discover discussions edu education enterprise events features git-guides gist github-copilot integrations issues join login marketplace mcp mobile models new newsroom nonprofit notifications open-source orgs organizations partners password_reset premium-support pricing projects pulls readme releases repos resources security server-import sessions site solutions sponsors stars status support team teams topics trending trust-center users watching why-github',
  },
  gitlab: {
    at: {
      'gitlab.com': '/users/{name} /u/{name} /api/v4/users?username={name} /{name}',
      '{name}.gitlab.io': '',
    },
    endings: 'keys gpg atom',
    remote: true,
    name: /^[\w][\w.-]{1,254}$/,
    kept: '- admin api assets dashboard files groups import invites jwt oauth profile projects public s sign_in sign_up sitemap snippets sso u unsubscribes uploads user users v2',
  },
  bitbucket: {
    at: { 'bitbucket.org': '/{name}', '{name}.bitbucket.io': '' },
    name: dotted,
    remote: true,
    kept: '- api blog dashboard gateway product repo site snippets socialauth support workspace workspaces',
  },
  codeberg: {
    at: { 'codeberg.org': '/{name}', '{name}.codeberg.page': '' },
    name: dotted,
    endings: 'png keys gpg rss atom',
    remote: true,
    kept: '- .well-known admin api assets attachments avatar avatars captcha devtest ghost issues metrics milestones notifications org pulls raw repo repo-avatars stars swagger user users v2',
  },
  sourcehut: {
    aliases: 'srht',
    at: { 'sr.ht git.sr.ht hg.sr.ht lists.sr.ht meta.sr.ht paste.sr.ht todo.sr.ht': '/~{name}' },
    remote: true,
  },
  stackoverflow: {
    at: { 'stackoverflow.com': '/users/{id} /feeds/user/{id}' },
    name: /^\d{1,10}$/,
  },
  stackexchange: { at: { 'stackexchange.com': '/users/{id}' }, name: /^\d{1,10}$/ },
  mathoverflow: { at: { 'mathoverflow.net': '/users/{id}' }, name: /^\d{1,10}$/ },
  hackernews: {
    aliases: 'hn ycombinator',
    at: {
      'news.ycombinator.com':
        '/user?id={name} /threads?id={name} /submitted?id={name} /favorites?id={name}',
      'hnrss.org': '/user?id={name} /submitted?id={name} /threads?id={name}',
      'ycombinator.com': '',
    },
    name: /^[\w-]{2,15}$/,
  },
  npm: { aliases: 'npmjs', at: { 'npmjs.com npmjs.org': '/~{name}' } },
  pypi: { at: { 'pypi.org': '/user/{name}' } },
  crates: { aliases: 'cratesio', at: { 'crates.io': '/users/{name}' } },
  rubygems: { at: { 'rubygems.org': '/profiles/{name}' } },
  packagist: { at: { 'packagist.org': '/users/{name}' } },
  nuget: { at: { 'nuget.org': '/profiles/{name}' } },
  dockerhub: { aliases: 'docker', at: { 'hub.docker.com': '/u/{name}' } },
  huggingface: {
    aliases: 'hf',
    at: {
      'huggingface.co hf.co':
        '/datasets/{name}/* /spaces/{name}/* /collections/{name} /posts/{name} /{name}',
    },
    name: /^[a-z\d][\w.-]{0,95}$/i,
    remote: true,
    kept: 'api assistants bert-base-uncased blog chat collections course datasets deepseek-ai.github.io distilbert-base-uncased docs enterprise front gpt2 hardware inference inference-endpoints inference-providers learn models new notifications organizations papers playground posts pricing reference roberta-base security-checkup spaces storage t5-small tasks',
  },
  kaggle: {
    at: { 'kaggle.com': '/code/{name}/* /datasets/{name}/* /models/{name}/* /{name}' },
    name: slug,
    kept: 'benchmarks c code competitions datasets discussion discussions docs general getting-started host kernels learn me models organizations progression rankings solutions work',
  },
  codepen: {
    at: { 'codepen.io': '/{name}' },
    name: slug,
    kept: 'accessibility challenges collection features following hello pen pens picks pro project projects spark team topic trending your-work',
  },
  leetcode: { at: { 'leetcode.com': '/u/{name}' } },
  replit: { at: { 'replit.com': '/@{name}' } },
}
