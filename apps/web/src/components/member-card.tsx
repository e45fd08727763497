import type { TeamMember } from '@community/contract'
import { Crown, Globe, Mail, Phone } from 'lucide-react'
import type { ComponentType, ReactNode, SVGProps } from 'react'
import { AccountNotes } from './account-notes.tsx'
import { Avatar } from './avatar.tsx'
import { mailtoLink, telLink } from '../lib/contact-links.ts'
import { formatDate } from '../lib/format.ts'
import { useT } from '../lib/i18n.ts'
import { Badge } from '../ui/badge.tsx'
import { GitHubIcon, InstagramIcon, WhatsAppIcon } from '../ui/brand-icons.tsx'
import { roleName } from './role-name.ts'
import { experienceLabels } from './experience-labels.ts'
import { whatsAppLink } from './whatsapp-link.ts'

interface MemberCardProps {
  member: TeamMember
  isMe: boolean
  /** Shown next to the name. */
  badges?: ReactNode
  /** Buttons at the bottom. */
  actions?: ReactNode
}

/** A member with their role and contact details. */
export function MemberCard({ member, isMe, badges, actions }: MemberCardProps) {
  const t = useT()
  return (
    <article className="flex h-full flex-col gap-3 rounded-card border border-line p-4">
      <div className="flex items-start gap-3">
        <Avatar person={member} />
        <div className="min-w-0 grow">
          <h4 className="flex flex-wrap items-center gap-x-2 gap-y-1 font-semibold">
            <bdi>{member.name}</bdi>
            {member.isChef && (
              <Badge tone="gold" icon={Crown}>
                {t('Chef')}
              </Badge>
            )}
            {isMe && <Badge tone="info">{t('You')}</Badge>}
            {badges}
          </h4>
          <AccountNotes member={member} />
          <p className="text-sm text-ink-2">
            {member.role && <bdi>{roleName(member.role)}</bdi>}
            {member.role && member.experience && ' · '}
            {/* Keeps the years, "(0-1 years)", from breaking at the hyphen. */}
            {member.experience && <span className="whitespace-nowrap">{experienceLabels(t)[member.experience]}</span>}
          </p>
          <p className="text-sm text-muted">{t('Joined {date}', { date: formatDate(member.joinedAt) })}</p>
        </div>
      </div>
      {member.bio && (
        <p dir="auto" className="wrap-anywhere whitespace-pre-line text-sm">
          {member.bio}
        </p>
      )}
      <Contacts member={member} />
      {actions && <div className="mt-auto flex flex-wrap gap-2 border-t border-line pt-3">{actions}</div>}
    </article>
  )
}

interface Contact {
  key: string
  href: string
  text: string
  Icon: ComponentType<SVGProps<SVGSVGElement>>
  opensInNewTab: boolean
}

// The server accepts http and https only; never render any other scheme as a link.
const isHttpUrl = (link: string | null): link is string => link !== null && /^https?:\/\//i.test(link)

function contactsOf(member: TeamMember, portfolio: string): Contact[] {
  const contacts: Contact[] = [
    { key: 'email', href: mailtoLink(member.email), text: member.email, Icon: Mail, opensInNewTab: false },
  ]
  if (member.phone) {
    contacts.push({ key: 'phone', href: telLink(member.phone), text: member.phone, Icon: Phone, opensInNewTab: false })
    const whatsApp = whatsAppLink(member.phone)
    if (whatsApp)
      contacts.push({ key: 'chat', href: whatsApp, text: 'WhatsApp', Icon: WhatsAppIcon, opensInNewTab: true })
  }
  const profiles = [
    { key: 'github', href: member.github, text: 'GitHub', Icon: GitHubIcon },
    { key: 'instagram', href: member.instagram, text: 'Instagram', Icon: InstagramIcon },
    { key: 'portfolio', href: member.portfolio, text: portfolio, Icon: Globe },
  ]
  for (const { href, ...page } of profiles) if (isHttpUrl(href)) contacts.push({ ...page, href, opensInNewTab: true })
  return contacts
}

const NEW_TAB = { target: '_blank', rel: 'noopener noreferrer nofollow ugc' }

function Contacts({ member }: { member: TeamMember }) {
  const t = useT()
  return (
    <ul aria-label={t('Contact {name}', { name: member.name })} className="flex flex-wrap gap-x-4 gap-y-1">
      {contactsOf(member, t('Portfolio')).map(({ key, href, text, Icon, opensInNewTab }) => (
        <li key={key} className="max-w-full">
          <a
            href={href}
            {...(opensInNewTab && NEW_TAB)}
            className="inline-flex min-h-11 max-w-full pointer-fine:min-h-8 items-center gap-1.5 text-sm font-medium text-primary hover:underline"
          >
            <Icon aria-hidden="true" className="size-4 shrink-0" />
            <bdi dir="ltr" className="truncate">
              {text}
            </bdi>
          </a>
        </li>
      ))}
    </ul>
  )
}
