import { appErrors } from '@community/contract'
import type { Team } from '@community/contract'
import { useQuery } from '@tanstack/react-query'
import { useEffect, useEffectEvent, useState } from 'react'
import { InviteButton } from '../../components/invite-button.tsx'
import { TeamTile } from '../../components/team-tile.tsx'
import { useT } from '../../lib/i18n.ts'
import { isAdmin, useUser } from '../../lib/session.ts'
import { trpc } from '../../lib/trpc.ts'
import { Button } from '../../ui/button.tsx'
import { Dialog } from '../../ui/dialog.tsx'
import { DraftNotice } from '../../ui/draft-notice.tsx'
import { Notice } from '../../ui/notice.tsx'
import { LAST_STEP } from './create-team-form.ts'
import { CreatorStep } from './creator-step.tsx'
import { DetailsStep } from './details-step.tsx'
import { RolesStep } from './roles-step.tsx'
import { useTeamWizard } from './use-team-wizard.ts'
import { stepNames, WizardSteps } from './wizard-steps.tsx'

const FORM_ID = 'create-team'

/** Creates a team in three steps. Not for admins, nor while team creation is off. */
export function CreateTeamWizard({ onClose }: { onClose: () => void }) {
  const t = useT()
  const user = useUser()
  const { data } = useQuery(trpc.system.settings.queryOptions())
  const isOff = data?.settings.teamCreationEnabled === false
  if (!isAdmin(user) && !isOff) return <Wizard onClose={onClose} />
  return (
    <Dialog open onOpenChange={onClose} size="sm" title={t('Create New Team')}>
      <Notice tone="gold" message={isOff ? appErrors.teamCreationOff : appErrors.adminsCannotCreate} />
    </Dialog>
  )
}

type WizardState = ReturnType<typeof useTeamWizard>

function Wizard({ onClose }: { onClose: () => void }) {
  const t = useT()
  const wizard = useTeamWizard(onClose)
  const { created, isBusy, close } = wizard
  return (
    <Dialog
      open
      onOpenChange={close}
      size="lg"
      dismissible={!isBusy}
      title={t('Create New Team')}
      footer={created ? undefined : <WizardButtons wizard={wizard} />}
    >
      {created ? <CreatedBanner team={created} onDone={close} /> : <WizardForm wizard={wizard} />}
    </Dialog>
  )
}

function WizardForm({ wizard }: { wizard: WizardState }) {
  const t = useT()
  const { form, step, hasDraft, failure, heading, submitStep, startOver } = wizard
  const steps = [
    <CreatorStep key={0} form={form} />,
    <DetailsStep key={1} form={form} />,
    <RolesStep key={2} form={form} />,
  ]
  return (
    <form
      id={FORM_ID}
      noValidate
      className="grid gap-4"
      onSubmit={(event) => {
        event.preventDefault()
        submitStep()
      }}
    >
      <WizardSteps step={step} />
      {hasDraft && <DraftNotice onStartOver={startOver} />}
      {failure && <Notice tone="bad">{failure}</Notice>}
      <h3 ref={heading} tabIndex={-1} className="text-lg focus:outline-none">
        {stepNames(t)[step]}
      </h3>
      {steps[step]}
    </form>
  )
}

function WizardButtons({ wizard }: { wizard: WizardState }) {
  const t = useT()
  const { step, isBusy, goBack } = wizard
  const isLast = step === LAST_STEP
  return (
    <>
      {step > 0 && (
        <Button onClick={goBack} aria-disabled={isBusy}>
          {t('Previous')}
        </Button>
      )}
      <Button type="submit" form={FORM_ID} variant="primary" busy={isBusy} busyLabel={t('Creating team...')}>
        {isLast ? t('Create Team') : t('Next')}
      </Button>
    </>
  )
}

/** Milliseconds for which the success banner is shown before the wizard closes, unless its button is used. */
const BANNER_MS = 2000

interface CreatedBannerProps {
  team: Team
  /** Called after `BANNER_MS`, or once the share dialog is closed. */
  onDone: () => void
}

function CreatedBanner({ team, onDone }: CreatedBannerProps) {
  const t = useT()
  const [hasFocus, setFocus] = useState(false)
  const [isSharing, setSharing] = useState(false)
  const isInUse = hasFocus || isSharing
  const onTimeout = useEffectEvent(onDone)
  useEffect(() => {
    if (isInUse) return undefined
    const timer = setTimeout(onTimeout, BANNER_MS)
    return () => clearTimeout(timer)
  }, [isInUse])
  return (
    <div className="grid justify-items-center gap-4 px-4 py-12 text-center">
      <output className="grid justify-items-center gap-4">
        <TeamTile name={team.name} size="lg" />
        <span className="grid gap-1">
          <span className="text-lg font-semibold">{t('Team Created!')}</span>
          <span className="text-ink-2">{t('{team} is ready for its members.', { team: team.name })}</span>
        </span>
      </output>
      <span onFocus={() => setFocus(true)} onBlur={() => setFocus(false)}>
        <InviteButton team={team} onOpen={() => setSharing(true)} onClose={onDone} />
      </span>
    </div>
  )
}
