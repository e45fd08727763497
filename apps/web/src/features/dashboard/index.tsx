import { OwnApplications } from '../../brand/own-applications.tsx'
import { emit, useListen } from '../../lib/events.ts'
import { useT } from '../../lib/i18n.ts'
import { isAdmin, useUser } from '../../lib/session.ts'
import { trpc } from '../../lib/trpc.ts'
import { Button } from '../../ui/button.tsx'
import { SectionBody } from '../../ui/section.tsx'
import { EmptyState } from '../../ui/states.tsx'
import { AttentionList } from './attention-list.tsx'
import { OwnFigures } from './own-figures.tsx'
import { OwnTeams } from './own-teams.tsx'
import { ProfileLine } from './profile-line.tsx'

/** A member's own page: profile, teams, applications and what became of them. */
export function Dashboard() {
  const t = useT()
  const user = useUser()
  const utils = trpc.useUtils()
  useListen('submissionCreated', () => void utils.challenges.myTeamApplications.invalidate())
  if (!user) {
    return (
      <EmptyState
        title={t('Please Sign In')}
        className="min-h-128 content-center"
        action={
          <Button variant="primary" onClick={() => emit('openAuthModal', { mode: 'login' })}>
            {t('Sign In')}
          </Button>
        }
      >
        {t('Your teams and applications are here once you are signed in.')}
      </EmptyState>
    )
  }
  return (
    <SectionBody
      level={1}
      title={t('Dashboard')}
      action={isAdmin(user) && <Button onClick={() => emit('navigateToAdmin')}>{t('Admin Panel')}</Button>}
    >
      <div className="grid grid-cols-1 gap-10">
        <div className="grid grid-cols-1 gap-3">
          <ProfileLine user={user} />
          <OwnFigures userId={user.id} />
        </div>
        {!isAdmin(user) && <AttentionList userId={user.id} />}
        <OwnTeams userId={user.id} />
        <section aria-labelledby="own-applications" className="grid gap-4">
          <h2 id="own-applications" className="text-xl">
            {t('My Applications')}
          </h2>
          <OwnApplications onBrowse={() => emit('navigateToChallenges')} />
        </section>
      </div>
    </SectionBody>
  )
}
