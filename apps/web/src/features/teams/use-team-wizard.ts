import { CreateTeamForm, type Team } from '@community/contract'
import { type RefObject, useEffect, useRef, useState } from 'react'
import { emit } from '../../lib/events.ts'
import { useUser } from '../../lib/session.ts'
import { applyServerErrors, useSchemaForm, useSubmit } from '../../lib/use-form.ts'
import {
  type CreateTeamField,
  initialForm,
  fillFromProfile,
  LAST_STEP,
  STEP_FIELDS,
  type Step,
  stepOf,
} from './create-team-form.ts'
import { deleteDraft, saveDraft, loadDraft } from './team-draft.ts'
import { type TeamForm, useCreateTeam } from './use-create-team.ts'

type Focus = { on: 'heading' } | { on: 'field'; field: CreateTeamField }

const nextStep = (step: Step): Step => (step === 0 ? 1 : 2)
const previousStep = (step: Step): Step => (step === 2 ? 1 : 0)

/** The first invalid field, in the order of the steps. */
const firstInvalidField = (form: TeamForm): CreateTeamField | undefined =>
  STEP_FIELDS.flat().find((field) => form.getFieldState(field).error)

/** Stores the draft at every change, so that closing the dialog by mistake loses nothing. */
function useDraftForm() {
  const user = useUser()
  const userId = user?.id ?? null
  const [draft, setDraft] = useState(() => loadDraft(userId))
  const [step, setStep] = useState<Step>(draft?.step ?? 0)
  const form = useSchemaForm(CreateTeamForm, draft ? fillFromProfile(draft.values, user) : initialForm(user))
  const owner = useRef(userId)
  useEffect(() => {
    // The draft keeps its owner: after a sign-out in another tab, the next user must not get it.
    owner.current ??= userId
    const save = (values: CreateTeamForm) => saveDraft({ userId: owner.current, step, values })
    if (step > 0) save(form.getValues())
    return form.subscribe({
      formState: { values: true },
      callback: ({ values }) => save(values),
    })
  }, [form, userId, step])
  const clear = () => {
    // The reset is a change too and would be stored.
    form.reset(initialForm(user))
    deleteDraft()
    setDraft(null)
    setStep(0)
  }
  return { form, step, setStep, hasDraft: draft?.step === step, clear }
}

/** Moves the focus to the heading of a new step, or to the invalid field. */
function useStepFocus(form: TeamForm): {
  heading: RefObject<HTMLHeadingElement | null>
  moveFocus: (to: Focus) => void
} {
  const heading = useRef<HTMLHeadingElement>(null)
  const [target, moveFocus] = useState<Focus | null>(null)
  const { setFocus } = form
  useEffect(() => {
    // The field is rendered with its step, so it can be focused only now.
    if (target?.on === 'heading') heading.current?.focus()
    if (target?.on === 'field') setFocus(target.field)
  }, [target, setFocus])
  return { heading, moveFocus }
}

/** The state of the wizard: one form in three steps, each validated before the next. */
export function useTeamWizard(onClose: () => void) {
  const [created, setCreated] = useState<Team | null>(null)
  const { form, step, setStep, hasDraft, clear } = useDraftForm()
  const { heading, moveFocus } = useStepFocus(form)

  const showField = (field: CreateTeamField) => {
    setStep(stepOf(field))
    moveFocus({ on: 'field', field })
  }
  const goTo = (next: Step) => {
    setStep(next)
    moveFocus({ on: 'heading' })
  }
  const { isBusy, failure, create } = useCreateTeam(
    (team) => {
      setCreated(team)
      clear()
    },
    (error) => {
      const [first] = applyServerErrors(form, error)
      if (first) showField(first)
      return first !== undefined
    },
  )
  const next = async () => {
    const fields = STEP_FIELDS[step] ?? []
    if (await form.trigger([...fields])) goTo(nextStep(step))
    else showFirstInvalid()
  }
  const showFirstInvalid = () => {
    const field = firstInvalidField(form)
    if (field) showField(field)
  }
  const submit = useSubmit(form, create, () => {
    showFirstInvalid()
    return undefined
  })

  const close = () => {
    if (created) emit('teamCreated', { teamId: created.id })
    onClose()
  }
  return {
    form,
    step,
    hasDraft,
    created,
    isBusy,
    failure,
    heading,
    close,
    /** Handles Enter and the primary button: validates the step and goes on, or creates the team. */
    submitStep: () => (step === LAST_STEP ? submit() : void next()),
    goBack: () => goTo(previousStep(step)),
    startOver: () => {
      clear()
      moveFocus({ on: 'heading' })
    },
  }
}
