import { oldestMember, type Team, type TeamMember, type Message } from '@community/contract'
import { clsx } from 'clsx'
import { type ReactNode, useId, useRef, useState } from 'react'
import { AccountNotes } from '../../components/account-notes.tsx'
import { Avatar } from '../../components/avatar.tsx'
import { formatDate } from '../../lib/format.ts'
import { msg, useT } from '../../lib/i18n.ts'
import { FieldError } from '../../ui/field.tsx'
import { Notice } from '../../ui/notice.tsx'
import { QuestionForm } from '../../ui/question-form.tsx'
import type { Successor } from '../../components/remove-member.ts'

const OLDEST = 'oldest'

interface ChefChoiceDialogProps {
  team: Team
  title: string
  message: string
  confirmLabel: string
  /** Offers the member who joined first as a separate, preselected choice. */
  withOldest?: boolean
  danger?: boolean
  isPending: boolean
  failure: Message | undefined
  /** Called on confirmation; closes the dialog on success. */
  onChoose: (successor: Successor) => Promise<unknown>
  onClose: () => void
}

/** Lets the chef choose the next chef among the other members. */
export function ChefChoiceDialog(props: ChefChoiceDialogProps) {
  const { team, withOldest = false, isPending, failure, onChoose, onClose } = props
  const t = useT()
  const name = useId()
  const errorId = useId()
  const group = useRef<HTMLFieldSetElement>(null)
  const others = team.members.filter((member) => !member.isChef)
  const oldest = withOldest ? oldestMember(others) : null
  const [choice, setChoice] = useState(oldest ? OLDEST : '')
  const [isMissing, setIsMissing] = useState(false)
  const submit = () => {
    if (choice === '') {
      setIsMissing(true)
      group.current?.querySelector('input')?.focus()
    } else void onChoose(choice === OLDEST ? { autoAssign: true } : { newOwnerId: choice })
  }
  const option = (value: string) => ({
    name,
    value,
    checked: choice === value,
    onChoose: () => {
      setChoice(value)
      setIsMissing(false)
    },
  })
  return (
    <QuestionForm question={props} busy={isPending} onSubmit={submit} onCancel={onClose}>
      {failure && <Notice tone="bad" message={failure} />}
      <fieldset ref={group} aria-describedby={isMissing ? errorId : undefined} className="grid gap-2">
        <legend className="mb-2 font-semibold">{t('New chef')}</legend>
        {oldest && (
          <Option {...option(OLDEST)} note={<bdi>{oldest.name}</bdi>}>
            {t('Automatic: the member who joined first')}
          </Option>
        )}
        {others.map((member) => (
          <MemberOption key={member.userId} member={member} {...option(member.userId)} />
        ))}
      </fieldset>
      <FieldError id={errorId} error={isMissing ? { message: msg('Please choose a member') } : undefined} />
    </QuestionForm>
  )
}

interface OptionProps {
  name: string
  value: string
  checked: boolean
  onChoose: () => void
}

function MemberOption({ member, ...option }: OptionProps & { member: TeamMember }) {
  const t = useT()
  return (
    <Option
      {...option}
      picture={<Avatar person={member} size="sm" />}
      note={
        <>
          {t('Joined {date}', { date: formatDate(member.joinedAt) })}
          <AccountNotes member={member} />
        </>
      }
    >
      <bdi>{member.name}</bdi>
    </Option>
  )
}

interface OptionFrameProps extends OptionProps {
  picture?: ReactNode
  note: ReactNode
  children: ReactNode
}

function Option({ name, value, checked, onChoose, picture, note, children }: OptionFrameProps) {
  const nameId = useId()
  const noteId = useId()
  return (
    <label
      className={clsx(
        'flex min-h-14 items-center gap-3 rounded-control border border-control px-3 py-2 transition-colors',
        'hover:bg-sunken has-checked:border-primary has-checked:bg-primary-soft',
      )}
    >
      <input
        type="radio"
        name={name}
        value={value}
        checked={checked}
        onChange={onChoose}
        aria-labelledby={nameId}
        aria-describedby={noteId}
        className="size-5 shrink-0 accent-primary"
      />
      {picture}
      <span className="min-w-0 grow">
        <span id={nameId} className="block font-medium">
          {children}
        </span>
        <span id={noteId} className="block text-sm text-ink-2">
          {note}
        </span>
      </span>
    </label>
  )
}
