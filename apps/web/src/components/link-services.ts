/** The kind of content a link leads to. */
export type LinkKind =
  | 'code'
  | 'design'
  | 'video'
  | 'audio'
  | 'image'
  | 'document'
  | 'archive'
  | 'app'
  | 'data'
  | 'folder'
  | 'page'

export interface Service {
  /** Names of services are not translated. */
  name: string
  kind: LinkKind
}

const servicesOfKind = (kind: LinkKind, hosts: Record<string, string>): [string, Service][] =>
  Object.entries(hosts).map(([host, name]) => [host, { name, kind }])

/** The hosts of known services. Subdomains match too ('gist.github.com', 'm.youtube.com'). */
const SERVICES: ReadonlyMap<string, Service> = new Map([
  ...servicesOfKind('code', {
    'github.com': 'GitHub',
    'gitlab.com': 'GitLab',
    'bitbucket.org': 'Bitbucket',
    'codeberg.org': 'Codeberg',
    'codepen.io': 'CodePen',
    'codesandbox.io': 'CodeSandbox',
    'stackblitz.com': 'StackBlitz',
    'replit.com': 'Replit',
    'npmjs.com': 'npm',
    'pypi.org': 'PyPI',
    'hub.docker.com': 'Docker Hub',
  }),
  ...servicesOfKind('design', {
    'figma.com': 'Figma',
    'behance.net': 'Behance',
    'dribbble.com': 'Dribbble',
    'canva.com': 'Canva',
    'miro.com': 'Miro',
  }),
  ...servicesOfKind('video', {
    'youtube.com': 'YouTube',
    'youtu.be': 'YouTube',
    'vimeo.com': 'Vimeo',
    'dailymotion.com': 'Dailymotion',
    'loom.com': 'Loom',
  }),
  ...servicesOfKind('audio', {
    'soundcloud.com': 'SoundCloud',
    'open.spotify.com': 'Spotify',
    'mixcloud.com': 'Mixcloud',
    'bandcamp.com': 'Bandcamp',
    'anghami.com': 'Anghami',
  }),
  ...servicesOfKind('document', {
    'docs.google.com': 'Google Docs',
    'notion.so': 'Notion',
    'notion.site': 'Notion',
    'medium.com': 'Medium',
    'dev.to': 'DEV',
  }),
  ...servicesOfKind('folder', {
    'drive.google.com': 'Google Drive',
    'dropbox.com': 'Dropbox',
    'onedrive.live.com': 'OneDrive',
    '1drv.ms': 'OneDrive',
    'mega.nz': 'MEGA',
  }),
  ...servicesOfKind('data', {
    'colab.research.google.com': 'Google Colab',
    'kaggle.com': 'Kaggle',
    'huggingface.co': 'Hugging Face',
  }),
  ...servicesOfKind('app', {
    'play.google.com': 'Google Play',
    'apps.apple.com': 'App Store',
    'expo.dev': 'Expo',
  }),
  ...servicesOfKind('page', {
    'github.io': 'GitHub Pages',
    'vercel.app': 'Vercel',
    'netlify.app': 'Netlify',
    'pages.dev': 'Cloudflare Pages',
  }),
])

/** The service of a host; null if unknown. */
export function findService(host: string): Service | null {
  const labels = host.split('.')
  for (let from = 0; from < labels.length - 1; from++) {
    const service = SERVICES.get(labels.slice(from).join('.'))
    if (service) return service
  }
  return null
}

/** The title in the path of a link; undefined if it has only ids. */
type TitleRule = (segments: string[]) => string | undefined

const ownerAndRepository: TitleRule = (segments) => segments.slice(0, 2).join('/')
/** The path of a GitLab project, which may be in groups, ends before a segment `-`. */
const projectPath: TitleRule = (segments) => segments.join('/').split('/-/')[0]
/** The last segment after an id: `design/1AbC/Tram-app`. */
const nameAfterId: TitleRule = (segments) => (segments.length > 2 ? segments.at(-1)?.replaceAll('-', ' ') : undefined)
const fileName: TitleRule = (segments) => segments.findLast((segment) => segment.includes('.'))
/** Only a channel or a user has a name. */
const handle: TitleRule = (segments) => segments.find((segment) => segment.startsWith('@'))

/** By service; the others have their title at the end of the path. */
export const TITLE_RULES: Partial<Record<string, TitleRule>> = {
  GitHub: ownerAndRepository,
  Bitbucket: ownerAndRepository,
  Codeberg: ownerAndRepository,
  GitLab: projectPath,
  Figma: nameAfterId,
  Behance: nameAfterId,
  Dropbox: fileName,
  ...Object.fromEntries(
    [
      'YouTube',
      'Vimeo',
      'Dailymotion',
      'Loom',
      'Spotify',
      'Google Drive',
      'Google Docs',
      'Google Colab',
      'Google Play',
      'OneDrive',
      'MEGA',
      'Canva',
      'Miro',
    ].map((name) => [name, handle]),
  ),
}

const KINDS_BY_EXTENSION: readonly [RegExp, LinkKind][] = [
  [/\.(png|jpe?g|gif|webp|avif|svg)$/i, 'image'],
  [/\.(mp3|m4a|ogg|opus|wav|flac|aac)$/i, 'audio'],
  [/\.(mp4|webm|mov|mkv)$/i, 'video'],
  [/\.(pdf|docx?|pptx?|odt|odp|md)$/i, 'document'],
  [/\.(zip|rar|7z|tar|tgz|gz)$/i, 'archive'],
  [/\.(apk|aab|ipa)$/i, 'app'],
  [/\.(csv|xlsx?|ipynb|parquet)$/i, 'data'],
]

/** The kind of a file by its extension; null if unknown. */
export const kindOfFile = (path: string): LinkKind | null =>
  KINDS_BY_EXTENSION.find(([extension]) => extension.test(path))?.[1] ?? null
