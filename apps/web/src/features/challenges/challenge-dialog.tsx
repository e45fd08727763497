import type { Challenge } from '@community/contract'
import { BookOpen, FileCode2, GraduationCap, type LucideIcon, Wrench } from 'lucide-react'
import { type ReactNode, useState } from 'react'
import { Deadline, DifficultyMark } from '../../components/challenge-badges.tsx'
import { CATEGORY_LABELS, RESOURCE_LABELS } from '../../components/challenge-labels.ts'
import { ChallengeRequirements } from '../../components/challenge-requirements.tsx'
import { LinkCard } from '../../components/link-card.tsx'
import { parseLink } from '../../components/parse-link.ts'
import { ShareLinkButton } from '../../components/share-button.tsx'
import { formatInstant, formatNumber } from '../../lib/format.ts'
import { useT } from '../../lib/i18n.ts'
import { Badge } from '../../ui/badge.tsx'
import { Dialog } from '../../ui/dialog.tsx'
import { LinkedText } from '../../ui/linked-text.tsx'
import { Notice } from '../../ui/notice.tsx'
import { Tabs } from '../../ui/tabs.tsx'
import { useCurrentChallenge } from './current-challenge.ts'
import { Reminders } from './reminders.tsx'

interface ChallengeDialogProps {
  /** The challenge as it was when the dialog was opened. */
  opened: Challenge
  now: Date
  onClose: () => void
  /** The dialog's buttons. */
  children: (challenge: Challenge) => ReactNode
}

type Tab = 'overview' | 'requirements' | 'resources'

/** The details of a challenge. They follow changes, because an administrator may change or delete it while the dialog is open. */
export function ChallengeDialog({ opened, now, onClose, children }: ChallengeDialogProps) {
  const t = useT()
  const [tab, setTab] = useState<Tab>('overview')
  const { challenge, missingError } = useCurrentChallenge(opened)
  const { requirements, resources } = challenge
  return (
    <Dialog
      open
      fullHeight
      size="lg"
      onOpenChange={onClose}
      title={<bdi>{challenge.title}</bdi>}
      description={
        <span className="flex flex-wrap items-center gap-x-4 gap-y-1.5">
          <span>{t(CATEGORY_LABELS[challenge.category])}</span>
          <DifficultyMark difficulty={challenge.difficulty} />
          <Deadline challenge={challenge} now={now} />
        </span>
      }
      footer={
        !missingError && (
          <div className="flex grow flex-wrap items-center gap-2 max-sm:[&>button+button]:grow">
            <ShareLinkButton
              item={{ kind: 'challenge', id: challenge.id }}
              text={challenge.title}
              className="me-auto"
            />
            {children(challenge)}
          </div>
        )
      }
    >
      {missingError ? (
        <Notice tone="bad" message={missingError} />
      ) : (
        <Tabs
          label={t('Challenge details')}
          value={tab}
          onChange={setTab}
          panelClassName="min-h-64"
          items={[
            { value: 'overview', label: t('Overview'), content: <Overview challenge={challenge} now={now} /> },
            {
              value: 'requirements',
              label: t('Requirements'),
              count: requirements.length,
              content: <ChallengeRequirements challenge={challenge} />,
            },
            {
              value: 'resources',
              label: t('Resources'),
              count: resources.length,
              content: <Resources resources={resources} />,
            },
          ]}
        />
      )}
    </Dialog>
  )
}

function Fact({ name, children }: { name: string; children: ReactNode }) {
  return (
    <div>
      <dt className="text-sm text-muted">{name}</dt>
      <dd className="font-semibold">{children}</dd>
    </div>
  )
}

function Overview({ challenge, now }: { challenge: Challenge; now: Date }) {
  const t = useT()
  return (
    <div className="grid grid-cols-1 gap-5">
      <p dir="auto" className="max-w-prose whitespace-pre-line">
        <LinkedText text={challenge.description} />
      </p>
      <dl className="grid grid-cols-2 gap-4 border-y border-line py-4 sm:grid-cols-4">
        <Fact name={t('Points')}>{formatNumber(challenge.points)}</Fact>
        <Fact name={t('Deadline')}>
          <time dateTime={challenge.deadline}>{formatInstant(challenge.deadline)}</time>
        </Fact>
        <Fact name={t('Submissions per team')}>{formatNumber(challenge.maxSubmissions)}</Fact>
        <Fact name={t('Submissions')}>{formatNumber(challenge.submissionCount)}</Fact>
      </dl>
      <Reminders challenge={challenge} now={now} />
      {challenge.tags.length > 0 && (
        <ul aria-label={t('Tags')} className="flex flex-wrap gap-2">
          {challenge.tags.map((tag) => (
            <li key={tag} className="max-w-full">
              <Badge>
                <bdi>{tag}</bdi>
              </Badge>
            </li>
          ))}
        </ul>
      )}
    </div>
  )
}

const RESOURCE_ICONS: Record<Challenge['resources'][number]['type'], LucideIcon> = {
  documentation: BookOpen,
  tutorial: GraduationCap,
  example: FileCode2,
  tool: Wrench,
}

function Resources({ resources }: { resources: Challenge['resources'] }) {
  const t = useT()
  if (resources.length === 0) return <p className="text-ink-2">{t('This challenge has no resources.')}</p>
  return (
    <ul className="grid grid-cols-1 gap-2">
      {resources.map(({ title, url, type }) => (
        <li key={`${title} ${url}`}>
          <LinkCard
            address={url}
            Icon={RESOURCE_ICONS[type]}
            title={title}
            notes={[t(RESOURCE_LABELS[type]), parseLink(url)?.host ?? url]}
            wrapsTitle
            className="hover:bg-sunken"
          />
        </li>
      ))}
    </ul>
  )
}
