import { Globe } from 'lucide-react'
import type { ComponentType } from 'react'
import { useCommunityLinks } from '../lib/community-links.ts'
import { useT } from '../lib/i18n.ts'
import {
  FacebookIcon,
  GitHubIcon,
  InstagramIcon,
  LinkedInIcon,
  TelegramIcon,
  TikTokIcon,
  XIcon,
  YouTubeIcon,
} from '../ui/brand-icons.tsx'

type Icon = ComponentType<{ className?: string; 'aria-hidden'?: 'true' }>

/** Names are not translated. */
const SERVICES: Record<string, [name: string, Icon]> = {
  'facebook.com': ['Facebook', FacebookIcon],
  'github.com': ['GitHub', GitHubIcon],
  'instagram.com': ['Instagram', InstagramIcon],
  'linkedin.com': ['LinkedIn', LinkedInIcon],
  't.me': ['Telegram', TelegramIcon],
  'tiktok.com': ['TikTok', TikTokIcon],
  'twitter.com': ['X', XIcon],
  'x.com': ['X', XIcon],
  'youtube.com': ['YouTube', YouTubeIcon],
}

/** The service of a URL, with any subdomain, else its host name. */
function serviceAt(address: string): [name: string, Icon] {
  const host = new URL(address).hostname.replace(/^www\./, '')
  const known = Object.keys(SERVICES).find((service) => host === service || host.endsWith(`.${service}`))
  return (known && SERVICES[known]) || [host, Globe]
}

/** Links to the community's pages elsewhere, from the server's settings. */
export function SocialLinks() {
  const t = useT()
  const social = useCommunityLinks()?.social ?? []
  if (social.length === 0) return null
  return (
    <ul aria-label={t('Follow us')} className="-ms-2.5 flex flex-wrap">
      {social.map((address) => {
        const [name, Icon] = serviceAt(address)
        return (
          <li key={address}>
            <a
              href={address}
              target="_blank"
              rel="noopener noreferrer me"
              title={name}
              aria-label={name}
              className="grid size-11 place-items-center rounded-control text-ink-2 transition-colors hover:text-primary"
            >
              <Icon aria-hidden="true" className="size-5" />
            </a>
          </li>
        )
      })}
    </ul>
  )
}
