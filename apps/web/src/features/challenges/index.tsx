import type { Challenge } from '@community/contract'
import { isOpen } from '@community/contract'
import { Plus } from 'lucide-react'
import { useEffect, useState } from 'react'
import { useOpenDialog } from '../../lib/dialogs.ts'
import { emit } from '../../lib/events.ts'
import { useT } from '../../lib/i18n.ts'
import { memoryState } from '../../lib/memory-state.ts'
import { lazyWithRetry } from '../../lib/lazy-with-retry.tsx'
import { useServerNow } from '../../lib/server-clock.ts'
import { isAdmin, useUser } from '../../lib/session.ts'
import { storePositionOfLink, useLinkedItem } from '../../lib/navigation/linked-item.ts'
import { Button } from '../../ui/button.tsx'
import { LazyDialog } from '../../ui/lazy-dialog.tsx'
import { SectionBody } from '../../ui/section.tsx'
import { Tabs } from '../../ui/tabs.tsx'
import { useApply, useSubmitProject } from './apply.ts'
import { ApplyButton } from './apply-button.tsx'
import { ChallengeBrowser } from './challenge-browser.tsx'
import { useChallengeList } from './challenge-list.ts'
import { ChallengeTiles } from './challenge-tiles.tsx'
import { NO_FILTERS } from './filters.tsx'
import { useHighlight } from './use-highlight.ts'
import { useLoadChallenge, usePrefetchChallenge } from './load-challenge.ts'
import { MyApplications } from './my-applications.tsx'
import type { TeamEligibility } from './eligibility.ts'
import { SubmitButton } from './submit-button.tsx'

const ApplyDialog = lazyWithRetry(() => import('./apply-dialog.tsx').then((part) => part.ApplyDialog))
const SubmitDialog = lazyWithRetry(() => import('./submit-dialog.tsx').then((part) => part.SubmitDialog))
const ChallengeDialog = lazyWithRetry(() => import('./challenge-dialog.tsx').then((part) => part.ChallengeDialog))

type Tab = 'active' | 'all' | 'mine'

const useTab = memoryState<Tab>('active')
const useFilters = memoryState(NO_FILTERS)

type SectionDialog =
  | { name: 'details'; challenge: Challenge }
  | { name: 'apply' | 'submit'; userId: string | undefined; challenge: Challenge; eligibilities: TeamEligibility[] }

/** The tab that lists a linked challenge, or its details. */
type LinkTarget = { tab: Tab } | { challenge: Challenge }

/** Follows a link `#challenge-{id}`: opens the tab that lists its card, or its details if no loaded page lists it. Returns the id to highlight. */
function useChallengeLink(now: Date, onFollow: (target: LinkTarget) => void) {
  const loadChallenge = useLoadChallenge()
  const link = useLinkedItem('challenge')
  const list = useChallengeList(NO_FILTERS)
  const loaded = list.pages > 0 ? list.rows : undefined
  const [followed, setFollowed] = useState<{ link: typeof link; isListed: boolean } | null>(null)
  // Only the list tells whether it has the challenge: it is requested meanwhile.
  usePrefetchChallenge(link && !loaded ? link.id : null)
  useEffect(() => {
    if (!link || !loaded || followed?.link === link) return
    const listed = loaded.find((challenge) => challenge.id === link.id)
    // oxlint-disable-next-line react/set-state-in-effect -- a list that grows after the link was followed must not move the focus
    setFollowed({ link, isListed: listed !== undefined })
    const follow = (target: LinkTarget) => {
      storePositionOfLink(link)
      onFollow(target)
    }
    if (listed) return follow({ tab: isOpen(listed, now) ? 'active' : 'all' })
    void loadChallenge(link.id).then((found) => found && follow({ challenge: found.challenge }))
  }, [link, loaded, followed, now, onFollow, loadChallenge])
  return useHighlight(link, followed?.link === link && followed.isListed)
}

/** The challenges: open, all, and those the user’s teams applied to. */
export function ChallengesSection() {
  const t = useT()
  const user = useUser()
  const now = useServerNow()
  const [tab, setTab] = useTab()
  const [filters, setFilters] = useFilters()
  const [opened, setDialog] = useState<SectionDialog | null>(null)
  // After the session has ended, somebody else may sign in.
  const isOthers = user && opened && opened.name !== 'details' && opened.userId !== user.id
  const dialog = isOthers ? null : opened
  const apply = useApply((challenge, eligibilities) =>
    setDialog({ name: 'apply', userId: user?.id, challenge, eligibilities }),
  )
  const onApply = (challenge: Challenge) => apply(challenge, now)
  const submit = useSubmitProject((challenge, eligibilities) =>
    setDialog({ name: 'submit', userId: user?.id, challenge, eligibilities }),
  )
  const highlighted = useChallengeLink(now, (target) => {
    if ('challenge' in target) {
      // After an external sign-in, the dialog that the visitor asked for may be open already.
      if (!useOpenDialog.getState()) setDialog({ name: 'details', challenge: target.challenge })
      return
    }
    setFilters(NO_FILTERS)
    setTab(target.tab)
  })
  const browser = (onlyActive: boolean) => (
    <ChallengeBrowser
      onlyActive={onlyActive}
      filters={filters}
      onFilter={setFilters}
      now={now}
      highlighted={highlighted}
      onOpen={(challenge) => setDialog({ name: 'details', challenge })}
      onApply={onApply}
    />
  )
  const close = () => setDialog(null)
  return (
    <SectionBody
      title={t('Challenges')}
      lead={t(
        'Each challenge has a deadline, points and requirements. The team chef applies, or a member submits a project for the team.',
      )}
      action={
        isAdmin(user) && (
          <Button onClick={() => emit('openCreateChallengeModal')}>
            <Plus aria-hidden="true" />
            {t('Create Challenge')}
          </Button>
        )
      }
    >
      <ChallengeTiles now={now} />
      <Tabs
        label={t('Which challenges to show')}
        value={tab}
        onChange={setTab}
        items={[
          { value: 'active', label: t('{challenges, select, other {Active}}'), content: browser(true) },
          { value: 'all', label: t('All'), content: browser(false) },
          { value: 'mine', label: t('My Applications'), content: <MyApplications onBrowse={() => setTab('active')} /> },
        ]}
      />
      <LazyDialog key={dialog?.name} onClose={close}>
        {dialog?.name === 'details' && (
          <ChallengeDialog key={dialog.challenge.id} opened={dialog.challenge} now={now} onClose={close}>
            {(challenge) => (
              <>
                <SubmitButton challenge={challenge} now={now} onSubmit={() => submit(challenge, now)} />
                <ApplyButton challenge={challenge} now={now} onApply={onApply} />
              </>
            )}
          </ChallengeDialog>
        )}
        {dialog?.name === 'apply' && <ApplyDialog {...dialog} onClose={close} />}
        {dialog?.name === 'submit' && <SubmitDialog {...dialog} onClose={close} />}
      </LazyDialog>
    </SectionBody>
  )
}
