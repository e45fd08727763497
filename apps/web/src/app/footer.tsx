import { Mail } from 'lucide-react'
import type { ReactNode } from 'react'
import { PageLinks } from '../components/page-links.tsx'
import { appName } from '../lib/app-name.ts'
import { useCommunityLinks } from '../lib/community-links.ts'
import { mailtoLink } from '../lib/contact-links.ts'
import { useT } from '../lib/i18n.ts'
import { DiscordIcon, WhatsAppIcon } from '../ui/brand-icons.tsx'
import { Khatam } from '../ui/khatam.tsx'
import { onSectionLink, sectionLabels } from './section-links.tsx'
import type { SectionId } from '../lib/navigation/route.ts'
import { LanguageSelect, ThemeSelect } from './preferences.tsx'
import { SocialLinks } from './social-links.tsx'

const QUICK_LINKS: readonly SectionId[] = ['teams', 'challenges', 'leaderboard', 'contact']
const LINK =
  'inline-flex min-h-11 min-w-11 items-center gap-2.5 text-ink-2 pointer-fine:min-h-9 hover:text-primary hover:underline'

function LinkList({ title, children }: { title: string; children: ReactNode }) {
  return (
    <div>
      <h2 className="mb-1 text-base">{title}</h2>
      <ul>{children}</ul>
    </div>
  )
}

/** The footer of all views. */
export function Footer() {
  const t = useT()
  const labels = sectionLabels(t)
  const links = useCommunityLinks()
  const community = [
    { href: links?.chatGroup, label: t('WhatsApp group'), Icon: WhatsAppIcon },
    { href: links?.chatServer, label: t('Discord server'), Icon: DiscordIcon },
    { href: links && mailtoLink(links.supportEmail), label: t('Support by email'), Icon: Mail },
  ].filter(({ href }) => href !== '')
  return (
    <footer className="border-t border-line bg-sunken">
      <div className="mx-auto grid max-w-page gap-8 px-4 py-10 sm:grid-cols-[1fr_auto_auto] sm:gap-16 sm:px-6">
        <div className="grid max-w-sm content-start gap-3">
          <p className="flex items-center gap-2.5 font-display text-xl font-bold">
            <Khatam className="size-7 text-primary" />
            {appName(t)}
          </p>
          <p className="text-ink-2">{t('Teams, timed challenges and judged work, for people who build in Morocco.')}</p>
          <SocialLinks />
          <div className="-ms-2.5 flex flex-wrap gap-2">
            <LanguageSelect long />
            <ThemeSelect />
          </div>
        </div>
        <LinkList title={t('Quick links')}>
          {QUICK_LINKS.map((section) => (
            <li key={section}>
              <a href={`#${section}`} onClick={onSectionLink(section)} className={LINK}>
                {labels[section]}
              </a>
            </li>
          ))}
        </LinkList>
        <LinkList title={t('Get in touch')}>
          {community.map(({ href, label, Icon }) => (
            <li key={label}>
              <a href={href} target="_blank" rel="noopener noreferrer" className={LINK}>
                <Icon aria-hidden="true" className="size-5" />
                {label}
              </a>
            </li>
          ))}
        </LinkList>
      </div>
      <div className="flex flex-wrap items-center justify-center gap-x-2 border-t border-line px-4 py-4 text-sm text-ink-2">
        <p>{t('© 2025 {name}', { name: appName(t) })}</p>
        <PageLinks />
      </div>
    </footer>
  )
}
