import type { Challenge } from '@community/contract'
import { isOpen } from '@community/contract'
import { Plus } from 'lucide-react'
import { Suspense, useEffect, useState } from 'react'
import { emit } from '../../lib/events.ts'
import { useT } from '../../lib/i18n.ts'
import { memoryState } from '../../lib/memory-state.ts'
import { lazyWithRetry } from '../../lib/lazy-with-retry.tsx'
import { useServerNow } from '../../lib/server-clock.ts'
import { isAdmin, useUser } from '../../lib/session.ts'
import { toast } from '../../lib/toasts.ts'
import { trpc } from '../../lib/trpc.ts'
import { Button } from '../../ui/button.tsx'
import { SectionBody } from '../../ui/section.tsx'
import { Tabs } from '../../ui/tabs.tsx'
import { useApply, useSubmitProject } from './apply.ts'
import { ApplyButton } from './apply-button.tsx'
import { ChallengeBrowser } from './challenge-browser.tsx'
import { useChallengeList } from './challenge-list.ts'
import { ChallengeTiles } from './challenge-tiles.tsx'
import { NO_FILTERS } from './filters.tsx'
import { useHighlight, useLinkedChallenge } from './linked-challenge.ts'
import { MyApplications } from './my-applications.tsx'
import type { TeamEligibility } from './eligibility.ts'
import { SubmitButton } from './submit-button.tsx'

const ApplyDialog = lazyWithRetry(() => import('./apply-dialog.tsx').then((part) => part.ApplyDialog))
const SubmitDialog = lazyWithRetry(() => import('./submit-dialog.tsx').then((part) => part.SubmitDialog))
const ChallengeDialog = lazyWithRetry(() => import('./challenge-dialog.tsx').then((part) => part.ChallengeDialog))

type Tab = 'active' | 'all' | 'mine'

const useTab = memoryState<Tab>('active')
const useFilters = memoryState(NO_FILTERS)

type Shown =
  | { dialog: 'details'; challenge: Challenge }
  | { dialog: 'apply' | 'submit'; challenge: Challenge; eligibilities: TeamEligibility[] }

/** Shows what a link `#challenge-{id}` asks for: its card in the list, or its details where the list does not reach. */
function useLinkedPlace(now: Date, show: (place: { tab: Tab } | { challenge: Challenge }) => void) {
  const t = useT()
  const utils = trpc.useUtils()
  const linked = useLinkedChallenge()
  const list = useChallengeList(NO_FILTERS)
  const loaded = list.pages > 0 ? list.rows : undefined
  const [answered, setAnswered] = useState<{ linked: typeof linked; isListed: boolean } | null>(null)
  useEffect(() => {
    if (!linked || !loaded || answered?.linked === linked) return
    const inList = loaded.find((challenge) => challenge.id === linked.id)
    // oxlint-disable-next-line react/set-state-in-effect -- keeps what was listed when the link was followed: a list that grows later must not move the focus
    setAnswered({ linked, isListed: inList !== undefined })
    if (inList) return show({ tab: isOpen(inList, now) ? 'active' : 'all' })
    utils.challenges.get.fetch({ id: linked.id }).then(
      ({ challenge }) => show({ challenge }),
      (error: unknown) => toast.failure(error, t('Error'), t('Failed to load challenges')),
    )
  }, [linked, loaded, answered, now, show, utils, t])
  return useHighlight(linked, answered?.linked === linked && answered.isListed)
}

/** The challenges there are, to read, share and apply to. */
export function ChallengesSection() {
  const t = useT()
  const user = useUser()
  const now = useServerNow()
  const [tab, setTab] = useTab()
  const [filters, setFilters] = useFilters()
  const [shown, setShown] = useState<Shown | null>(null)
  const apply = useApply((challenge, eligibilities) => setShown({ dialog: 'apply', challenge, eligibilities }))
  const onApply = (challenge: Challenge) => apply(challenge, now)
  const submit = useSubmitProject((challenge, eligibilities) =>
    setShown({ dialog: 'submit', challenge, eligibilities }),
  )
  const highlighted = useLinkedPlace(now, (place) => {
    if ('challenge' in place) return setShown({ dialog: 'details', challenge: place.challenge })
    setFilters(NO_FILTERS)
    setTab(place.tab)
  })
  const browser = (onlyActive: boolean) => (
    <ChallengeBrowser
      onlyActive={onlyActive}
      filters={filters}
      onFilter={setFilters}
      now={now}
      highlighted={highlighted}
      onOpen={(challenge) => setShown({ dialog: 'details', challenge })}
      onApply={onApply}
    />
  )
  const close = () => setShown(null)
  return (
    <SectionBody
      title={t('Challenges')}
      lead={t('Each challenge has a deadline, points and requirements. The team chef applies for the team.')}
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
      <Suspense fallback={null}>
        {shown?.dialog === 'details' && (
          <ChallengeDialog
            challenge={shown.challenge}
            now={now}
            onClose={close}
            action={
              <>
                <SubmitButton challenge={shown.challenge} now={now} onSubmit={(challenge) => submit(challenge, now)} />
                <ApplyButton challenge={shown.challenge} now={now} onApply={onApply} />
              </>
            }
          />
        )}
        {shown?.dialog === 'apply' && <ApplyDialog {...shown} onClose={close} />}
        {shown?.dialog === 'submit' && <SubmitDialog {...shown} onClose={close} />}
      </Suspense>
    </SectionBody>
  )
}
