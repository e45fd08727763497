import type { MailFrequency, NotificationPreference } from '@community/contract'
import { clsx } from 'clsx'
import { ChevronDown } from 'lucide-react'
import { useId } from 'react'
import { type Translate, useT } from '../../lib/i18n.ts'
import '../../styles/notifications.css'
import { Switch } from '../../ui/checkbox.tsx'
import { Field } from '../../ui/field.tsx'
import { Select } from '../../ui/select.tsx'
import { KIND_NAMES, NEVER_MAILED } from './notification-kinds.ts'

export interface PreferenceProps {
  title: string
  preferences: readonly NotificationPreference[]
  /** Whether the product sends push messages. */
  hasPush: boolean
  onChange: (changed: NotificationPreference) => Promise<void>
}

const frequencyName = (frequency: MailFrequency, t: Translate): string =>
  ({
    instant: t('At once'),
    daily: t('Daily digest'),
    weekly: t('Weekly digest'),
    off: t('{mail, select, other {Off}}'),
  })[frequency]

interface MailSelectProps {
  preference: NotificationPreference
  onChange: PreferenceProps['onChange']
  label?: string
}

/** How often a kind is mailed. What concerns the account’s safety always is, and some kinds never are. */
function MailSelect({ preference, onChange, label }: MailSelectProps) {
  const t = useT()
  const { kind, mail, isSafety } = preference
  const isFixed = isSafety || NEVER_MAILED.includes(kind)
  const offered: MailFrequency[] = isFixed ? [mail] : ['instant', 'daily', 'weekly', 'off']
  return (
    <Select
      aria-label={label}
      value={mail}
      disabled={isFixed}
      onChange={({ target }) => {
        const chosen = offered.find((one) => one === target.value)
        if (chosen) void onChange({ ...preference, mail: chosen })
      }}
    >
      {offered.map((one) => (
        <option key={one} value={one}>
          {frequencyName(one, t)}
        </option>
      ))}
    </Select>
  )
}

/** Kinds and channels on wide screens. */
export function PreferenceTable({ title, preferences, hasPush, onChange }: PreferenceProps) {
  const t = useT()
  return (
    <table className="w-full border-collapse">
      <caption className="sr-only">{title}</caption>
      <thead>
        <tr className="border-b border-control text-sm text-ink-2">
          <th scope="col" className="py-2 pe-3 text-start text-base font-semibold text-ink">
            {title}
          </th>
          <th scope="col" className="w-24 px-3 py-2 text-center font-semibold">
            {t('In the app')}
          </th>
          {hasPush && (
            <th scope="col" className="w-24 px-3 py-2 text-center font-semibold">
              {t('Push')}
            </th>
          )}
          <th scope="col" className="w-44 py-2 ps-3 text-start font-semibold">
            {t('By email')}
          </th>
        </tr>
      </thead>
      <tbody>
        {preferences.map((preference) => {
          const name = t(KIND_NAMES[preference.kind])
          return (
            <tr key={preference.kind} className="border-b border-line last:border-b-0">
              <th scope="row" className="py-1.5 pe-3 text-start font-normal">
                {name}
              </th>
              <ChannelCell
                label={t('{name}: in the app', { name })}
                checked={preference.app}
                onChange={(app) => void onChange({ ...preference, app })}
              />
              {hasPush && (
                <ChannelCell
                  label={t('{name}: push message', { name })}
                  checked={preference.push}
                  onChange={(isOn) => void onChange({ ...preference, push: isOn })}
                />
              )}
              <td className="py-1.5 ps-3">
                <MailSelect preference={preference} onChange={onChange} label={t('{name}: by email', { name })} />
              </td>
            </tr>
          )
        })}
      </tbody>
    </table>
  )
}

interface ChannelCellProps {
  label: string
  checked: boolean
  onChange: (isOn: boolean) => void
}

function ChannelCell({ label, checked, onChange }: ChannelCellProps) {
  return (
    <td className="px-3 py-1.5 text-center">
      {/* A target of 44 px around the box. */}
      <label className="inline-flex size-11 items-center justify-center">
        <input
          type="checkbox"
          aria-label={label}
          checked={checked}
          onChange={({ target }) => onChange(target.checked)}
          className="size-5 accent-primary"
        />
      </label>
    </td>
  )
}

/** One row per kind that unfolds, on phones. */
export function PreferenceList({ title, preferences, hasPush, onChange }: PreferenceProps) {
  const titleId = useId()
  return (
    <section aria-labelledby={titleId} className="grid grid-cols-1 gap-1">
      <h3 id={titleId} className="text-base">
        {title}
      </h3>
      <ul className="grid grid-cols-1 divide-y divide-line rounded-card border border-line">
        {preferences.map((preference) => (
          <li key={preference.kind}>
            <PreferenceDisclosure preference={preference} hasPush={hasPush} onChange={onChange} />
          </li>
        ))}
      </ul>
    </section>
  )
}

function PreferenceDisclosure({
  preference,
  hasPush,
  onChange,
}: Omit<MailSelectProps, 'label'> & Pick<PreferenceProps, 'hasPush'>) {
  const t = useT()
  const { app, mail } = preference
  const push = hasPush && preference.push
  const places = [
    app && t('In the app'),
    push && t('Push'),
    mail !== 'off' && t('Email: {when}', { when: frequencyName(mail, t) }),
  ]
  return (
    <details className="preference">
      <summary className="flex min-h-11 items-center justify-between gap-3 rounded-card px-3 py-2">
        <span className="min-w-0">
          {t(KIND_NAMES[preference.kind])}
          <span className={clsx('block text-sm', app || push || mail !== 'off' ? 'text-muted' : 'text-gold')}>
            {places.filter((place) => place !== false).join(' · ') || t('{mail, select, other {Off}}')}
          </span>
        </span>
        <ChevronDown aria-hidden="true" className="size-5 shrink-0 text-muted" />
      </summary>
      <div className="grid gap-2 px-3 pb-3">
        <Switch
          label={t('In the app')}
          checked={app}
          onChange={({ target }) => void onChange({ ...preference, app: target.checked })}
        />
        {hasPush && (
          <Switch
            label={t('Push')}
            checked={push}
            onChange={({ target }) => void onChange({ ...preference, push: target.checked })}
          />
        )}
        <Field label={t('By email')} required>
          <MailSelect preference={preference} onChange={onChange} />
        </Field>
      </div>
    </details>
  )
}
