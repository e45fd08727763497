import { useQuery } from '@tanstack/react-query'
import { ArrowUpRight, Mail } from 'lucide-react'
import type { ComponentType } from 'react'
import { mailtoLink } from '../../lib/contact-links.ts'
import { emit } from '../../lib/events.ts'
import { useT } from '../../lib/i18n.ts'
import { isAdmin, useUser } from '../../lib/session.ts'
import { trpc } from '../../lib/trpc.ts'
import { DiscordIcon, WhatsAppIcon } from '../../ui/brand-icons.tsx'
import { Button } from '../../ui/button.tsx'
import { QueryError } from '../../ui/query-error.tsx'
import { SectionBody } from '../../ui/section.tsx'
import { Faq } from './faq.tsx'

function CommunityLinks() {
  const t = useT()
  const settings = useQuery(trpc.system.settings.queryOptions())
  const links = settings.data?.settings.links
  if (settings.isError && !links) {
    return <QueryError query={settings} title={t('The links could not be loaded')} />
  }
  return (
    <ul aria-busy={!links} className="grid content-start gap-3">
      <CommunityLink
        href={links?.chatGroup}
        Icon={WhatsAppIcon}
        title={t('WhatsApp group')}
        text={t('Find teammates and ask quick questions')}
      />
      <CommunityLink
        href={links?.chatServer}
        Icon={DiscordIcon}
        title={t('Discord server')}
        text={t('Talk about challenges and share what you built')}
      />
      <CommunityLink
        href={links && mailtoLink(links.supportEmail)}
        Icon={Mail}
        title={t('Support by email')}
        text={t('Report a problem with an account, a team or a score')}
      />
    </ul>
  )
}

interface CommunityLinkProps {
  /** Undefined until the settings are loaded: the card is not a link yet. Empty without such a link: there is no card. */
  href: string | undefined
  Icon: ComponentType<{ className?: string; 'aria-hidden'?: 'true' }>
  title: string
  text: string
}

/** A card that is a link. Web pages open in a new tab. */
function CommunityLink({ href, Icon, title, text }: CommunityLinkProps) {
  const t = useT()
  if (href === '') return null
  const isPage = href !== undefined && !href.startsWith('mailto:')
  return (
    <li>
      <a
        href={href}
        {...(isPage && { target: '_blank', rel: 'noopener noreferrer' })}
        className="flex items-center gap-4 rounded-card border border-line bg-surface px-4 py-3.5 transition-colors hover:border-control hover:bg-sunken"
      >
        <Icon aria-hidden="true" className="size-6 shrink-0 text-primary" />
        <span className="min-w-0 grow">
          <span className="block font-semibold">{title}</span>
          <span className="block text-sm text-ink-2">{text}</span>
          {isPage && <span className="sr-only">({t('opens in a new tab')})</span>}
        </span>
        <ArrowUpRight aria-hidden="true" className="size-5 shrink-0 text-muted rtl:-scale-x-100" />
      </a>
    </li>
  )
}

function NextStep() {
  const t = useT()
  const user = useUser()
  const settings = useQuery(trpc.system.settings.queryOptions())
  // Administrators give verdicts and cannot join teams.
  const canCreate = !isAdmin(user) && (settings.data?.settings.teamCreationEnabled ?? true)
  if (user && !canCreate) return null
  return (
    <div className="grid gap-3 rounded-card bg-primary-soft p-4">
      <p className="font-semibold">{t('Ready to get started?')}</p>
      <div className="flex flex-wrap gap-2">
        {!user && (
          <Button variant="primary" onClick={() => emit('openAuthModal', { mode: 'register' })}>
            {t('Get Started')}
          </Button>
        )}
        {canCreate && <Button onClick={() => emit('openCreateTeamModal')}>{t('Create Team')}</Button>}
      </div>
      {!user && (
        <p className="text-sm text-ink-2">
          {t('Already a member?')}{' '}
          <button
            type="button"
            onClick={() => emit('openAuthModal', { mode: 'login' })}
            className="-my-2.5 min-h-11 min-w-11 font-semibold text-primary underline underline-offset-2"
          >
            {t('Sign In')}
          </button>
        </p>
      )}
    </div>
  )
}

/** The community's channels, and frequent questions. */
export function ContactSection() {
  const t = useT()
  return (
    <SectionBody title={t('Community')} lead={t('Where to find us, and answers to common questions.')}>
      <div className="grid gap-8 lg:grid-cols-[2fr_3fr] lg:gap-12">
        <div className="grid content-start gap-4">
          <CommunityLinks />
          <NextStep />
        </div>
        <Faq />
      </div>
    </SectionBody>
  )
}
