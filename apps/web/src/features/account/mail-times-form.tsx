import { type NotificationSettings, NotificationSettingsInput } from '@community/contract'
import { useState } from 'react'
import { z } from 'zod'
import { useAction } from '../../lib/action.ts'
import { formatDate } from '../../lib/format.ts'
import { useT } from '../../lib/i18n.ts'
import { fieldErrorsOf, registerField, type SchemaForm, useSchemaForm, useSubmit } from '../../lib/use-form.ts'
import { deviceZone } from '../../lib/viewer-zone.ts'
import { Button } from '../../ui/button.tsx'
import { Switch } from '../../ui/checkbox.tsx'
import { Field } from '../../ui/field.tsx'
import { Notice } from '../../ui/notice.tsx'
import { Select } from '../../ui/select.tsx'
import { TextInput } from '../../ui/text-input.tsx'
import type { SavePreferences } from './save-preferences.ts'

const HOURS = Array.from({ length: 24 }, (_, hour) => hour)
const WEEKDAYS = [1, 2, 3, 4, 5, 6, 7]
const FIRST_QUIET_HOURS = { from: '22:00', to: '07:00' }

/** A Monday, in UTC. */
const MONDAY = Date.UTC(2026, 0, 5)
const weekdayName = (weekday: number): string =>
  formatDate(MONDAY + (weekday - 1) * 86_400_000, { weekday: 'long', timeZone: 'UTC' })
const clockTime = (hour: number): string => `${String(hour).padStart(2, '0')}:00`

/** Most members live in Morocco. */
const COMMUNITY_ZONE = 'Africa/Casablanca'

/** The device's zone, the community's and the stored one, then every other that the browser knows. */
const timeZones = (own: string, stored: string): Set<string> =>
  new Set([own, COMMUNITY_ZONE, stored, ...Intl.supportedValuesOf('timeZone')])

/** The input of the request, so that its errors find their fields. */
const TimesForm = z.object({ settings: NotificationSettingsInput })
type TimesForm = z.output<typeof TimesForm>

/** When digests are mailed, and when no mail is sent. */
export function MailTimesForm({
  settings,
  hasPush,
  procedure,
}: {
  settings: NotificationSettings
  hasPush: boolean
  procedure: SavePreferences
}) {
  const t = useT()
  const [isQuiet, setQuiet] = useState(settings.quietHours !== null)
  const form = useSchemaForm(TimesForm, {
    settings: { ...settings, quietHours: settings.quietHours ?? FIRST_QUIET_HOURS },
  })
  const save = useAction(procedure, {
    input: ({ settings: values }: TimesForm) => ({ settings: { ...values, ...(!isQuiet && { quietHours: null }) } }),
    success: t('Preferences saved'),
    failure: { title: t('Failed to save your preferences') },
    fields: fieldErrorsOf(form),
    invalidates: ['notifications'],
  })
  const submit = useSubmit(form, save.run)
  const toggleQuiet = (isOn: boolean) => {
    setQuiet(isOn)
    // Hidden fields must not keep the form from being saved.
    if (!isOn) form.setValue('settings.quietHours', FIRST_QUIET_HOURS)
  }
  return (
    <form noValidate onSubmit={submit} className="grid grid-cols-1 gap-5">
      <h3 className="text-lg">{t('When emails are sent')}</h3>
      <div className="grid gap-4 sm:grid-cols-2">
        <Field label={t('Digests at')} required error={registerField(form, 'settings.digestHour').error}>
          <Select {...form.register('settings.digestHour', { valueAsNumber: true })} dir="ltr">
            {HOURS.map((hour) => (
              <option key={hour} value={hour}>
                {clockTime(hour)}
              </option>
            ))}
          </Select>
        </Field>
        <Field label={t('Weekly digest on')} required error={registerField(form, 'settings.digestWeekday').error}>
          <Select {...form.register('settings.digestWeekday', { valueAsNumber: true })}>
            {WEEKDAYS.map((weekday) => (
              <option key={weekday} value={weekday}>
                {weekdayName(weekday)}
              </option>
            ))}
          </Select>
        </Field>
      </div>
      <Switch
        label={t('Quiet hours')}
        hint={
          hasPush
            ? t('Emails and push messages wait until they end, except those about the safety of your account.')
            : t('Emails wait until they end, except those about the safety of your account.')
        }
        checked={isQuiet}
        onChange={({ target }) => toggleQuiet(target.checked)}
      />
      {isQuiet && <QuietHours form={form} />}
      <TimeZoneField form={form} stored={settings.timeZone} />
      {save.failure && <Notice tone="bad" message={save.failure} />}
      <Button
        variant="primary"
        type="submit"
        className="justify-self-start"
        busy={save.isPending}
        busyLabel={t('Saving...')}
      >
        {t('Save times')}
      </Button>
    </form>
  )
}

type FormProps = { form: SchemaForm<TimesForm> }

function QuietHours({ form }: FormProps) {
  const t = useT()
  const from = registerField(form, 'settings.quietHours.from')
  const to = registerField(form, 'settings.quietHours.to')
  return (
    <div className="grid grid-cols-2 gap-4">
      <Field label={t('{time, select, other {From}}')} required error={from.error}>
        <TextInput type="time" {...from.control} />
      </Field>
      <Field label={t('{time, select, other {Until}}')} required error={to.error}>
        <TextInput type="time" {...to.control} />
      </Field>
    </div>
  )
}

function TimeZoneField({ form, stored }: FormProps & { stored: string }) {
  const t = useT()
  const own = deviceZone()
  const zone = registerField(form, 'settings.timeZone')
  return (
    <>
      <Field label={t('Time zone')} required error={zone.error}>
        <Select {...zone.control} dir="ltr">
          {[...timeZones(own, stored)].map((one) => (
            <option key={one}>{one}</option>
          ))}
        </Select>
      </Field>
      {form.watch('settings.timeZone') !== own && (
        <Button
          size="sm"
          className="justify-self-start"
          onClick={() => form.setValue('settings.timeZone', own, { shouldValidate: true })}
        >
          {t('Use the time zone of this device: {zone}', { zone: own })}
        </Button>
      )}
    </>
  )
}
