/** Hosts whose addresses say what they lead to. Names of services are not translated. */
const SERVICES: Record<string, string> = {
  'github.com': 'GitHub',
  'gitlab.com': 'GitLab',
  'codepen.io': 'CodePen',
  'codesandbox.io': 'CodeSandbox',
  'stackblitz.com': 'StackBlitz',
  'figma.com': 'Figma',
  'behance.net': 'Behance',
  'dribbble.com': 'Dribbble',
  'youtube.com': 'YouTube',
  'youtu.be': 'YouTube',
  'vimeo.com': 'Vimeo',
  'drive.google.com': 'Google Drive',
  'docs.google.com': 'Google Docs',
  'colab.research.google.com': 'Google Colab',
  'kaggle.com': 'Kaggle',
  'huggingface.co': 'Hugging Face',
  'play.google.com': 'Google Play',
  'apps.apple.com': 'App Store',
  'soundcloud.com': 'SoundCloud',
  'notion.so': 'Notion',
}
export interface LinkName {
  /** What the link is called: the last words of its path, or its host. */
  title: string
  host: string
  /** The service it leads to, where we know it. */
  service: string | null
}

function lastWords(url: URL): string | null {
  const parts = url.pathname.split('/').filter((part) => part !== '')
  // A single word as in `watch?v=…` says nothing without what follows it.
  const words = parts.length === 1 ? `${parts[0]}${url.search}` : parts.slice(-2).join('/')
  try {
    return words === '' ? null : decodeURIComponent(words)
  } catch {
    return words
  }
}

/** How to show an address: nothing of it is fetched. Null for what is no http(s) address. */
export function linkName(address: string): LinkName | null {
  let url: URL
  try {
    url = new URL(address.trim())
  } catch {
    return null
  }
  if (url.protocol !== 'https:' && url.protocol !== 'http:') return null
  const host = url.hostname.replace(/^www\./, '')
  return { title: lastWords(url) ?? host, host, service: SERVICES[host] ?? null }
}
